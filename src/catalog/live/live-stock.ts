import { memoizePerObject } from "../../runtime/cache.ts";
import { findHashes, type PackedKeys } from "../packed/keys.ts";
import type { Product, Variant } from "../product.ts";
import type { StockLevel } from "../stock.ts";
import { createStockReads, type StockReads, type StockWatch } from "./stock-reads.ts";
import type { StockTable } from "./stock-table.ts";

/** Version of a product's stock. Data derived from the product is stored with this version. */
export interface StockMark {
  /** Indices of the version counters of the product's variants. */
  readonly places: Int32Array;
  readonly version: number;
}

/** Current stock of variants, as seen by one thread. It replaces the imported quantities. */
export interface LiveStock {
  /** Returns the product with its current stock. The result is the same object until the stock changes. */
  shown(product: Product): Product;
  /** Returns the stock version of a product that `shown` returned. */
  markOf(product: Product): StockMark;
  /** Returns whether a stock version is still current. */
  holds(mark: StockMark): boolean;
  /**
   * Returns a bitmap of the row positions whose variants may have changed stock, found by hashes of the variant ids.
   */
  moved(keys: PackedKeys, rows: number): Uint8Array;
  /** Returns the units of a variant that can be sold; undefined if the imported quantity applies. */
  left(variantId: string): number | undefined;
  /** Returns a number that changes with every change of stock. */
  epoch(): number;
  /** Applies changed stock levels for all threads of this process. */
  take(changes: readonly StockLevel[]): void;
  /** Records that too many products were read to list them. */
  noteAll(): void;
  /**
   * Starts recording the products that are read, for cached data that depends on them.
   * @returns a function that returns the products read since then
   */
  watch(): () => StockWatch;
}

export function createLiveStock(levels: StockTable): LiveStock {
  const reads: StockReads = createStockReads(levels);
  /** Overlays by the products that `shown` returned. */
  const overlaid = new WeakMap<Product, Overlay>();
  const movedRows = memoizePerObject((_: PackedKeys, rows: number) => ({
    bits: new Uint8Array(Math.ceil(rows / 8)),
    seen: 0,
  }));
  const overlayOf = memoizePerObject((product: Product): Overlay => {
    const tracked = product.variants.filter(isTracked).map(({ id }) => id);
    const overlay = { places: levels.countersOf(tracked), version: 0, shown: product };
    overlaid.set(product, overlay);
    return overlay;
  });
  return {
    shown(product) {
      const overlay = overlayOf(product);
      // Read the version before the stock levels, so that the next call detects a change in between.
      const version = levels.version(overlay.places);
      if (version !== overlay.version) {
        const shown = layOver(product, overlay.shown, levels);
        overlay.version = version;
        overlay.shown = shown;
        overlaid.set(shown, overlay);
      }
      reads.note(overlay.places, overlay.version);
      return overlay.shown;
    },
    markOf(product) {
      const overlay = overlaid.get(product);
      // An outdated product gets a version that never matches.
      if (overlay?.shown !== product) return { places: overlay?.places ?? new Int32Array(0), version: Number.NaN };
      return { places: overlay.places, version: overlay.version };
    },
    holds({ places, version }) {
      reads.note(places, version);
      return levels.version(places) === version;
    },
    moved(keys, rows) {
      const known = movedRows(keys, rows);
      const { bits } = known;
      if (levels.count() === known.seen) return bits;
      const fresh = levels.keysFrom(known.seen);
      for (const { slot, print } of fresh)
        findHashes(keys, slot, print, (place) => {
          bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
          return undefined;
        });
      known.seen += fresh.length;
      return bits;
    },
    left: levels.left,
    epoch: levels.epoch,
    take(changes) {
      for (const { variantId, quantity, held, changed } of changes) levels.write(variantId, quantity - held, changed);
    },
    noteAll: reads.noteAll,
    watch: reads.watch,
  };
}

/** Stock for a process without sales: always the imported quantities. */
export const staticStock: LiveStock = {
  shown: (product) => product,
  markOf: () => unmoved,
  holds: () => true,
  moved: () => new Uint8Array(0),
  left: () => undefined,
  epoch: () => 0,
  take() {},
  noteAll() {},
  watch: () => () => ({ isCurrent: () => true }),
};

const unmoved: StockMark = { places: new Int32Array(0), version: 0 };

interface Overlay {
  readonly places: Int32Array;
  version: number;
  shown: Product;
}

function isTracked({ inventoryQuantity }: Variant): boolean {
  return inventoryQuantity !== undefined;
}

/**
 * Returns the product with its current stock.
 * @param before previous result for this product, whose unchanged parts are reused
 */
function layOver(product: Product, before: Product, levels: StockTable): Product {
  const variants = product.variants.map((variant, index) => {
    const left = isTracked(variant) ? levels.left(variant.id) : undefined;
    const inventoryQuantity = left ?? variant.inventoryQuantity;
    return (
      [before.variants[index], variant].find((one) => one?.inventoryQuantity === inventoryQuantity) ??
      (inventoryQuantity === undefined ? variant : { ...variant, inventoryQuantity })
    );
  });
  return variants.every((variant, index) => variant === before.variants[index]) ? before : { ...product, variants };
}
