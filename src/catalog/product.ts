import type { UnitPriceMeasure, WeightUnit } from "./unit-price.ts";

/** A picture; sizes in pixels. */
export interface Image {
  readonly src: string;
  readonly alt?: string;
  readonly width?: number;
  readonly height?: number;
}

/** What search engines are told of a page instead of its own title and how its text begins; absent: these. */
export interface Seo {
  readonly title?: string;
  readonly description?: string;
}

/** How many of a variant one line may hold: `min`, `min + increment`, ... up to `max`. */
export interface QuantityRule {
  readonly min: number;
  readonly max?: number;
  readonly increment: number;
}

export interface Variant {
  /** Digits or text; ids are compared as strings. */
  readonly id: string;
  readonly title: string;
  /** One value for each of the product's `options`, in their order. */
  readonly options: readonly string[];
  readonly sku?: string;
  readonly barcode?: string;
  /** Minor units of the shop's currency. */
  readonly price: number;
  readonly compareAtPrice?: number;
  /** What it costs the merchant, in minor units; shown to nobody. */
  readonly cost?: number;
  /** Absent: stock is not tracked. */
  readonly inventoryQuantity?: number;
  readonly inventoryPolicy: "deny" | "continue";
  readonly requiresShipping: boolean;
  readonly taxable: boolean;
  readonly grams: number;
  /** Unit in which the weight is shown; absent: grams. */
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
  /** Its place in a taxonomy that shops share, from the widest: "Apparel & Accessories > Clothing > Shirts". */
  readonly category?: string;
  readonly tags: readonly string[];
  /** HTML written by the merchant. */
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
  /** What is bought is a gift card. */
  readonly giftCard: boolean;
  readonly seo?: Seo;
  /** Which alternate template of the theme its page has: "wide" for `product.wide`. */
  readonly templateSuffix?: string;
  /** ISO 8601, each. */
  readonly createdAt?: string;
  readonly publishedAt?: string;
  readonly updatedAt?: string;
  readonly metafields: Readonly<Record<string, unknown>>;
  readonly translations: Translations;
}

/** locale -> field -> text, fields by their names in the catalogue files ("title", "description", "body" ...). */
export type Translations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
