import { allocationPresenter, discountPresenter, lineDiscountPresenter } from "../../../cart/presenters/discount.ts";
import type { DiscountAllocation, DiscountApplication } from "../../../cart/priced-cart.ts";
import { objectType, TemplateObject } from "../template-object.ts";

/** A discount as themes know it. */
export function discountApplication(discount: DiscountApplication): TemplateObject<DiscountApplication> {
  return new TemplateObject(applicationType, discount);
}

/** What a discount takes off a line. */
export function discountAllocation(share: DiscountAllocation): TemplateObject<DiscountAllocation> {
  return new TemplateObject(allocationType, share);
}

/** The same in the words of a line's `discounts`. */
export function lineDiscount(share: DiscountAllocation): TemplateObject<DiscountAllocation> {
  return new TemplateObject(lineDiscountType, share);
}

const applicationType = objectType<DiscountApplication>("discount_application", discountPresenter);

/** Themes read the discount's own fields there too. */
const lineDiscountType = objectType<DiscountAllocation>("line_item_discount", {
  ...discountPresenter,
  ...lineDiscountPresenter,
});

const allocationType = objectType<DiscountAllocation>(
  "discount_allocation",
  {
    ...allocationPresenter,
    discount_application: (share) => discountApplication(share),
  },
  {},
  { returns: { discount_application: "discount_application" } },
);
