import type { Discount, GiftCard } from "../pricing/discount.ts";
import type { Bundle } from "./bundle.ts";
import type { Collection } from "./collection.ts";
import type { Article, Metaobject, Page } from "./content.ts";
import type { Customer } from "./customer.ts";
import type { Facets } from "./facets/facets.ts";
import type { LiveStock } from "./live/live-stock.ts";
import type { Product, Variant } from "./product.ts";

/** Catalog entries that have a page in the shop and can be found by search. */
export type Entry = Product | Collection | Page | Article | Bundle;
/** All kinds of rows that a catalog file can contain. */
export type Row = Entry | Discount | GiftCard | Customer | Metaobject;
export type RowKind = Row["kind"];

export interface OfferedVariant {
  readonly product: Product;
  readonly variant: Variant;
}

/** Location of a catalog row. If a row has the same location in two revisions, the row is unchanged. */
export interface RowLocation {
  readonly rows: object;
  readonly position: number;
}

/**
 * One revision of the catalog. Contains only published entries, except where documented. Each request uses one catalog.
 *
 * Each entry has a *document number* (a uint32), which is also its number in the search index. Entries are decoded on
 * access, so callers should reuse an entry instead of reading it again. Texts are in the default language; `localize`
 * translates them.
 */
export interface Catalog {
  readonly revision: number;
  /** Current stock of variants. Products that the catalog returns contain these quantities. */
  readonly stock: LiveStock;
  entry(number: number): Entry | undefined;
  /** Location of an entry's row; undefined if no row has this document number. */
  locationOf(number: number): RowLocation | undefined;
  product(handle: string): Product | undefined;
  /** Document number of a product. */
  productNumber(handle: string): number | undefined;
  /**
   * Whether a product is available now. Undefined if its stock has not changed since the import; the search index then
   * contains the correct availability.
   */
  isAvailableNow(number: number): boolean | undefined;
  productById(id: string): Product | undefined;
  /** Document number of the product with an id. The lookup uses only a hash of the id, so no row is decoded. */
  productNumberById(id: string): number | undefined;
  variant(id: string): OfferedVariant | undefined;
  /** A variant of any product. Unpublished products are included, so the result must not be shown to shoppers. */
  findAnyVariant(id: string): OfferedVariant | undefined;
  /**
   * All variants with exactly this SKU. Unpublished products are included, so the result must not be shown to shoppers.
   */
  variantsBySku(sku: string): readonly OfferedVariant[];
  /** Whether the variant exists. The lookup uses only a hash of the id, so no row is decoded. */
  hasVariant(id: string): boolean;
  collection(handle: string): Collection | undefined;
  page(handle: string): Page | undefined;
  article(blog: string, handle: string): Article | undefined;
  bundle(handle: string): Bundle | undefined;
  /** Discount with a code. Codes match regardless of case and surrounding whitespace. */
  discount(code: string): Discount | undefined;
  automaticDiscounts(): readonly Discount[];
  giftCard(code: string): GiftCard | undefined;
  customer(id: string): Customer | undefined;
  /** All metaobjects of a type, in file order. */
  metaobjects(type: string): readonly Metaobject[];
  /** Document numbers of all entries of a kind, in the order of the catalog file. */
  numbers(kind: Entry["kind"]): Uint32Array;
  /** Document numbers of a collection's published products, in the collection's order. */
  collectionProducts(handle: string): Uint32Array;
  /** Handles of the collections that contain a product. */
  collectionsOf(productHandle: string): readonly string[];
  /** Handles of the blogs with at least one article. */
  blogs(): readonly string[];
  /** Filters, counts and sort orders of products. */
  facets(): Facets;
}

export type EntryOfKind<Kind extends Entry["kind"]> = Extract<Entry, { readonly kind: Kind }>;

/** Returns the entry with a document number, or undefined if there is none or if it has another kind. */
export function findEntry<Kind extends Entry["kind"]>(
  catalog: Pick<Catalog, "entry">,
  kind: Kind,
  number: number | undefined,
): EntryOfKind<Kind> | undefined {
  const entry = number === undefined ? undefined : catalog.entry(number);
  return entry?.kind === kind ? (entry as EntryOfKind<Kind>) : undefined;
}

/** Reads the entries with these document numbers one by one. Entries of another kind are omitted. */
export function* readEntries<Kind extends Entry["kind"]>(
  catalog: Pick<Catalog, "entry">,
  kind: Kind,
  numbers: Iterable<number>,
): Generator<EntryOfKind<Kind>> {
  for (const number of numbers) {
    const entry = findEntry(catalog, kind, number);
    if (entry !== undefined) yield entry;
  }
}

/** The title of the only variant of a product without options. */
export const DEFAULT_VARIANT_TITLE = "Default Title";

/**
 * Returns the name of a variant in a list: "Raincoat - M / Navy", or only the product's title if the product has a
 * single variant.
 */
export function formatOfferTitle(offer: OfferedVariant): string {
  const title = formatVariantTitle(offer);
  return title === undefined ? offer.product.title : `${offer.product.title} - ${title}`;
}

/** Returns the title of a variant, such as "M / Navy"; undefined if the product has a single variant. */
export function formatVariantTitle({ product, variant }: OfferedVariant): string | undefined {
  return hasOnlyDefaultVariant(product) || variant.title === "" ? undefined : variant.title;
}

/** Returns whether a product has nothing to select: one variant, and no options except a placeholder. */
export function hasOnlyDefaultVariant({ variants, options }: Product): boolean {
  return variants.length === 1 && (options.length === 0 || variants[0]?.title === DEFAULT_VARIANT_TITLE);
}

/** Kinds of rows that have a page in the shop. */
export const entryKinds = ["product", "collection", "page", "article", "bundle"] as const satisfies readonly RowKind[];

/** Returns whether entries of a kind have pages in the shop. */
export function isEntryKind(kind: RowKind): kind is Entry["kind"] {
  return kind !== "discount" && kind !== "gift_card" && kind !== "customer" && kind !== "metaobject";
}
