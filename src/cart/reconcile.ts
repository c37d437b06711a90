import { type Catalog, formatOfferTitle, type OfferedVariant } from "../catalog/catalog.ts";
import { formatMoney } from "../pricing/money.ts";
import type { Cart, Issue, Line } from "./cart.ts";
import { findMessages, type LocaleContext, localizeTitle } from "./quantity-issues.ts";

/**
 * Updates a cart to the current catalog: removes lines of removed variants with their nested lines, and records changed
 * prices. Each change gets an issue (a notice for the shopper).
 * @returns the same cart object if nothing changed
 */
export function reconcileCart<C extends Cart>(
  cart: C,
  context: LocaleContext & {
    readonly catalog: Catalog;
    readonly currency: string;
    /** Prices from the merchant's hook for this cart, in minor units by variant ID. */
    readonly prices?: ReadonlyMap<string, number>;
  },
): {
  readonly cart: C;
  readonly issues: readonly Issue[];
  /** Products and variants of the remaining lines, in the same order. */
  readonly offers: readonly OfferedVariant[];
} {
  const issues: Issue[] = [];
  const lines: Line[] = [];
  const offers: OfferedVariant[] = [];
  const removedKeys = new Set<string>();
  for (const line of cart.lines) {
    const catalogOffer = context.catalog.variant(line.variantId);
    const hookPrice = context.prices?.get(line.variantId);
    const offer =
      catalogOffer && hookPrice !== undefined
        ? { ...catalogOffer, variant: { ...catalogOffer.variant, price: hookPrice } }
        : catalogOffer;
    if (offer === undefined || (line.parentKey !== undefined && removedKeys.has(line.parentKey))) {
      removedKeys.add(line.key);
      issues.push({
        code: "line_removed",
        message: findMessages(context)("cart.removed", { title: line.seenTitle }),
        key: line.key,
        variantId: line.variantId,
        requestedQuantity: line.quantity,
        quantity: 0,
        availableQuantity: 0,
      });
      continue;
    }
    offers.push(offer);
    const price = offer.variant.price;
    // A price set by a hook is not a change of the list price.
    if (price === line.seenPrice || hookPrice !== undefined) {
      lines.push(line);
      continue;
    }
    const [previousAmount, currentAmount] = [line.seenPrice, price].map((amount) =>
      formatMoney(amount, context.currency, context.locale ?? "en"),
    );
    issues.push({
      code: "price_changed",
      message: findMessages(context)("cart.priceChanged", {
        title: localizeTitle(offer, context),
        before: previousAmount ?? "",
        after: currentAmount ?? "",
      }),
      key: line.key,
      variantId: line.variantId,
      quantity: line.quantity,
    });
    lines.push({ ...line, seenPrice: price, seenTitle: formatOfferTitle(offer) });
  }
  return { cart: issues.length === 0 ? cart : { ...cart, lines }, issues, offers };
}
