import type { Image, Product, Seo, Translations } from "./product.ts";

/** Every rule that is present must hold; none present: no product. */
export interface CollectionRules {
  readonly vendor?: string;
  readonly productType?: string;
  readonly tag?: string;
}

export interface Collection {
  readonly kind: "collection";
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  readonly description: string;
  readonly image?: Image;
  /** Handles, in the merchant's order; used where there are no `rules`. */
  readonly products: readonly string[];
  readonly rules?: CollectionRules;
  readonly published: boolean;
  /** The catalogue's own suggestion, in a shop that made none: what it holds is alike in its type or its vendor alone, or in nothing. */
  readonly isDerived?: true;
  readonly seo?: Seo;
  /** Which alternate template of the theme its page has: "wide" for `collection.wide`. */
  readonly templateSuffix?: string;
  readonly translations: Translations;
}

/** What rules look at. */
export type RuledProduct = Pick<Product, "vendor" | "productType" | "tags">;

/** True where every rule that is present holds; case does not count; without a rule nothing matches. */
export function matchesRules(rules: CollectionRules, product: RuledProduct): boolean {
  const { vendor, productType, tag } = rules;
  if (vendor === undefined && productType === undefined && tag === undefined) return false;
  if (vendor !== undefined && fold(vendor) !== fold(product.vendor)) return false;
  if (productType !== undefined && fold(productType) !== fold(product.productType)) return false;
  return tag === undefined || product.tags.some((one) => fold(one) === fold(tag));
}

/** Finds the collections whose rules a product fulfils without asking each of them.
 *  @returns indexes of `collections`, ascending */
export function createRuleMatcher(
  collections: readonly (Collection | undefined)[],
): (product: RuledProduct) => readonly number[] {
  const byText = new Map<string, number[]>();
  for (const [index, collection] of collections.entries()) {
    const rules = collection?.rules;
    if (rules === undefined) continue;
    const key = firstKey(rules);
    if (key === undefined) continue;
    const known = byText.get(key);
    if (known === undefined) byText.set(key, [index]);
    else known.push(index);
  }
  // Asked of every product: most shops have few rules or none.
  if (byText.size === 0) return () => none;
  const hasTags = byText.keys().some((key) => key.startsWith("tag "));
  return (product) => {
    const keys = [`vendor ${fold(product.vendor)}`, `type ${fold(product.productType)}`];
    if (hasTags) keys.push(...new Set(product.tags.map((tag) => `tag ${fold(tag)}`)));
    const found: number[] = [];
    for (const key of keys) {
      for (const index of byText.get(key) ?? []) {
        const rules = collections[index]?.rules;
        if (rules !== undefined && matchesRules(rules, product)) found.push(index);
      }
    }
    return found.sort((a, b) => a - b);
  };
}

const none: readonly number[] = [];

/** One rule of each collection is enough to find it by. */
function firstKey({ vendor, productType, tag }: CollectionRules): string | undefined {
  if (productType !== undefined) return `type ${fold(productType)}`;
  if (vendor !== undefined) return `vendor ${fold(vendor)}`;
  return tag === undefined ? undefined : `tag ${fold(tag)}`;
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
