import type { Database, Statement } from "../database.ts";
import { type CatalogStock, readStockOf, stageStock } from "../stock-store.ts";

/** A product's row on its way into the store, and what was there. */
export interface ReplacedProduct {
  readonly variantIds: readonly string[];
  /** As `formatRow` writes it. */
  readonly json: string;
  /** Absent: it is new. */
  readonly before?: string;
}

/** Quantities that rows set: those that are otherwise than the catalogue said before. Where it said the same, what was sold since stays sold.
 *  @param hasLevels whether stock of any variant has ever moved */
export async function stockToStage(
  database: Database,
  products: readonly ReplacedProduct[],
  hasLevels: boolean,
): Promise<readonly Statement[]> {
  const replaced = products.filter(({ before }) => before !== undefined);
  const set = new Map(replaced.flatMap(({ json, before = "" }) => quantitiesSet(json, before)));
  // Of a new product nobody can sell anything meanwhile: what was left of one with the same variants counts no more.
  const added = hasLevels ? products.filter(({ before }) => before === undefined) : [];
  const levels = new Set(
    (
      await readStockOf(
        database,
        added.flatMap(({ variantIds }) => variantIds),
      )
    ).map(({ variantId }) => variantId),
  );
  for (const { variantIds, json } of added) {
    if (!variantIds.some((id) => levels.has(id))) continue;
    for (const [id, quantity] of quantitiesIn(json)) if (levels.has(id)) set.set(id, quantity);
  }
  return stageStock([...set].map(([variantId, quantity]): CatalogStock => ({ variantId, quantity })));
}

function quantitiesSet(json: string, before: string): (readonly [string, number])[] {
  const said = quantitiesIn(before);
  return [...quantitiesIn(json)].filter(([id, quantity]) => said.get(id) !== quantity);
}

/** Variant -> its `inventory_quantity`, of those whose stock is tracked. */
function quantitiesIn(json: string): ReadonlyMap<string, number> {
  const { variants = [] } = JSON.parse(json) as { readonly variants?: readonly StoredVariant[] };
  return new Map(
    variants.flatMap(({ id, inventory_quantity: quantity }) =>
      quantity === undefined ? [] : [[String(id), quantity] as const],
    ),
  );
}

interface StoredVariant {
  readonly id: string | number;
  readonly inventory_quantity?: number;
}
