import { cartPresenter } from "../../cart/presenters/cart.ts";
import { allocationPresenter, discountPresenter, lineDiscountPresenter } from "../../cart/presenters/discount.ts";
import { issuePresenter } from "../../cart/presenters/issue.ts";
import { lineImage, linePresenter, type ShownLine, showLine } from "../../cart/presenters/line.ts";
import type { DiscountAllocation, PricedCart } from "../../cart/priced-cart.ts";
import { recordsOf } from "../../catalog/presenters/presenter.ts";
import { imageJson } from "./image-json.ts";
import { quantityRuleJson } from "./product-json.ts";

/** Where and in which language a cart is shown. */
export interface CartView {
  readonly locale: string;
  /** Of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** The cart object. Money is in minor units of the shop's currency. @see spec 2.3 */
export function cartJson(priced: PricedCart, { locale, prefix }: CartView): Record<string, unknown> {
  const { note, ...fields } = cartRecord(priced);
  const items = priced.lines.map((line) => lineJson(showLine(line, locale, prefix)));
  return { ...fields, ...(note === null ? {} : { note }), items, lines: items };
}

/** One of a cart's `issues`; every field is always there. */
export const issueJson = recordsOf(issuePresenter);

const discountJson = recordsOf(discountPresenter);
const lineDiscountJson = recordsOf(lineDiscountPresenter);

const allocationJson = recordsOf<DiscountAllocation>({
  ...allocationPresenter,
  discount_application: (share) => discountJson(share),
});

const cartRecord = recordsOf<PricedCart>({
  ...cartPresenter,
  currency: ({ currency }) => ({ iso_code: currency }),
  discount_applications: ({ discountApplications }) => discountApplications.map(discountJson),
  cart_level_discount_applications: ({ discounts }) => discounts.map(discountJson),
});

const lineJson = recordsOf<ShownLine>({
  ...linePresenter,
  image: (shown) => lineImage(shown)?.src,
  featured_image: (shown) => imageJson(lineImage(shown)),
  quantity_rule: ({ variant }) => quantityRuleJson(variant.quantityRule),
  discounts: ({ line }) => line.discounts.map(lineDiscountJson),
  line_level_discount_allocations: ({ line }) => line.discounts.map(allocationJson),
  cart_level_discount_allocations: ({ line }) => line.cartShares.map(allocationJson),
});
