import { memoizePerObject } from "../../runtime/cache.ts";
import type { LiveStock, StockVersion } from "../live/live-stock.ts";
import type { PackedRows } from "../packed/rows.ts";
import type { Product } from "../product.ts";
import { isAvailable } from "../stock.ts";
import { type Bitmap, createBitmap, forEachBit, setBit } from "./bitmap.ts";
import type { FacetRows } from "./facet-rows.ts";

/** Availability of products and variants: 1 if available, 0 if sold out. */
export interface Availability {
  /** Availability of each product. The index is the position of the product's row in the catalog. */
  readonly products: Uint8Array;
  /**
   * Returns a bitmap of the available products: bit n is set if the product in row n is available. The bitmap is
   * computed at the first call.
   */
  readonly inStockBitmap: () => Bitmap;
  /** Availability of each variant, in the same order as `FacetRows.prices`. */
  readonly variants: Uint8Array;
}

/**
 * Returns the current availability of products: the imported availability, updated for products whose stock changed.
 * The result is cached, and a later call processes only newer stock changes.
 * @param readProduct reads a product with its current stock
 */
export function readAvailability(
  rows: PackedRows,
  facets: FacetRows,
  stock: LiveStock,
  readProduct: (position: number) => Product | undefined,
): Availability {
  const epoch = stock.epoch();
  if (epoch === 0) return catalogAvailability(facets);
  const lastResult = getAvailabilityCache(facets);
  const previousAvailability = lastResult.value;
  if (previousAvailability?.epoch === epoch && previousAvailability.stock === stock) return previousAvailability;
  const { products, variants, versions } =
    previousAvailability?.stock === stock
      ? previousAvailability
      : {
          products: facets.availableProducts.slice(),
          variants: facets.availableVariants.slice(),
          versions: new Map<number, StockVersion>(),
        };
  const liveAvailability: LiveAvailability = {
    stock,
    epoch,
    products,
    variants,
    versions,
    inStockBitmap: createLazyBitmap(products),
  };
  lastResult.value = liveAvailability;
  forEachBit(stock.findChangedRows(rows.keys, rows.kinds.length), (position) => {
    const version = versions.get(position);
    if (version !== undefined && stock.isCurrent(version)) return;
    const product = readProduct(position);
    if (product === undefined) return;
    versions.set(position, stock.versionOf(product));
    const variantStart = facets.variantStarts[position] as number;
    product.variants.forEach((variant, index) => {
      variants[variantStart + index] = isAvailable(variant) ? 1 : 0;
    });
    products[position] = product.variants.some(isAvailable) ? 1 : 0;
  });
  return liveAvailability;
}

/** Returns the availability according to the imported quantities. */
export const catalogAvailability = memoizePerObject((facets: FacetRows): Availability => {
  const { availableProducts: products, availableVariants: variants } = facets;
  return { products, variants, inStockBitmap: createLazyBitmap(products) };
});

function createLazyBitmap(products: Uint8Array): () => Bitmap {
  let bitmap: Bitmap | undefined;
  return () => {
    bitmap ??= packBitmap(products);
    return bitmap;
  };
}

function packBitmap(products: Uint8Array): Bitmap {
  const bitmap = createBitmap(products.length);
  for (let position = 0; position < products.length; position += 1)
    if (products[position] === 1) setBit(bitmap, position);
  return bitmap;
}

interface LiveAvailability extends Availability {
  readonly stock: LiveStock;
  readonly epoch: number;
  /** Stock version from which the availability of each updated product was computed, by position of its row. */
  readonly versions: Map<number, StockVersion>;
}

/** Cache of the last result of `readAvailability` for each part of the catalog: a full build, or later changes. */
const getAvailabilityCache = memoizePerObject((_: FacetRows): { value?: LiveAvailability } => ({}));
