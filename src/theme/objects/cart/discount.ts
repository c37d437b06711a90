import { allocationPresenter, discountPresenter, lineDiscountPresenter } from "../../../cart/presenters/discount.ts";
import type { DiscountAllocation, DiscountApplication } from "../../../cart/priced-cart.ts";
import { objectType, TemplateObject } from "../template-object.ts";

/** A `discount_application` object. */
export function discountApplication(discount: DiscountApplication): TemplateObject<DiscountApplication> {
  return new TemplateObject(applicationType, discount);
}

/** The part of a discount that applies to one line. */
export function discountAllocation(share: DiscountAllocation): TemplateObject<DiscountAllocation> {
  return new TemplateObject(allocationType, share);
}

/** The discount in the format of a line's `discounts`. */
export function lineDiscount(share: DiscountAllocation): TemplateObject<DiscountAllocation> {
  return new TemplateObject(lineDiscountType, share);
}

const applicationType = objectType<DiscountApplication>("discount_application", discountPresenter);

/** Themes also read fields of the discount from it. */
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
