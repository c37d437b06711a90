import type { Image, Seo, Translations } from "./product.ts";

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
