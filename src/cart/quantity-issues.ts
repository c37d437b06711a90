import { type Offer, offerTitle } from "../catalog/catalog.ts";
import { localize } from "../catalog/localize.ts";
import { sellable } from "../catalog/stock.ts";
import { type Messages, messagesIn } from "../messages/messages.ts";
import type { Issue, Line } from "./cart.ts";
import { largestWithin } from "./quantity.ts";

/** The person who reads the issues. */
export interface Reader {
  /** Locale of the messages. Default: English. */
  readonly locale?: string;
}

export function messagesFor({ locale = "en" }: Reader): Messages {
  return messagesIn(locale);
}

/** Joins two sentences in the reader's language. */
export function joinSentences(first: string, second: string, at: Reader): string {
  return first + messagesFor(at)("cart.gap") + second;
}

/** Returns the title of a variant in the reader's language. */
export function titleFor(offer: Offer, { locale }: Reader): string {
  if (locale === undefined) return offerTitle(offer);
  const product = localize(offer.product, locale);
  return offerTitle({ product, variant: product.variants.find(({ id }) => id === offer.variant.id) ?? offer.variant });
}

/** Creates an issue about a quantity that stock limits.  @param quantity units in the cart after the write */
export function capIssue(
  offer: Offer,
  { requested, quantity, key }: { readonly requested: number; readonly quantity: number; readonly key?: string },
  at: Reader,
): Issue {
  const available = sellable(offer.variant);
  const isOdd = largestWithin(available, offer.variant.quantityRule) < available;
  const title = titleFor(offer, at);
  const message = messagesFor(at)(available === 0 ? "cart.soldOut" : "cart.only", { title, count: available });
  return {
    code: "inventory_cap",
    message: isOdd ? joinSentences(message, ruleFor(offer, at), at) : message,
    field: "quantity",
    ...(key === undefined ? {} : { key }),
    variantId: offer.variant.id,
    requestedQuantity: requested,
    quantity,
    availableQuantity: available,
  };
}

/**
 * Creates an issue about a quantity that the product's quantity rule changed.
 * @param requested requested quantity
 * @param quantity quantity of the line after the change
 */
export function ruleIssue(
  offer: Offer,
  line: Line,
  { requested, quantity }: { readonly requested: number; readonly quantity: number },
  at: Reader,
): Issue {
  const outcome = messagesFor(at)(quantity === 0 ? "cart.takenOut" : "cart.setTo", { count: quantity });
  return {
    code: "quantity_rule",
    message: joinSentences(ruleFor(offer, at), outcome, at),
    field: "quantity",
    key: line.key,
    variantId: line.variantId,
    requestedQuantity: requested,
    quantity,
  };
}

function ruleFor(offer: Offer, at: Reader): string {
  const { min, max, increment } = offer.variant.quantityRule;
  const values = { title: titleFor(offer, at), min, increment };
  if (max === undefined) return messagesFor(at)(increment > 1 ? "cart.multiples" : "cart.minimum", values);
  return messagesFor(at)(increment > 1 ? "cart.multiplesRange" : "cart.range", { ...values, max });
}

/** Merges the issues of a write and of the pricing after it, without duplicates. */
export function mergeIssues(edited: readonly Issue[], priced: readonly Issue[]): readonly Issue[] {
  const known = new Set(edited.map(({ code, key }) => `${code} ${key}`));
  return [...edited, ...priced.filter(({ code, key }) => key === undefined || !known.has(`${code} ${key}`))];
}

/**
 * Creates an issue if a write sets cart attributes, which are not supported.
 * @param names attribute names; empty for no issue
 */
export function attributesIssue(names: readonly string[], at: Reader): readonly Issue[] {
  if (names.length === 0) return [];
  const listed = names.slice(0, MAX_NAMES).map((name) => [...name].slice(0, MAX_NAME).join(""));
  const message = messagesFor(at)("cart.attributesNotKept", {
    names: [...listed, ...(names.length > MAX_NAMES ? ["…"] : [])].join(", "),
  });
  return [{ code: "attributes_not_kept", message, field: "attributes" }];
}

/** Maximum names in a message, and maximum characters of each. */
const MAX_NAMES = 10;
const MAX_NAME = 50;
