import type { StockCount } from "./formats/shopify/inventory.ts";
import { isObject, type Json } from "./patch-rows.ts";
import type { RowPosition } from "./row-errors.ts";

/** Position of a quantity in its file. */
export interface CountPlace extends RowPosition {
  readonly file: string;
}

/** Quantities from inventory files, which are inserted into their products. */
export interface StockCounts {
  /** Adds a row. The quantities of a variant at several locations are summed. */
  add(count: StockCount, place: CountPlace): void;
  /** Inserts quantities into a product. Returns any other value unchanged. */
  fill(value: unknown): unknown;
  /** Returns the handles of products that were not read, each with its rows. */
  left(): ReadonlyMap<string, readonly CountPlace[]>;
  /** Returns the rows that match no variant of their product. */
  strangers(): readonly (CountPlace & { readonly handle: string })[];
}

interface Count {
  readonly options: readonly string[];
  readonly sku: string;
  readonly places: CountPlace[];
  quantity: number | undefined;
  isUsed: boolean;
}

export function createStockCounts(): StockCounts {
  const byHandle = new Map<string, Count[]>();
  const filled = new Set<string>();
  return {
    add({ handle, options, sku, quantity }, place) {
      const counts = byHandle.get(handle) ?? [];
      byHandle.set(handle, counts);
      const known = counts.find((one) => one.sku === sku && one.options.join("\n") === options.join("\n"));
      if (known === undefined) counts.push({ options, sku, places: [place], quantity, isUsed: false });
      else {
        known.places.push(place);
        if (quantity !== undefined) known.quantity = (known.quantity ?? 0) + quantity;
      }
    },
    fill(value) {
      if (!isObject(value) || typeof value.handle !== "string" || !Array.isArray(value.variants)) return value;
      const counts = byHandle.get(value.handle);
      if (counts === undefined) return value;
      filled.add(value.handle);
      const variants = value.variants.map((variant) => {
        const count = isObject(variant) ? countOf(variant, counts, value.variants as readonly unknown[]) : undefined;
        if (count === undefined) return variant;
        count.isUsed = true;
        return count.quantity === undefined ? variant : { ...variant, inventory_quantity: count.quantity };
      });
      return { ...value, variants };
    },
    left: () =>
      new Map(
        [...byHandle].flatMap(([handle, counts]) =>
          filled.has(handle) ? [] : [[handle, counts.flatMap(({ places }) => places)] as const],
        ),
      ),
    strangers: () =>
      [...byHandle].flatMap(([handle, counts]) =>
        filled.has(handle)
          ? counts.flatMap(({ isUsed, places }) => (isUsed ? [] : places.map((place) => ({ ...place, handle }))))
          : [],
      ),
  };
}

/** Matches a variant by options, then by SKU. If a product has one variant and one row, they always match. */
function countOf(variant: Json, counts: readonly Count[], variants: readonly unknown[]): Count | undefined {
  const options = Array.isArray(variant.options)
    ? variant.options
    : [variant.option1, variant.option2, variant.option3].filter((value) => typeof value === "string" && value !== "");
  const found = counts.find((count) => count.options.join("\n") === options.join("\n"));
  if (found !== undefined) return found;
  const named = counts.filter(({ sku }) => sku !== "" && sku === variant.sku);
  return named.length === 1 ? named[0] : counts.length === 1 && variants.length === 1 ? counts[0] : undefined;
}
