import type { ChangeLine } from "../../../catalog/catalog-changes.ts";
import type { VersionedRow } from "../../../catalog/catalog-records.ts";
import type { Product, Variant } from "../../../catalog/product.ts";
import { readRow } from "../../../catalog/rows/parse-row.ts";
import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import type { BatchLine } from "../../bodies/json-lines.ts";
import { changeCatalog } from "../../catalog-batch.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { changeStockLevels } from "../../stock-batch.ts";
import type { ConsoleVisit } from "../console-page.ts";
import { getChangeSource, requireScope } from "../console-session.ts";

/** A stored product, published or not, with its current stock. */
export interface EditableProduct {
  readonly product: Product;
  /** Revision of the product's row. */
  readonly revision: number;
  /** Units on hand by variant id, including reserved units. Contains only variants with tracked stock. */
  readonly quantities: ReadonlyMap<string, number>;
}

/** Changes of a product and its variants. An undefined field leaves the stored value unchanged. */
export interface ProductEdit {
  readonly target: Pick<EditableProduct, "product" | "revision">;
  readonly published?: boolean;
  readonly variants: readonly VariantEdit[];
}

export interface VariantEdit {
  readonly variant: Variant;
  /** Minor units. */
  readonly price?: number;
  /** Minor units; null removes the price. */
  readonly compareAtPrice?: number | null;
  /** `quantity`: new units on hand. `seen`: units on hand that the form showed to the user. */
  readonly stock?: { readonly quantity: number; readonly seen: number };
}

type EditServices = Pick<Shop, "snapshot" | "management" | "process">;

/** Parses stored products and reads their current stock. */
export async function toEditableProducts(
  shop: Pick<Shop, "management">,
  rows: readonly VersionedRow[],
): Promise<readonly EditableProduct[]> {
  const products = rows.map(({ json, revision }) => ({ product: readRow("product", json), revision }));
  const trackedIds = products.flatMap(({ product }) =>
    product.variants.flatMap(({ id, inventoryQuantity }) => (inventoryQuantity === undefined ? [] : [id])),
  );
  const levels = await awaitWithDeadline(shop.management.records.readStock(trackedIds));
  return products.map((entry) => ({
    ...entry,
    quantities: new Map(
      entry.product.variants.flatMap(({ id, inventoryQuantity }) =>
        inventoryQuantity === undefined ? [] : [[id, levels.get(id)?.quantity ?? inventoryQuantity]],
      ),
    ),
  }));
}

/**
 * Applies edits: first all changes of the catalog, then all changes of stock.
 * @throws Problem `insufficient_scope`, `catalog_changed`, `stock_changed`, `catalog_busy`, `validation_failed`
 */
export async function applyEdits(
  shop: EditServices,
  { session, request }: Pick<ConsoleVisit, "session" | "request">,
  edits: readonly ProductEdit[],
): Promise<AppliedEdits> {
  const catalogLines = toCatalogLines(edits);
  const stockLines = toStockLines(edits);
  if (catalogLines.length > 0) requireScope(session, "catalog:write");
  if (stockLines.length > 0) requireScope(session, "stock:write");
  const source = { ...getChangeSource(session), now: request.now };
  if (catalogLines.length > 0) await changeCatalog(shop, catalogLines, source);
  try {
    if (stockLines.length > 0) await changeStockLevels(shop, stockLines, source);
  } catch (error) {
    if (catalogLines.length === 0 || !(error instanceof Problem)) throw error;
    return { productCount: catalogLines.length, stockLevelCount: 0, stockProblem: error };
  }
  return { productCount: catalogLines.length, stockLevelCount: stockLines.length };
}

export interface AppliedEdits {
  /** Number of changed products. */
  readonly productCount: number;
  /** Number of changed stock levels. */
  readonly stockLevelCount: number;
  /** The error that prevented all stock changes. The changes of products were saved nevertheless. */
  readonly stockProblem?: Problem;
}

function toCatalogLines(edits: readonly ProductEdit[]): readonly ChangeLine[] {
  return edits.flatMap(({ target: { product, revision }, published, variants }, index): readonly ChangeLine[] => {
    const priceChanges = variants.flatMap(({ variant: { id }, price, compareAtPrice }) =>
      price === undefined && compareAtPrice === undefined
        ? []
        : [
            {
              id,
              ...(price === undefined ? {} : { price }),
              ...(compareAtPrice === undefined ? {} : { compare_at_price: compareAtPrice }),
            },
          ],
    );
    if (published === undefined && priceChanges.length === 0) return [];
    const patch = {
      ...{ kind: "product", id: product.id },
      ...(published === undefined ? {} : { published }),
      ...(priceChanges.length === 0 ? {} : { variants: priceChanges }),
    };
    return [{ line: index + 1, value: { patch }, revisions: [revision] }];
  });
}

function toStockLines(edits: readonly ProductEdit[]): readonly BatchLine[] {
  return edits
    .flatMap(({ variants }) => variants)
    .flatMap(({ variant: { id }, stock }, index) =>
      stock === undefined
        ? []
        : [{ line: index + 1, value: { variant_id: id, quantity: stock.quantity, compare_quantity: stock.seen } }],
    );
}
