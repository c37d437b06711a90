import { perObject } from "../../runtime/cache.ts";
import { lookUpHashes, type PackedKeys } from "../packed/keys.ts";
import type { Product, Variant } from "../product.ts";
import type { StockLevel } from "../stock.ts";
import { createStockReads, type StockReads, type StockWatch } from "./stock-reads.ts";
import type { StockTable } from "./stock-table.ts";

/** How the stock of a product was when something was made of it. */
export interface StockMark {
  /** Of the counters of its variants. */
  readonly places: Int32Array;
  readonly version: number;
}

/** What is left of variants now, laid over the catalogue's quantities, in one thread. */
export interface LiveStock {
  /** The product with what is left of its variants: the same object for as long as that is the same. */
  shown(product: Product): Product;
  /** Of a product that `shown` gave. */
  markOf(product: Product): StockMark;
  /** Whether what was made of a product would still be made the same. */
  holds(mark: StockMark): boolean;
  /** Whether rows may have variants whose stock moved, by place: bit of the place; found by the keys of the rows. */
  moved(keys: PackedKeys, rows: number): Uint8Array;
  /** Units of a variant that can be sold; undefined where the catalogue's quantity counts. */
  left(variantId: string): number | undefined;
  /** Another number after each change. */
  epoch(): number;
  /** Takes what changes made of stock, for all threads of this process at once. */
  take(changes: readonly StockLevel[]): void;
  /** Notes that what is made now depends on the stock of more products than are worth counting. */
  noteAll(): void;
  /** The reads of products from now on, as what is made of them depends on them. @returns tells what was read by then */
  watch(): () => StockWatch;
}

export function createLiveStock(levels: StockTable): LiveStock {
  const reads: StockReads = createStockReads(levels);
  /** Of products that were shown. */
  const overlaid = new WeakMap<Product, Overlay>();
  const movedRows = perObject((_: PackedKeys, rows: number) => ({
    bits: new Uint8Array(Math.ceil(rows / 8)),
    seen: 0,
  }));
  const overlayOf = perObject((product: Product): Overlay => {
    const tracked = product.variants.filter(isTracked).map(({ id }) => id);
    const overlay = { places: levels.countersOf(tracked), version: 0, shown: product };
    overlaid.set(product, overlay);
    return overlay;
  });
  return {
    shown(product) {
      const overlay = overlayOf(product);
      // Before the levels: a change in between is met at the next look.
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
      // Of one that is shown no more nothing is known.
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
        lookUpHashes(keys, slot, print, (place) => {
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

/** Where nothing sells: the catalogue's quantities. */
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

/** @param before the product as it was shown until now: what is the same stays the same object */
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
