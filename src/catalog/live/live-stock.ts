import { memoizePerObject } from "../../runtime/cache.ts";
import { type Bitmap, createBitmap, hasBit, setBit } from "../facets/bitmap.ts";
import { findKeyByHashes, type RowKeyTable } from "../packed/keys.ts";
import type { Product, Variant } from "../product.ts";
import type { StockLevel } from "../stock.ts";
import { createStockReadLog, type StockReadLog } from "./stock-reads.ts";
import type { StockTable } from "./stock-table.ts";

/**
 * Version of a product's stock. Cached data about the product is stored with this version, and is outdated when the
 * version changes.
 */
export interface StockVersion {
  /** Indices of the variants' change counters in the stock table (see `StockTable.findCounters`). */
  readonly counterIndices: Int32Array;
  readonly version: number;
}

/** Current stock of variants, as seen by one thread. It replaces the imported quantities. */
export interface LiveStock extends Pick<StockReadLog, "recordFullRead" | "watch"> {
  /** Returns the product with its current stock. The result is the same object until the stock changes. */
  applyCurrentStock(product: Product): Product;
  /** Returns the stock version of a product that `applyCurrentStock` returned. */
  versionOf(product: Product): StockVersion;
  /** Returns whether a stock version is still current. */
  isCurrent(stockVersion: StockVersion): boolean;
  /**
   * Returns the positions of the rows whose stock may have changed. Hash collisions of variant ids can add unchanged
   * rows.
   */
  findChangedRows(keys: RowKeyTable, rows: number): Bitmap;
  /** Returns the units of a variant that can be sold; undefined if the imported quantity applies. */
  remainingUnits(variantId: string): number | undefined;
  /** Returns a number that changes with every change of stock. */
  epoch(): number;
  /** Applies changed stock levels for all threads of this process. */
  applyChanges(changes: readonly StockLevel[]): void;
}

export function createCurrentStock(levels: StockTable): LiveStock {
  const stockReadLog: StockReadLog = createStockReadLog(levels);
  /** Stock data of the products that `applyCurrentStock` returned. */
  const overlays = new WeakMap<Product, ProductStockState>();
  const changedRowsCache = memoizePerObject((_: RowKeyTable, rows: number) => ({
    bitmap: createBitmap(rows),
    keyCount: 0,
  }));
  const getStockOverlay = memoizePerObject((product: Product): ProductStockState => {
    const trackedIds = product.variants.filter(tracksStock).map(({ id }) => id);
    const overlay = { counterIndices: levels.findCounters(trackedIds), version: 0, currentProduct: product };
    overlays.set(product, overlay);
    return overlay;
  });
  return {
    applyCurrentStock(product) {
      const overlay = getStockOverlay(product);
      // Read the version before the stock levels, so that the next call detects a change in between.
      const version = levels.versionOf(overlay.counterIndices);
      if (version !== overlay.version) {
        const currentProduct = applyStockLevels(product, levels.remainingUnits, overlay.currentProduct);
        overlay.version = version;
        overlay.currentProduct = currentProduct;
        overlays.set(currentProduct, overlay);
      }
      stockReadLog.record(overlay.counterIndices, overlay.version);
      return overlay.currentProduct;
    },
    versionOf(product) {
      const overlay = overlays.get(product);
      // NaN never equals a version, so that data about an outdated product is never used.
      if (overlay?.currentProduct !== product)
        return { counterIndices: overlay?.counterIndices ?? new Int32Array(0), version: Number.NaN };
      return { counterIndices: overlay.counterIndices, version: overlay.version };
    },
    isCurrent({ counterIndices, version }) {
      stockReadLog.record(counterIndices, version);
      return levels.versionOf(counterIndices) === version;
    },
    findChangedRows(keys, rows) {
      const cachedRows = changedRowsCache(keys, rows);
      const { bitmap } = cachedRows;
      if (levels.count() === cachedRows.keyCount) return bitmap;
      const newKeys = levels.readKeysFrom(cachedRows.keyCount);
      for (const { slot, fingerprint } of newKeys)
        findKeyByHashes(keys, slot, fingerprint, (position) => {
          setBit(bitmap, position);
          return undefined;
        });
      cachedRows.keyCount += newKeys.length;
      return bitmap;
    },
    remainingUnits: levels.remainingUnits,
    epoch: levels.epoch,
    applyChanges(changes) {
      for (const { variantId, quantity, reserved, changeNumber } of changes)
        levels.write(variantId, quantity - reserved, changeNumber);
    },
    recordFullRead: stockReadLog.recordFullRead,
    watch: stockReadLog.watch,
  };
}

/** Returns whether the stock of a row may differ from the imported quantities (see `LiveStock.findChangedRows`). */
export function mayHaveChangedStock(
  stock: Pick<LiveStock, "findChangedRows">,
  { keys, kinds }: { readonly keys: RowKeyTable; readonly kinds: { readonly length: number } },
  position: number,
): boolean {
  return hasBit(stock.findChangedRows(keys, kinds.length), position);
}

/** Stock for a process without sales: always the imported quantities. */
export const staticStock: LiveStock = {
  applyCurrentStock: (product) => product,
  versionOf: () => unchangedStock,
  isCurrent: () => true,
  findChangedRows: () => createBitmap(0),
  remainingUnits: () => undefined,
  epoch: () => 0,
  applyChanges() {},
  recordFullRead() {},
  watch: () => () => ({ isCurrent: () => true }),
};

const unchangedStock: StockVersion = { counterIndices: new Int32Array(0), version: 0 };

interface ProductStockState {
  readonly counterIndices: Int32Array;
  version: number;
  currentProduct: Product;
}

function tracksStock({ inventoryQuantity }: Variant): boolean {
  return inventoryQuantity !== undefined;
}

/**
 * Returns the product with its current stock.
 * @param getRemainingUnits returns the units of a variant that can be sold; undefined if the imported quantity applies
 * @param previousProduct previous result for this product, whose unchanged parts are reused
 */
export function applyStockLevels(
  product: Product,
  getRemainingUnits: (variantId: string) => number | undefined,
  previousProduct = product,
): Product {
  const variants = product.variants.map((variant, index) => {
    const remainingUnits = tracksStock(variant) ? getRemainingUnits(variant.id) : undefined;
    const inventoryQuantity = remainingUnits ?? variant.inventoryQuantity;
    return (
      [previousProduct.variants[index], variant].find(
        (candidate) => candidate?.inventoryQuantity === inventoryQuantity,
      ) ?? (inventoryQuantity === undefined ? variant : { ...variant, inventoryQuantity })
    );
  });
  return variants.every((variant, index) => variant === previousProduct.variants[index])
    ? previousProduct
    : { ...product, variants };
}
