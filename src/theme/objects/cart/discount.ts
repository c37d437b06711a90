import { allocationPresenter, discountPresenter, lineDiscountPresenter } from "../../../cart/presenters/discount.ts";
import type { DiscountAllocation, DiscountApplication } from "../../../cart/priced-cart.ts";
import { objectType, TemplateObject } from "../template-object.ts";

/** Creates a `discount_application` object. */
export function discountApplication(discount: DiscountApplication): TemplateObject<DiscountApplication> {
  return new TemplateObject(applicationType, discount);
}

/** Creates the object for the part of a discount that applies to one line. */
export function discountAllocation(share: DiscountAllocation): TemplateObject<DiscountAllocation> {
  return new TemplateObject(allocationType, share);
}

/** Creates the discount object that a line's `discounts` contain. */
export function lineDiscount(share: DiscountAllocation): TemplateObject<DiscountAllocation> {
  return new TemplateObject(lineDiscountType, share);
}

const applicationType = objectType<DiscountApplication>("discount_application", discountPresenter);

/** Type with the additional fields of the discount that themes read. */
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
  { fieldTypes: { discount_application: "discount_application" } },
);
