import type { Discount, GiftCard } from "../pricing/discount.ts";
import type { Bundle } from "./bundle.ts";
import type { Collection } from "./collection.ts";
import type { Article, Metaobject, Page } from "./content.ts";
import type { Customer } from "./customer.ts";
import type { Facets } from "./facets/facets.ts";
import type { LiveStock } from "./live/live-stock.ts";
import type { Product, Variant } from "./product.ts";

/** Entries that shoppers can open and find. */
export type Entry = Product | Collection | Page | Article | Bundle;
/** Everything that a catalog file can contain. */
export type Row = Entry | Discount | GiftCard | Customer | Metaobject;
export type Kind = Row["kind"];

export interface Offer {
  readonly product: Product;
  readonly variant: Variant;
}

/** Location of a row; equal locations mean the same row in all revisions. */
export interface RowPlace {
  readonly rows: object;
  readonly place: number;
}

/**
 * One revision of the catalog; published entries only, unless a member says otherwise. A request uses one catalog.
 *
 * Entries have a *document number* (a uint32), which is also their number in the search index. Entries are decoded on
 * access, so keep an entry instead of reading it again. Texts are in the default language: see `localize`.
 */
export interface Catalog {
  readonly revision: number;
  /** Current stock of variants. Products that are read contain it as their variants' quantities. */
  readonly stock: LiveStock;
  entry(number: number): Entry | undefined;
  /** Location of an entry's row, or undefined. */
  placeOf(number: number): RowPlace | undefined;
  product(handle: string): Product | undefined;
  /** Document number of a product. */
  productNumber(handle: string): number | undefined;
  /**
   * Whether a product can be bought now; undefined if its stock has not changed since the import, so that the index has
   * it.
   */
  availableNow(number: number): boolean | undefined;
  productById(id: string): Product | undefined;
  /** Document number of the product with an id, found by the hash of the id only: no row is decoded. */
  productNumberById(id: string): number | undefined;
  variant(id: string): Offer | undefined;
  /** A variant of any product, including unpublished ones: not for shoppers. */
  anyVariant(id: string): Offer | undefined;
  /** All variants with exactly this SKU, including those of unpublished products: not for shoppers. */
  variantsBySku(sku: string): readonly Offer[];
  /** Whether the variant exists, by a hash of its id: nothing is decoded. */
  hasVariant(id: string): boolean;
  collection(handle: string): Collection | undefined;
  page(handle: string): Page | undefined;
  article(blog: string, handle: string): Article | undefined;
  bundle(handle: string): Bundle | undefined;
  /** Codes are compared without case and surrounding whitespace. */
  discount(code: string): Discount | undefined;
  automaticDiscounts(): readonly Discount[];
  giftCard(code: string): GiftCard | undefined;
  customer(id: string): Customer | undefined;
  /** Metaobjects of one type, in file order. */
  metaobjects(type: string): readonly Metaobject[];
  /** Document numbers, in static order (file order). */
  numbers(kind: Entry["kind"]): Uint32Array;
  /** Document numbers of a collection's published products, in its order. */
  collectionProducts(handle: string): Uint32Array;
  /** Handles of the collections that contain this product. */
  collectionsOf(productHandle: string): readonly string[];
  /** Handles of blogs that contain an article. */
  blogs(): readonly string[];
  /** Filters, counts and sort orders of products. */
  facets(): Facets;
}

/** The title of the only variant of a product without options. */
export const DEFAULT_VARIANT_TITLE = "Default Title";

/** Name of a variant in a list: "Raincoat - M / Navy", or the product's title if there is nothing to select. */
export function offerTitle(offer: Offer): string {
  const title = variantTitle(offer);
  return title === undefined ? offer.product.title : `${offer.product.title} - ${title}`;
}

/** "M / Navy"; undefined if there is nothing to select. */
export function variantTitle({ product, variant }: Offer): string | undefined {
  return isDefaultOnly(product) || variant.title === "" ? undefined : variant.title;
}

/** Returns whether there is nothing to select: one variant, and no options except a placeholder. */
export function isDefaultOnly({ variants, options }: Product): boolean {
  return variants.length === 1 && (options.length === 0 || variants[0]?.title === DEFAULT_VARIANT_TITLE);
}

/** Returns whether a kind has pages. */
export function isEntryKind(kind: Kind): kind is Entry["kind"] {
  return kind !== "discount" && kind !== "gift_card" && kind !== "customer" && kind !== "metaobject";
}
