import { localizeLine } from "../../cart/presenters/line.ts";
import type { PricedCart, PricedLine } from "../../cart/priced-cart.ts";
import type { Variant } from "../../catalog/product.ts";
import { createCache, memoizePerObject } from "../../runtime/cache.ts";
import { cartFieldsJson, type LineRecords, lineRecords, noticeRecords } from "./cart-json.ts";
import { inertJson } from "./inert-json.ts";

/** Language and links of a cart's JSON. */
export interface CartView {
  readonly locale: string;
  /** Path prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** Serialized parts of a cart, safe in HTML, from which responses are built. */
export interface CartText {
  /** All fields except the lines, as JSON without braces. */
  readonly fields: string;
  /** Lines as a JSON array. */
  readonly items: string;
}

/**
 * Serializes carts. Most lines of a cart do not change between responses, so the JSON of each cart's lines is cached.
 * The fields that depend on a variant only are cached, too.
 */
export interface CartTexts {
  of(priced: PricedCart, view: CartView): CartText;
  /** Returns the fields of a line for an added-to-cart notice, as JSON without braces. */
  noticeOf(line: PricedLine, view: CartView): string;
}

/** Returns all fields of a cart, as JSON without braces. The lines appear under two names. */
export function cartMembers({ fields, items }: CartText): string {
  return `${fields},"items":${items},"lines":${items}`;
}

/** Approximate memory of a cache entry besides its text, in bytes. */
const OVERHEAD = 500;

/** Serialized lines of a cart's latest response. */
interface CachedLines {
  readonly view: CartView;
  readonly shown: readonly PricedLine[];
  /** JSON of each line, in the order of the lines. */
  readonly texts: readonly string[];
}

/**
 * Creates a cart serializer.
 * @param maxBytes maximum memory of the cached lines, in bytes
 * @param hasNullNote see {@link cartFieldsJson}
 */
export function createCartTexts(maxBytes = 16 * 1_024 * 1_024, hasNullNote = false): CartTexts {
  const carts = createCache<string, CachedLines>({ name: "cart_lines", maxWeight: maxBytes, weigh: weightOf });
  const lineMembers = createLineMembers(lineRecords);
  const items = ({ cart, lines }: PricedCart, view: CartView): string => {
    const { id = "" } = cart;
    const last = carts.get(id);
    const cached = last !== undefined && isSameView(last.view, view) ? last : undefined;
    const texts: string[] = [];
    let text = "[";
    for (const [index, line] of lines.entries()) {
      const one = cachedText(cached, line, index) ?? `{${lineMembers(line, view)}}`;
      texts.push(one);
      text += index === 0 ? one : `,${one}`;
    }
    if (lines.length > 0) carts.set(id, { view, shown: lines, texts });
    return `${text}]`;
  };
  return {
    of: (priced, view) => ({ fields: members(cartFieldsJson(priced, hasNullNote)), items: items(priced, view) }),
    noticeOf: createLineMembers(noticeRecords),
  };
}

function weightOf({ texts }: CachedLines): number {
  let size = OVERHEAD;
  for (const { length } of texts) size += length + OVERHEAD;
  return size;
}

/** Returns the cached JSON of an unchanged line. Fast path: most lines have the same index as before. */
function cachedText(cached: CachedLines | undefined, line: PricedLine, index: number): string | undefined {
  if (cached === undefined) return undefined;
  const { shown, texts } = cached;
  const at = shown[index]?.line === line.line ? index : shown.findIndex((one) => one.line === line.line);
  const before = shown[at];
  return before !== undefined && isSame(before, line) ? texts[at] : undefined;
}

/** Returns a function that serializes a line. Fields that depend on the variant only are cached by variant. */
function createLineMembers({ ofOffer, lineFields }: LineRecords): (line: PricedLine, view: CartView) => string {
  const textsOf = memoizePerObject((_: Variant) => new Map<string, string>());
  const offerMembers = (line: PricedLine, { locale, prefix }: CartView): string => {
    const texts = textsOf(line.variant);
    const name = `${locale} ${prefix}`;
    const text = texts.get(name) ?? members(ofOffer(localizeLine(line, locale, prefix)));
    texts.set(name, text);
    return text;
  };
  return (line, view) => {
    const { product, variant } = line;
    return `${offerMembers(line, view)},${members(lineFields({ line, product, variant, prefix: view.prefix }))}`;
  };
}

/** Serializes a record as JSON without its braces. */
function members(record: Record<string, unknown>): string {
  return inertJson(record).slice(1, -1);
}

function isSameView(one: CartView, other: CartView): boolean {
  return one.locale === other.locale && one.prefix === other.prefix;
}

/**
 * Reports whether two priced lines have the same JSON. Discounts are new objects each time, so lines with discounts
 * always count as different.
 */
function isSame(one: PricedLine, other: PricedLine): boolean {
  return (
    one.variant === other.variant &&
    one.price === other.price &&
    one.finalPrice === other.finalPrice &&
    one.originalLinePrice === other.originalLinePrice &&
    one.finalLinePrice === other.finalLinePrice &&
    one.available === other.available &&
    one.maxQuantity === other.maxQuantity &&
    [one, other].every(({ discounts, cartShares }) => discounts.length === 0 && cartShares.length === 0)
  );
}
