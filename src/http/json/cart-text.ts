import { localizeLine } from "../../cart/presenters/line.ts";
import type { PricedCart, PricedLine } from "../../cart/priced-cart.ts";
import type { Variant } from "../../catalog/product.ts";
import { createCache, memoizePerObject } from "../../runtime/cache.ts";
import { formatCartFields, type LineRecords, lineRecords, noticeRecords } from "./cart-json.ts";
import { toSafeJson } from "./inert-json.ts";

/** Language and link prefix for the JSON of a cart. */
export interface CartView {
  readonly locale: string;
  /** Path prefix of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** JSON parts of a cart, safe in HTML. Responses are built from them. */
export interface SerializedCart {
  /** All fields except the lines, as JSON without braces. */
  readonly fields: string;
  /** JSON array of the cart's lines. */
  readonly items: string;
}

/**
 * Serializes carts as JSON. It caches the JSON of each cart's lines, because most lines do not change between two
 * responses. It also caches the fields of each product variant.
 */
export interface CartSerializer {
  serialize(pricedCart: PricedCart, view: CartView): SerializedCart;
  /** Returns the fields of a line for an "added to cart" message, as JSON without braces. */
  noticeOf(line: PricedLine, view: CartView): string;
}

/** Returns all fields of a cart, as JSON without braces. The lines appear in both `items` and `lines`. */
export function formatCartMembers({ fields, items }: SerializedCart): string {
  return `${fields},"items":${items},"lines":${items}`;
}

/** Approximate memory of a cache entry in addition to its text, in bytes. */
const ENTRY_OVERHEAD_BYTES = 500;

/** Cart lines in the latest response for a cart, and their JSON, which is reused for unchanged lines. */
interface CachedLines {
  readonly view: CartView;
  readonly pricedLines: readonly PricedLine[];
  /** JSON of each line, in the order of the lines. */
  readonly lineTexts: readonly string[];
}

/**
 * Creates a cart serializer.
 * @param maxBytes maximum memory of the cached lines, in bytes
 * @param hasNullNote whether a cart without a note has the field `note: null`
 */
export function createCartSerializer(maxBytes = 16 * 1_024 * 1_024, hasNullNote = false): CartSerializer {
  const carts = createCache<string, CachedLines>({ name: "cart_lines", maxWeight: maxBytes, weigh: weightOf });
  const formatLine = createLineFormatter(lineRecords);
  const serializeItems = ({ cart, lines }: PricedCart, view: CartView): string => {
    const { id = "" } = cart;
    const lastEntry = carts.get(id);
    const cachedLines =
      lastEntry?.view.locale === view.locale && lastEntry.view.prefix === view.prefix ? lastEntry : undefined;
    const texts: string[] = [];
    let text = "[";
    for (const [index, line] of lines.entries()) {
      const lineJson = findCachedText(cachedLines, line, index) ?? `{${formatLine(line, view)}}`;
      texts.push(lineJson);
      text += index === 0 ? lineJson : `,${lineJson}`;
    }
    if (lines.length > 0) carts.set(id, { view, pricedLines: lines, lineTexts: texts });
    return `${text}]`;
  };
  return {
    serialize: (pricedCart, view) => ({
      fields: formatMembers(formatCartFields(pricedCart, hasNullNote)),
      items: serializeItems(pricedCart, view),
    }),
    noticeOf: createLineFormatter(noticeRecords),
  };
}

function weightOf({ lineTexts: texts }: CachedLines): number {
  let size = ENTRY_OVERHEAD_BYTES;
  for (const { length } of texts) size += length + ENTRY_OVERHEAD_BYTES;
  return size;
}

/** Returns the cached JSON of a line if the line is unchanged. */
function findCachedText(cachedLines: CachedLines | undefined, line: PricedLine, index: number): string | undefined {
  if (cachedLines === undefined) return undefined;
  const { pricedLines, lineTexts: texts } = cachedLines;
  const previousIndex =
    pricedLines[index]?.line === line.line ? index : pricedLines.findIndex((candidate) => candidate.line === line.line);
  const previousLine = pricedLines[previousIndex];
  return previousLine !== undefined && isSamePricedLine(previousLine, line) ? texts[previousIndex] : undefined;
}

/** Returns a function that serializes a cart line. Fields of the product variant are cached. */
function createLineFormatter({
  toOfferRecord: formatOffer,
  toLineRecord: lineFields,
}: LineRecords): (line: PricedLine, view: CartView) => string {
  const getTexts = memoizePerObject((_: Variant) => new Map<string, string>());
  const formatOfferMembers = (line: PricedLine, { locale, prefix }: CartView): string => {
    const texts = getTexts(line.variant);
    const viewKey = `${locale} ${prefix}`;
    const text = texts.get(viewKey) ?? formatMembers(formatOffer(localizeLine(line, locale, prefix)));
    texts.set(viewKey, text);
    return text;
  };
  return (line, view) => {
    const { product, variant } = line;
    return `${formatOfferMembers(line, view)},${formatMembers(lineFields({ line, product, variant, prefix: view.prefix }))}`;
  };
}

/** Serializes an object as JSON without its braces. */
function formatMembers(record: Record<string, unknown>): string {
  return toSafeJson(record).slice(1, -1);
}

/**
 * Reports whether two priced lines have the same JSON. Lines with discounts always count as different, because their
 * discount objects are created for each response.
 */
function isSamePricedLine(a: PricedLine, b: PricedLine): boolean {
  return (
    a.variant === b.variant &&
    a.price === b.price &&
    a.finalPrice === b.finalPrice &&
    a.originalLinePrice === b.originalLinePrice &&
    a.finalLinePrice === b.finalLinePrice &&
    a.available === b.available &&
    a.maxQuantity === b.maxQuantity &&
    [a, b].every(({ discounts, cartShares }) => discounts.length === 0 && cartShares.length === 0)
  );
}
