import { LRUCache } from "lru-cache";
import { showLine } from "../../cart/presenters/line.ts";
import type { PricedCart, PricedLine } from "../../cart/priced-cart.ts";
import type { Variant } from "../../catalog/product.ts";
import { cartFieldsJson, type LineRecords, lineRecords, noticeRecords } from "./cart-json.ts";
import { inertJson } from "./inert-json.ts";

/** Where and in which language a cart is shown. */
export interface CartView {
  readonly locale: string;
  /** Of links: "/fr", or "" for the default language. */
  readonly prefix: string;
}

/** A cart as JSON, inert in HTML, in the parts of which answers are joined. */
export interface CartText {
  /** Its fields but for the lines, without braces around them. */
  readonly fields: string;
  /** The list of its lines. */
  readonly items: string;
}

/** Makes carts into text. Most lines of a cart are as they were at its last answer, and their text with them; of a line that is not, what it
 *  shows of its variant is. Both are remembered, bounded. */
export interface CartTexts {
  of(priced: PricedCart, view: CartView): CartText;
  /** What a notice shows of a line: fields without braces around them. */
  noticeOf(line: PricedLine, view: CartView): string;
}

/** The fields of a cart with its lines, which have two names. */
export function cartMembers({ fields, items }: CartText): string {
  return `${fields},"items":${items},"lines":${items}`;
}

/** Bytes that an entry takes besides its text. */
const OVERHEAD = 500;

/** The lines of a cart as they were shown last. */
interface KeptLines {
  readonly view: CartView;
  readonly shown: readonly PricedLine[];
  /** In the same order. */
  readonly texts: readonly string[];
}

/** @param maxBytes of lines' texts that are remembered  @param hasNullNote see {@link cartFieldsJson} */
export function createCartTexts(maxBytes = 16 * 1_024 * 1_024, hasNullNote = false): CartTexts {
  const carts = new LRUCache<string, KeptLines>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const lineMembers = createLineMembers(lineRecords);
  const items = ({ cart, lines }: PricedCart, view: CartView): string => {
    const { id = "" } = cart;
    const last = carts.get(id);
    const kept = last !== undefined && isSameView(last.view, view) ? last : undefined;
    const texts: string[] = [];
    let text = "[";
    for (const [index, line] of lines.entries()) {
      const one = keptText(kept, line, index) ?? `{${lineMembers(line, view)}}`;
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

function sizeOf({ texts }: KeptLines): number {
  let size = OVERHEAD;
  for (const { length } of texts) size += length + OVERHEAD;
  return size;
}

/** The text of a line, where it was shown the same. Most lines stand where they stood. */
function keptText(kept: KeptLines | undefined, line: PricedLine, index: number): string | undefined {
  if (kept === undefined) return undefined;
  const { shown, texts } = kept;
  const at = shown[index]?.line === line.line ? index : shown.findIndex((one) => one.line === line.line);
  const before = shown[at];
  return before !== undefined && isSame(before, line) ? texts[at] : undefined;
}

/** Makes a line's fields into text; those that its variant alone tells are remembered with it. */
function createLineMembers({ ofOffer, own }: LineRecords): (line: PricedLine, view: CartView) => string {
  const offers = new WeakMap<Variant, Map<string, string>>();
  const offerMembers = (line: PricedLine, { locale, prefix }: CartView): string => {
    const texts = offers.get(line.variant) ?? new Map<string, string>();
    if (texts.size === 0) offers.set(line.variant, texts);
    const name = `${locale} ${prefix}`;
    const text = texts.get(name) ?? members(ofOffer(showLine(line, locale, prefix)));
    texts.set(name, text);
    return text;
  };
  return (line, view) => {
    const { product, variant } = line;
    return `${offerMembers(line, view)},${members(own({ line, product, variant, prefix: view.prefix }))}`;
  };
}

/** A record as text without its braces. */
function members(record: Record<string, unknown>): string {
  return inertJson(record).slice(1, -1);
}

function isSameView(one: CartView, other: CartView): boolean {
  return one.locale === other.locale && one.prefix === other.prefix;
}

/** Whether a line shows the same, its cart's line being the same. Discounts are made anew each time: with any, it counts as another. */
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
