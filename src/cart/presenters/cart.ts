import { addCentsFields, type Presenter } from "../../catalog/presenters/presenter.ts";
import type { PricedCart } from "../priced-cart.ts";

/** JSON fields of a cart without its lines, discounts and issues.  @see spec 2.3 */
export const cartPresenter = {
  // Omitted before the first write, because until then the ID is only reserved and no cart is stored under it.
  id: ({ cart }) => (cart.revision === 0 ? undefined : cart.id),
  /** The cart ID again, under the name that clients of other platforms use. */
  token: ({ cart }) => (cart.revision === 0 ? undefined : cart.id),
  revision: ({ cart }) => cart.revision,
  item_count: ({ itemCount }) => itemCount,
  line_count: ({ lines }) => lines.length,
  note: ({ cart }) => cart.note,
  attributes: () => ({}),
  requires_shipping: ({ requiresShipping }) => requiresShipping,
  currency_code: ({ currency }) => currency,
  ...addCentsFields({
    items_subtotal_price: ({ itemsSubtotal }: PricedCart) => itemsSubtotal,
    original_total_price: ({ originalTotal }: PricedCart) => originalTotal,
    total_discount: ({ totalDiscount }: PricedCart) => totalDiscount,
    total_price: ({ total }: PricedCart) => total,
    amount_due: ({ amountDue }: PricedCart) => amountDue,
  }),
  store_credit: ({ storeCredit }) => storeCredit,
  total_weight: ({ totalWeight }) => totalWeight,
  discount_codes: ({ discountCodes }) => discountCodes,
  gift_cards: ({ giftCards }) => giftCards,
} satisfies Presenter<PricedCart>;
