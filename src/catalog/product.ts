import type { UnitPriceMeasure, WeightUnit } from "./unit-price.ts";

/** An image; sizes in pixels. */
export interface Image {
  readonly src: string;
  readonly alt?: string;
  readonly width?: number;
  readonly height?: number;
}

/** Title and description for search engines; default: title and description of the page. */
export interface Seo {
  readonly title?: string;
  readonly description?: string;
}

/** Allowed quantities of a line: `min`, `min + increment`, ... up to `max`. */
export interface QuantityRule {
  readonly min: number;
  readonly max?: number;
  readonly increment: number;
}

export interface Variant {
  /** Digits or other text; ids are compared as strings. */
  readonly id: string;
  readonly title: string;
  /** One value for each of the product's `options`, in their order. */
  readonly options: readonly string[];
  readonly sku?: string;
  readonly barcode?: string;
  /** Minor units of the shop's currency. */
  readonly price: number;
  readonly compareAtPrice?: number;
  /** The merchant's cost in minor units; never published. */
  readonly cost?: number;
  /** undefined if stock is not tracked. */
  readonly inventoryQuantity?: number;
  readonly inventoryPolicy: "deny" | "continue";
  readonly requiresShipping: boolean;
  readonly taxable: boolean;
  readonly grams: number;
  /** Unit of the displayed weight; default: grams. */
  readonly weightUnit?: WeightUnit;
  readonly unitPriceMeasure?: UnitPriceMeasure;
  /** The `src` of one of the product's images. */
  readonly image?: string;
  readonly quantityRule: QuantityRule;
}

export interface Product {
  readonly kind: "product";
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  readonly vendor: string;
  readonly productType: string;
  /** Category in a shared taxonomy, most general first: "Apparel & Accessories > Clothing > Shirts". */
  readonly category?: string;
  readonly tags: readonly string[];
  /** The merchant's HTML. */
  readonly description: string;
  readonly published: boolean;
  /** 0 to 1. */
  readonly popularity: number;
  /** Names of the options ("Size", "Colour"). */
  readonly options: readonly string[];
  /** At least one. */
  readonly variants: readonly Variant[];
  readonly images: readonly Image[];
  readonly requiresCustomer: boolean;
  /** Whether it is a gift card. */
  readonly giftCard: boolean;
  readonly seo?: Seo;
  /** The alternate template of its page: "wide" for `product.wide`. */
  readonly templateSuffix?: string;
  /** ISO 8601, like the dates below. */
  readonly createdAt?: string;
  readonly publishedAt?: string;
  readonly updatedAt?: string;
  readonly metafields: Readonly<Record<string, unknown>>;
  readonly translations: Translations;
}

/** locale -> field -> text, with field names of the catalog files ("title", "description", "body" ...). */
export type Translations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
