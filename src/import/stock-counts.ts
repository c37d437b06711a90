import { isObject } from "../runtime/is-object.ts";
import type { StockCount } from "./formats/shopify/inventory.ts";
import type { Json } from "./patch-rows.ts";
import type { FileRowPosition } from "./row-errors.ts";

/** Quantities from inventory files, which are inserted into their products. */
export interface ImportedQuantities {
  /** Adds a row. The quantities of a variant at several locations are summed. */
  add(count: StockCount, position: FileRowPosition): void;
  /** Inserts quantities into the variants of a product. Returns values that are not products unchanged. */
  insertQuantities(value: unknown): unknown;
  /** Returns the positions of quantities whose product is not in the imported files, by product handle. */
  listMissingProducts(): ReadonlyMap<string, readonly FileRowPosition[]>;
  /** Returns the rows that match no variant of their product. */
  getUnmatchedRows(): readonly (FileRowPosition & { readonly handle: string })[];
}

interface VariantCount {
  readonly options: readonly string[];
  readonly sku: string;
  readonly positions: FileRowPosition[];
  quantity: number | undefined;
  isUsed: boolean;
}

export function createStockCounts(): ImportedQuantities {
  const countsByHandle = new Map<string, VariantCount[]>();
  const usedHandles = new Set<string>();
  return {
    add({ handle, options, sku, quantity }, position) {
      const counts = countsByHandle.get(handle) ?? [];
      countsByHandle.set(handle, counts);
      const existingCount = counts.find(
        (entry) => entry.sku === sku && entry.options.join("\n") === options.join("\n"),
      );
      if (existingCount === undefined) counts.push({ options, sku, positions: [position], quantity, isUsed: false });
      else {
        existingCount.positions.push(position);
        if (quantity !== undefined) existingCount.quantity = (existingCount.quantity ?? 0) + quantity;
      }
    },
    insertQuantities(value) {
      if (!isObject(value) || typeof value.handle !== "string" || !Array.isArray(value.variants)) return value;
      const counts = countsByHandle.get(value.handle);
      if (counts === undefined) return value;
      usedHandles.add(value.handle);
      const variants = value.variants.map((variant) => {
        const count = isObject(variant) ? readCount(variant, counts, value.variants as readonly unknown[]) : undefined;
        if (count === undefined) return variant;
        count.isUsed = true;
        return count.quantity === undefined ? variant : { ...variant, inventory_quantity: count.quantity };
      });
      return { ...value, variants };
    },
    listMissingProducts: () =>
      new Map(
        [...countsByHandle].flatMap(([handle, counts]) =>
          usedHandles.has(handle) ? [] : [[handle, counts.flatMap(({ positions }) => positions)] as const],
        ),
      ),
    getUnmatchedRows: () =>
      [...countsByHandle].flatMap(([handle, counts]) =>
        usedHandles.has(handle)
          ? counts.flatMap(({ isUsed, positions }) =>
              isUsed ? [] : positions.map((position) => ({ ...position, handle })),
            )
          : [],
      ),
  };
}

/** Matches a variant by options, then by SKU. If a product has one variant and one row, they always match. */
function readCount(
  variant: Json,
  counts: readonly VariantCount[],
  variants: readonly unknown[],
): VariantCount | undefined {
  const options = Array.isArray(variant.options)
    ? variant.options
    : [variant.option1, variant.option2, variant.option3].filter((value) => typeof value === "string" && value !== "");
  const optionMatch = counts.find((count) => count.options.join("\n") === options.join("\n"));
  if (optionMatch !== undefined) return optionMatch;
  const matchesBySku = counts.filter(({ sku }) => sku !== "" && sku === variant.sku);
  return matchesBySku.length === 1
    ? matchesBySku[0]
    : counts.length === 1 && variants.length === 1
      ? counts[0]
      : undefined;
}
