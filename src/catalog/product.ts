import type { ProductMedia } from "./media.ts";
import type { UnitPriceMeasure, WeightUnit } from "./unit-price.ts";

/** An image; width and height are in pixels. */
export interface Image {
  readonly src: string;
  readonly alt?: string;
  readonly width?: number;
  readonly height?: number;
}

/** Title and description for search engines. Default: title and description of the page. */
export interface Seo {
  readonly title?: string;
  readonly description?: string;
}

/** Allowed quantities of a cart line: `min`, `min + increment`, and so on, up to `max`. */
export interface QuantityRule {
  readonly min: number;
  readonly max?: number;
  readonly increment: number;
}

export interface Variant {
  /** Id of the variant: digits or other text, compared as a string. */
  readonly id: string;
  readonly title: string;
  /** Option values, one for each of the product's `options`, in their order. */
  readonly options: readonly string[];
  readonly sku?: string;
  readonly barcode?: string;
  /** Price in minor units of the shop's currency. */
  readonly price: number;
  readonly compareAtPrice?: number;
  /** The merchant's purchase cost in minor units; never published. */
  readonly cost?: number;
  /** Imported stock; undefined if stock is not tracked. */
  readonly inventoryQuantity?: number;
  readonly inventoryPolicy: "deny" | "continue";
  readonly requiresShipping: boolean;
  readonly taxable: boolean;
  readonly grams: number;
  /** Unit in which the weight is displayed; default: grams. */
  readonly weightUnit?: WeightUnit;
  readonly unitPriceMeasure?: UnitPriceMeasure;
  /** URL of the variant's image: the `src` of one of the product's images. */
  readonly image?: string;
  readonly quantityRule: QuantityRule;
}

/** Fields of all entries except bundles. */
export interface EntryFields {
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  readonly published: boolean;
  readonly seo?: Seo;
  /** Suffix of the page's alternate template: "wide" for `product.wide`. */
  readonly templateSuffix?: string;
  readonly translations: Translations;
}

export interface Product extends EntryFields {
  readonly kind: "product";
  readonly vendor: string;
  readonly productType: string;
  /** Category in a shared taxonomy, most general part first: "Apparel & Accessories > Clothing > Shirts". */
  readonly category?: string;
  readonly tags: readonly string[];
  /** Description as HTML, written by the merchant. */
  readonly description: string;
  /** Popularity from 0 to 1. */
  readonly popularity: number;
  /** Names of the options: "Size", "Color". */
  readonly options: readonly string[];
  /** Variants of the product; at least one. */
  readonly variants: readonly Variant[];
  readonly images: readonly Image[];
  /** Videos and 3D models, shown after the images. */
  readonly media?: readonly ProductMedia[];
  /**
   * Handles of the products that this product's page also offers as option values, in the order of the values. May
   * contain the product itself.
   */
  readonly combinedListing?: readonly string[];
  readonly requiresCustomer: boolean;
  readonly giftCard: boolean;
  /** Creation date in ISO 8601 format, like the dates below. */
  readonly createdAt?: string;
  readonly publishedAt?: string;
  readonly updatedAt?: string;
  readonly metafields: Readonly<Record<string, unknown>>;
}

/** Translated texts by locale and field name. Field names are as in catalog files ("title", "description", "body"). */
export type Translations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
