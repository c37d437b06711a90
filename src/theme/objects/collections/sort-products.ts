import type { Catalog } from "../../../catalog/catalog.ts";
import { localize } from "../../../catalog/localize.ts";
import type { FilterFacts } from "./filter-choice.ts";
import { filterFacts } from "./filter-facts.ts";

/** Values of `sort_by` that are honoured, with their English names. */
export const sortKeys: ReadonlyMap<string, string> = new Map([
  ["manual", "Featured"],
  ["best-selling", "Best selling"],
  ["title-ascending", "Alphabetically, A-Z"],
  ["title-descending", "Alphabetically, Z-A"],
  ["price-ascending", "Price, low to high"],
  ["price-descending", "Price, high to low"],
]);

/** Orders kept for one catalogue; the oldest goes. */
const maxKept = 200;

/** Document numbers of products in the order a shopper asked for, titles in a language; equals keep the merchant's order. Collections that are too long
 *  to be filtered keep their own order.
 *  @param key names the list within the catalogue  @param order one of `sortKeys`; anything else changes nothing */
export function sortProducts(
  { catalog, locale }: { readonly catalog: Catalog; readonly locale: string },
  key: string,
  numbers: Uint32Array,
  order: string | null,
): Uint32Array {
  const compare = comparators.get(order ?? "");
  if (compare === undefined) return numbers;
  let kept = orders.get(catalog);
  if (kept === undefined) {
    kept = new Map();
    orders.set(catalog, kept);
  }
  const name = `${order} ${order?.startsWith("title") ? locale : ""} ${key}`;
  let sorted = kept.get(name);
  if (sorted === undefined) {
    const facts = filterFacts(catalog, key, numbers);
    if (facts === undefined) return numbers;
    const isByTitle = order?.startsWith("title") === true;
    const products = Array.from(facts, ([number, known]): Sorted => {
      return { number, facts: known, title: isByTitle ? titleOf(catalog, number, locale) : "" };
    });
    const { compare: inAlphabet } = new Intl.Collator(locale, { numeric: true });
    products.sort((left, right) => compare(left, right, inAlphabet));
    sorted = Uint32Array.from(products, ({ number }) => number);
    const oldest = kept.size < maxKept ? undefined : kept.keys().next().value;
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(name, sorted);
  }
  return sorted;
}

const orders = new WeakMap<Catalog, Map<string, Uint32Array>>();

interface Sorted {
  readonly number: number;
  readonly facts: FilterFacts;
  /** In the render's language; empty where no order asks for it. */
  readonly title: string;
}

function titleOf(catalog: Catalog, number: number, locale: string): string {
  const product = catalog.entry(number);
  return product === undefined ? "" : localize(product, locale).title;
}

type Compare = (left: Sorted, right: Sorted, inAlphabet: (left: string, right: string) => number) => number;

const comparators: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ["best-selling", (left, right) => right.facts.popularity - left.facts.popularity],
  ["title-ascending", (left, right, inAlphabet) => inAlphabet(left.title, right.title)],
  ["title-descending", (left, right, inAlphabet) => inAlphabet(right.title, left.title)],
  ["price-ascending", (left, right) => lowestPrice(left) - lowestPrice(right)],
  ["price-descending", (left, right) => lowestPrice(right) - lowestPrice(left)],
]);

function lowestPrice({ facts }: Sorted): number {
  return facts.prices.reduce((least, price) => Math.min(least, price), Number.POSITIVE_INFINITY);
}
