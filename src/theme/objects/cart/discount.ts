import { allocationPresenter, discountPresenter, lineDiscountPresenter } from "../../../cart/presenters/discount.ts";
import type { DiscountAllocation, DiscountApplication } from "../../../cart/priced-cart.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";

export function createDiscountObject(discount: DiscountApplication): TemplateObject<DiscountApplication> {
  return new TemplateObject(applicationType, discount);
}

/** Creates the object for the share of a discount that belongs to one line. */
export function createAllocationObject(allocation: DiscountAllocation): TemplateObject<DiscountAllocation> {
  return new TemplateObject(allocationType, allocation);
}

const applicationType = createObjectType<DiscountApplication>("discount_application", discountPresenter, {
  amount: ({ total }) => total,
  total_amount: ({ total }) => total,
  savings: ({ total }) => -total,
  total_savings: ({ total }) => -total,
});

/** The object also has the fields of the discount itself (`title`, `type`), because themes read them from it. */
export const lineDiscountType = createObjectType<DiscountAllocation>("line_item_discount", {
  ...discountPresenter,
  ...lineDiscountPresenter,
});

const allocationType = createObjectType<DiscountAllocation>(
  "discount_allocation",
  {
    ...allocationPresenter,
    discount_application: (allocation) => createDiscountObject(allocation),
  },
  {},
  { fieldTypes: { discount_application: "discount_application" } },
);
