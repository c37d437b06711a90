import type { Discount, GiftCard } from "../pricing/discount.ts";
import type { Bundle } from "./bundle.ts";
import type { Collection } from "./collection.ts";
import type { Article, Metaobject, Page } from "./content.ts";
import type { Customer } from "./customer.ts";
import type { Facets } from "./facets/facets.ts";
import type { LiveStock } from "./live/live-stock.ts";
import type { Product, Variant } from "./product.ts";

/** What shoppers can open and find. */
export type Entry = Product | Collection | Page | Article | Bundle;
/** Everything a catalogue file may hold. */
export type Row = Entry | Discount | GiftCard | Customer | Metaobject;
export type Kind = Row["kind"];

export interface Offer {
  readonly product: Product;
  readonly variant: Variant;
}

/** Where a row lies: one place of the same rows is the same row, at whatever revision it is met. */
export interface RowPlace {
  readonly rows: object;
  readonly place: number;
}

/** What this shop sells, at one revision; published entries alone, unless a member says otherwise. A request keeps the catalogue it began with.
 *
 *  Entries have a *document number* (a uint32), the same that the search index uses; entries are decoded when asked for,
 *  so hold on to one rather than asking again. Texts are in the default language: see `localize`. */
export interface Catalog {
  readonly revision: number;
  /** What is left of variants now. Products that are read have it for their variants' quantities. */
  readonly stock: LiveStock;
  entry(number: number): Entry | undefined;
  /** Where an entry's row lies; undefined where there is none. */
  placeOf(number: number): RowPlace | undefined;
  product(handle: string): Product | undefined;
  /** Document number of a product. */
  productNumber(handle: string): number | undefined;
  /** Whether a product can be bought now; undefined where its stock has not moved since the catalogue told it, so that the index knows. */
  availableNow(number: number): boolean | undefined;
  productById(id: string): Product | undefined;
  /** Document number of the product with an id, found by the hash of the id alone: no row is decoded. */
  productNumberById(id: string): number | undefined;
  variant(id: string): Offer | undefined;
  /** A variant of any product, unpublished ones included: not for shoppers. */
  anyVariant(id: string): Offer | undefined;
  /** All variants with exactly this SKU, of unpublished products too: not for shoppers. */
  variantsBySku(sku: string): readonly Offer[];
  /** Whether there is such a variant, by a hash of its id: nothing is decoded for it. */
  hasVariant(id: string): boolean;
  collection(handle: string): Collection | undefined;
  page(handle: string): Page | undefined;
  article(blog: string, handle: string): Article | undefined;
  bundle(handle: string): Bundle | undefined;
  /** Codes are compared without case and outer blanks. */
  discount(code: string): Discount | undefined;
  automaticDiscounts(): readonly Discount[];
  giftCard(code: string): GiftCard | undefined;
  customer(id: string): Customer | undefined;
  /** Those of one type, in the files' order. */
  metaobjects(type: string): readonly Metaobject[];
  /** Document numbers, in static order (the file's order). */
  numbers(kind: Entry["kind"]): Uint32Array;
  /** Document numbers of a collection's published products, in its order. */
  collectionProducts(handle: string): Uint32Array;
  /** Handles of the collections that hold this product. */
  collectionsOf(productHandle: string): readonly string[];
  /** Handles of blogs that hold an article. */
  blogs(): readonly string[];
  /** What products are filtered, counted and ordered by. */
  facets(): Facets;
}

/** The title of the only variant of a product without options. */
export const DEFAULT_VARIANT_TITLE = "Default Title";

/** What a variant is called beside others: "Raincoat - M / Navy", or the product's title alone where there is nothing to choose. */
export function offerTitle(offer: Offer): string {
  const title = variantTitle(offer);
  return title === undefined ? offer.product.title : `${offer.product.title} - ${title}`;
}

/** "M / Navy"; undefined where the product has nothing to choose. */
export function variantTitle({ product, variant }: Offer): string | undefined {
  return isDefaultOnly(product) || variant.title === "" ? undefined : variant.title;
}

/** Whether a product has nothing to choose: one variant, and no options or none but a stand-in. */
export function isDefaultOnly({ variants, options }: Product): boolean {
  return variants.length === 1 && (options.length === 0 || variants[0]?.title === DEFAULT_VARIANT_TITLE);
}

/** True for kinds that have a page. */
export function isEntryKind(kind: Kind): kind is Entry["kind"] {
  return kind !== "discount" && kind !== "gift_card" && kind !== "customer" && kind !== "metaobject";
}
