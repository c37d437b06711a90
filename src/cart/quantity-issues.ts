import { type Offer, offerTitle } from "../catalog/catalog.ts";
import { localize } from "../catalog/localize.ts";
import { sellable } from "../catalog/stock.ts";
import type { CartMessages } from "../messages/messages.ts";
import { messagesIn } from "../messages/registry.ts";
import type { Issue, Line } from "./cart.ts";
import { largestWithin } from "./quantity.ts";

/** In whose language issues are told. */
export interface Reader {
  /** Absent: English. */
  readonly locale?: string;
}

export function wordsFor({ locale = "en" }: Reader): CartMessages {
  return messagesIn(locale).cart;
}

/** What a variant is called beside others, in the reader's language. */
export function titleFor(offer: Offer, { locale }: Reader): string {
  if (locale === undefined) return offerTitle(offer);
  const product = localize(offer.product, locale);
  return offerTitle({ product, variant: product.variants.find(({ id }) => id === offer.variant.id) ?? offer.variant });
}

/** An issue of stock, in words. @param quantity units the cart holds after the write */
export function capIssue(
  offer: Offer,
  { requested, quantity, key }: { readonly requested: number; readonly quantity: number; readonly key?: string },
  at: Reader,
): Issue {
  const available = sellable(offer.variant);
  const isOdd = largestWithin(available, offer.variant.quantityRule) < available;
  const words = wordsFor(at);
  const title = titleFor(offer, at);
  return {
    code: "inventory_cap",
    message: available === 0 ? words.soldOut(title) : words.only(available, title, isOdd ? ruleFor(offer, at) : ""),
    field: "quantity",
    ...(key === undefined ? {} : { key }),
    variantId: offer.variant.id,
    requestedQuantity: requested,
    quantity,
    availableQuantity: available,
  };
}

/** An issue for a quantity that the product's rule has moved. @param requested what was asked for  @param quantity what the line holds now */
export function ruleIssue(
  offer: Offer,
  line: Line,
  { requested, quantity }: { readonly requested: number; readonly quantity: number },
  at: Reader,
): Issue {
  return {
    code: "quantity_rule",
    message: wordsFor(at).soldBy(titleFor(offer, at), ruleFor(offer, at), quantity),
    field: "quantity",
    key: line.key,
    variantId: line.variantId,
    requestedQuantity: requested,
    quantity,
  };
}

function ruleFor({ variant }: Offer, at: Reader): string {
  const { min, max, increment } = variant.quantityRule;
  return wordsFor(at).rule(min, max, increment);
}

/** `issues` of a write and of the pricing after it, without repetitions. */
export function mergeIssues(edited: readonly Issue[], priced: readonly Issue[]): readonly Issue[] {
  const said = new Set(edited.map(({ code, key }) => `${code} ${key}`));
  return [...edited, ...priced.filter(({ code, key }) => key === undefined || !said.has(`${code} ${key}`))];
}

/** @param names of the attributes that a write sets; none: no issue */
export function attributesIssue(names: readonly string[], at: Reader): readonly Issue[] {
  if (names.length === 0) return [];
  const listed = names.slice(0, MAX_NAMES).map((name) => [...name].slice(0, MAX_NAME).join(""));
  const message = wordsFor(at).attributesNotKept([...listed, ...(names.length > MAX_NAMES ? ["…"] : [])].join(", "));
  return [{ code: "attributes_not_kept", message, field: "attributes" }];
}

/** Names that a message lists, and characters of each. */
const MAX_NAMES = 10;
const MAX_NAME = 50;
