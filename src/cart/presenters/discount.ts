import type { Presenter } from "../../catalog/presenters/presenter.ts";
import type { DiscountAllocation, DiscountApplication } from "../priced-cart.ts";

/** A discount that reduced the price. */
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

/** A discount's part on one line, in addition to the fields of the discount. */
export const allocationPresenter = {
  amount: ({ amount }) => amount,
} satisfies Presenter<DiscountAllocation>;

/** The discount in the format of a line's `discounts`. */
export const lineDiscountPresenter = {
  title: ({ title }) => title,
  amount: ({ amount }) => amount,
} satisfies Presenter<DiscountAllocation>;
