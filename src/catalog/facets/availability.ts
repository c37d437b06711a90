import { memoizePerObject } from "../../runtime/cache.ts";
import type { LiveStock, StockMark } from "../live/live-stock.ts";
import type { PackedRows } from "../packed/rows.ts";
import type { Product } from "../product.ts";
import { isAvailable } from "../stock.ts";
import { addPlace, type Bitmap, emptySet } from "./bitmap.ts";
import type { FacetRows } from "./facet-rows.ts";

/** Availability of products and variants: 1 if available, 0 if sold out. */
export interface Availability {
  /** Availability by position of the product. */
  readonly products: Uint8Array;
  /** Returns the bitmap of the positions of available products. The bitmap is computed at the first call. */
  readonly inStock: () => Bitmap;
  /** Availability of variants, indexed as `FacetRows.prices`. */
  readonly variants: Uint8Array;
}

/**
 * Returns the current availability: the imported availability, updated with the rows whose stock changed. Results are
 * cached with the rows, and only later changes are computed.
 * @param read reads a product with its current stock
 */
export function availabilityNow(
  rows: PackedRows,
  facets: FacetRows,
  stock: LiveStock,
  read: (place: number) => Product | undefined,
): Availability {
  const epoch = stock.epoch();
  if (epoch === 0) return catalogAvailability(facets);
  const last = lastAvailability(facets);
  const known = last.value;
  if (known?.epoch === epoch && known.stock === stock) return known;
  const { products, variants, marks } =
    known?.stock === stock
      ? known
      : {
          products: facets.availableProducts.slice(),
          variants: facets.availableVariants.slice(),
          marks: new Map<number, StockMark>(),
        };
  const now: LiveAvailability = { stock, epoch, products, variants, marks, inStock: setOnDemand(products) };
  last.value = now;
  eachBit(stock.moved(rows.keys, rows.kinds.length), (place) => {
    const mark = marks.get(place);
    if (mark !== undefined && stock.holds(mark)) return;
    const product = read(place);
    if (product === undefined) return;
    marks.set(place, stock.markOf(product));
    const first = facets.variantStarts[place] as number;
    product.variants.forEach((variant, index) => {
      variants[first + index] = isAvailable(variant) ? 1 : 0;
    });
    products[place] = product.variants.some(isAvailable) ? 1 : 0;
  });
  return now;
}

/** Returns the availability according to the imported quantities. */
export const catalogAvailability = memoizePerObject((facets: FacetRows): Availability => {
  const { availableProducts: products, availableVariants: variants } = facets;
  return { products, variants, inStock: setOnDemand(products) };
});

function setOnDemand(products: Uint8Array): () => Bitmap {
  let set: Bitmap | undefined;
  return () => {
    set ??= setOf(products);
    return set;
  };
}

function setOf(products: Uint8Array): Bitmap {
  const set = emptySet(products.length);
  for (let place = 0; place < products.length; place += 1) if (products[place] === 1) addPlace(set, place);
  return set;
}

interface LiveAvailability extends Availability {
  readonly stock: LiveStock;
  readonly epoch: number;
  /** Stock versions by position, for the rows that were read. */
  readonly marks: Map<number, StockMark>;
}

/** Last computed availability of each set of rows; updated with later changes. */
const lastAvailability = memoizePerObject((_: FacetRows): { value?: LiveAvailability } => ({}));

function eachBit(bits: Uint8Array, take: (index: number) => void): void {
  for (let byte = 0; byte < bits.length; byte += 1)
    for (let left = bits[byte] as number; left !== 0; left &= left - 1) take(byte * 8 + 31 - Math.clz32(left & -left));
}
