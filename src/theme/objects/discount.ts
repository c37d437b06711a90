import type { DiscountAllocation, DiscountApplication } from "../../cart/priced-cart.ts";
import { objectType, TemplateObject } from "./template-object.ts";

/** A discount as themes know it. */
export function discountApplication(discount: DiscountApplication): TemplateObject<DiscountApplication> {
  return new TemplateObject(applicationType, discount);
}

/** What a discount takes off a line. */
export function discountAllocation(share: DiscountAllocation): TemplateObject<DiscountAllocation> {
  return new TemplateObject(allocationType, share);
}

const applicationType = objectType<DiscountApplication>("discount_application", {
  title: (discount) => discount.title,
  code: (discount) => discount.code,
  type: (discount) => (discount.code === undefined ? "automatic" : "discount_code"),
  value: (discount) => discount.value,
  value_type: (discount) => discount.valueType,
  target_type: () => "line_item",
  target_selection: (discount) => (discount.target === "cart" ? "all" : "entitled"),
  total_allocated_amount: (discount) => discount.total,
});

const allocationType = objectType<DiscountAllocation>(
  "discount_allocation",
  {
    amount: (share) => share.amount,
    discount_application: (share) => discountApplication(share),
  },
  {},
  { returns: { discount_application: "discount_application" } },
);
