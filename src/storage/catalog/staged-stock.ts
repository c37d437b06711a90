import type { Statement } from "../database.ts";
import { type CatalogStock, stageStock } from "../stock-store.ts";

/** A product's row on its way into the store, and the row that it replaces. */
export interface ReplacedProduct {
  /** As `formatRow` writes it. */
  readonly json: string;
  readonly before: string;
}

/** Sets the quantities that a row states and that differ from those of the row before. An unchanged quantity leaves the counted stock as it
 *  is. So does a variant that comes back after its removal: what was sold before stays sold. */
export function stockToStage(products: readonly ReplacedProduct[]): readonly Statement[] {
  const set = new Map(products.flatMap(({ json, before }) => quantitiesSet(json, before)));
  return stageStock([...set].map(([variantId, quantity]): CatalogStock => ({ variantId, quantity })));
}

function quantitiesSet(json: string, before: string): (readonly [string, number])[] {
  const stated = quantitiesIn(before);
  return [...quantitiesIn(json)].flatMap(([id, quantity]) =>
    quantity !== undefined && stated.has(id) && stated.get(id) !== quantity ? [[id, quantity] as const] : [],
  );
}

/** Variant -> its `inventory_quantity`; undefined if its stock is not tracked. */
export function quantitiesIn(json: string): ReadonlyMap<string, number | undefined> {
  const { variants = [] } = JSON.parse(json) as { readonly variants?: readonly StoredVariant[] };
  return new Map(variants.map(({ id, inventory_quantity: quantity }) => [String(id), quantity]));
}

interface StoredVariant {
  readonly id: string | number;
  readonly inventory_quantity?: number;
}
