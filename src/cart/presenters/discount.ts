import type { Presenter } from "../../catalog/presenters/presenter.ts";
import type { DiscountAllocation, DiscountApplication } from "../priced-cart.ts";

/** JSON fields of a discount that reduced the price. */
export const discountPresenter = {
  title: ({ title }) => title,
  code: ({ code }) => code,
  type: ({ code }) => (code === undefined ? "automatic" : "discount_code"),
  value: ({ value }) => value,
  value_type: ({ valueType }) => valueType,
  target_type: () => "line_item",
  target_selection: ({ target }) => (target === "cart" ? "all" : "entitled"),
  total_allocated_amount: ({ total }) => total,
} satisfies Presenter<DiscountApplication>;

/** JSON fields of the amount that a discount takes off one line, in addition to the fields of the discount. */
export const allocationPresenter = {
  amount: ({ amount }) => amount,
} satisfies Presenter<DiscountAllocation>;

/** JSON fields of a discount in a line's `discounts`. */
export const lineDiscountPresenter = {
  title: ({ title }) => title,
  amount: ({ amount }) => amount,
} satisfies Presenter<DiscountAllocation>;
