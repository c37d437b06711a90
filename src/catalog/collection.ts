import { getOrCreate } from "../runtime/cache.ts";
import type { EntryFields, Image, Product } from "./product.ts";

/**
 * Conditions for membership in a collection. All conditions that are set must match; without any, no product matches.
 */
export interface CollectionRules {
  readonly vendor?: string;
  readonly productType?: string;
  readonly tag?: string;
}

export interface Collection extends EntryFields {
  readonly kind: "collection";
  readonly description: string;
  readonly image?: Image;
  /** Handles of products in the merchant's order; used only if the collection has no `rules`. */
  readonly products: readonly string[];
  readonly rules?: CollectionRules;
  /** Marks a collection that was derived from the catalog of a shop without collections. */
  readonly isDerived?: true;
}

/** Product fields that collection rules test. */
export type CollectionRuleInput = Pick<Product, "vendor" | "productType" | "tags">;

/** Returns whether a product meets all conditions that are set, ignoring case; false if no condition is set. */
export function matchesRules(rules: CollectionRules, product: CollectionRuleInput): boolean {
  const { vendor, productType, tag } = rules;
  if (vendor === undefined && productType === undefined && tag === undefined) return false;
  if (vendor !== undefined && foldCase(vendor) !== foldCase(product.vendor)) return false;
  if (productType !== undefined && foldCase(productType) !== foldCase(product.productType)) return false;
  return tag === undefined || product.tags.some((productTag) => foldCase(productTag) === foldCase(tag));
}

/**
 * Returns a function that finds the collections whose rules match a product, without testing each collection.
 * @returns indices of `collections`, ascending
 */
export function createRuleMatcher(
  collections: readonly (Collection | undefined)[],
): (product: CollectionRuleInput) => readonly number[] {
  const indicesByText = new Map<string, number[]>();
  for (const [index, collection] of collections.entries()) {
    const rules = collection?.rules;
    if (rules === undefined) continue;
    const key = getLookupKey(rules);
    if (key === undefined) continue;
    getOrCreate(indicesByText, key, () => []).push(index);
  }
  // Fast path: the matcher runs for every product, and most shops have few rules or none.
  if (indicesByText.size === 0) return () => emptyNumbers;
  const hasTags = indicesByText.keys().some((key) => key.startsWith("tag "));
  return (product) => {
    const keys = [`vendor ${foldCase(product.vendor)}`, `type ${foldCase(product.productType)}`];
    if (hasTags) keys.push(...new Set(product.tags.map((tag) => `tag ${foldCase(tag)}`)));
    const matches: number[] = [];
    for (const key of keys) {
      for (const index of indicesByText.get(key) ?? []) {
        const rules = collections[index]?.rules;
        if (rules !== undefined && matchesRules(rules, product)) matches.push(index);
      }
    }
    return matches.sort((a, b) => a - b);
  };
}

const emptyNumbers: readonly number[] = [];

/**
 * Returns one condition of a collection as a lookup key. One condition is enough to find candidates, because a product
 * must meet all conditions.
 */
function getLookupKey({ vendor, productType, tag }: CollectionRules): string | undefined {
  if (productType !== undefined) return `type ${foldCase(productType)}`;
  if (vendor !== undefined) return `vendor ${foldCase(vendor)}`;
  return tag === undefined ? undefined : `tag ${foldCase(tag)}`;
}

function foldCase(text: string): string {
  return text.trim().toLowerCase();
}
