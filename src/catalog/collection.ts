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
  readonly seo?: Seo;
  readonly translations: Translations;
}
