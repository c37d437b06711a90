import type { Catalog } from "../../../catalog/catalog.ts";
import { localize } from "../../../catalog/localize.ts";
import type { Product } from "../../../catalog/product.ts";

/** Values of `sort_by` that are honoured, with their English names. */
export const sortKeys: ReadonlyMap<string, string> = new Map([
  ["manual", "Featured"],
  ["best-selling", "Best selling"],
  ["title-ascending", "Alphabetically, A-Z"],
  ["title-descending", "Alphabetically, Z-A"],
  ["price-ascending", "Price, low to high"],
  ["price-descending", "Price, high to low"],
]);

/** Longer collections keep their own order: every product would have to be read before the first is shown. */
const maxSorted = 5_000;
/** Orders kept for one catalogue; the oldest goes. */
const maxKept = 200;

/** Document numbers of products in the order a shopper asked for, titles in a language; equals keep the merchant's order.
 *  @param key names the list within the catalogue  @param order one of `sortKeys`; anything else changes nothing */
export function sortProducts(
  { catalog, locale }: { readonly catalog: Catalog; readonly locale: string },
  key: string,
  numbers: Uint32Array,
  order: string | null,
): Uint32Array {
  const compare = comparators.get(order ?? "");
  if (compare === undefined || numbers.length > maxSorted) return numbers;
  let kept = orders.get(catalog);
  if (kept === undefined) {
    kept = new Map();
    orders.set(catalog, kept);
  }
  const name = `${order} ${order?.startsWith("title") ? locale : ""} ${key}`;
  let sorted = kept.get(name);
  if (sorted === undefined) {
    const { compare: inAlphabet } = new Intl.Collator(locale, { numeric: true });
    const products: Sorted[] = [];
    for (const number of numbers) {
      const product = catalog.entry(number);
      if (product?.kind === "product") products.push({ number, product, title: localize(product, locale).title });
    }
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
  readonly product: Product;
  /** In the render's language. */
  readonly title: string;
}

type Compare = (left: Sorted, right: Sorted, inAlphabet: (left: string, right: string) => number) => number;

const comparators: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ["best-selling", (left, right) => right.product.popularity - left.product.popularity],
  ["title-ascending", (left, right, inAlphabet) => inAlphabet(left.title, right.title)],
  ["title-descending", (left, right, inAlphabet) => inAlphabet(right.title, left.title)],
  ["price-ascending", (left, right) => lowestPrice(left) - lowestPrice(right)],
  ["price-descending", (left, right) => lowestPrice(right) - lowestPrice(left)],
]);

function lowestPrice({ product }: Sorted): number {
  return product.variants.reduce((least, variant) => Math.min(least, variant.price), Number.POSITIVE_INFINITY);
}
