import type { StoredCart } from "../../src/cart/cart-store.ts";
import type { CheckoutContent, Reservation } from "../../src/checkout/checkout-snapshot.ts";
import type { Discount } from "../../src/pricing/discount.ts";
import type { Server } from "./servers.ts";

/** Stock of each variant in the catalog. Undefined if it is not tracked. */
export const catalogStock: ReadonlyMap<string, number | undefined> = new Map([
  ["1", 3],
  ["2", 1],
  ["3", undefined],
]);
/** ID of the variant with one unit. */
export const LAST_UNIT_ID = "2";
export const PRICE = 100;
export const CURRENCY = "USD";
/** A gift card that all shoppers may use. */
export const giftCard = { kind: "gift_card", id: "card", loaded: 450 } as const;
/** A discount that three orders may use. */
export const discount: Discount = {
  ...{ kind: "discount", id: "limited", title: "Limited", valueType: "fixed_amount", value: 10 },
  ...{ minimumSubtotal: 0, products: [], collections: [], usageLimit: 3 },
};

/** Creates the content of a checkout, with the fields that the storage reads. */
export async function createContent(
  server: Server,
  cart: StoredCart,
  uses: { readonly card: boolean; readonly discount: boolean },
  now: number,
): Promise<CheckoutContent> {
  const units = Map.groupBy(cart.lines, ({ variantId }) => variantId);
  const stock = [...units].flatMap(([id, lines]): readonly Reservation[] =>
    catalogStock.get(id) === undefined ? [] : [{ kind: "stock", id, units: lines.length }],
  );
  const hasDiscount =
    uses.discount &&
    !(await server.discountUses.isUsedUp(discount, { checkoutId: cart.checkoutId, customerId: undefined }, now));
  const total = cart.lines.length * PRICE - (hasDiscount ? discount.value : 0);
  const usedAmount = uses.card
    ? ((await server.checkouts.usedBalances([giftCard], cart.checkoutId)).get("gift_card card") ?? 0)
    : giftCard.loaded;
  const paidByCard = Math.max(0, Math.min(total, giftCard.loaded - usedAmount));
  const product = { id: "p", title: "Rope" };
  const content = {
    locale: "en",
    amount: total - paidByCard,
    reservations: [
      ...stock.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      ...(paidByCard === 0 ? [] : [{ ...giftCard, units: paidByCard }]),
    ],
    priced: {
      ...{ cart, currency: CURRENCY, total, originalTotal: total, itemsSubtotal: total, giftCards: [] },
      ...{ discountApplications: [], limitedDiscounts: hasDiscount ? [discount] : [] },
      lines: cart.lines.map((line) => ({
        ...{ line, product, variant: { id: line.variantId, title: "" } },
        ...{ price: PRICE, finalLinePrice: PRICE, discounts: [] },
      })),
    },
  };
  return content as unknown as CheckoutContent;
}
