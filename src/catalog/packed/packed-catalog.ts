import type { Discount } from "../../pricing/discount.ts";
import { createCache } from "../../runtime/cache.ts";
import { type Catalog, type Entry, isEntryKind, type Kind, type Offer, type Row } from "../catalog.ts";
import type { Metaobject } from "../content.ts";
import type { FacetRows } from "../facets/facet-rows.ts";
import type { Facets } from "../facets/facets.ts";
import { catalogFacets } from "../facets/open-facets.ts";
import { type LiveStock, type StockMark, staticStock } from "../live/live-stock.ts";
import type { Product, Variant } from "../product.ts";
import { codeKey } from "../rows/parse-offers.ts";
import { isProductAvailable } from "../stock.ts";
import { findKey } from "./keys.ts";
import { collectionsWith, type Memberships, membersOf } from "./memberships.ts";
import {
  anyProductAt,
  decodedRow,
  HIDDEN,
  isAmong,
  isEntry,
  jsonAt,
  MAX_DECODED,
  numberAt,
  type PackedRows,
  packedKey,
  packedKinds,
  placeOf,
} from "./rows.ts";
import { TextDamaged } from "./texts.ts";

/** A complete packed catalog in shared memory. */
export interface PackedBase {
  readonly revision: number;
  /** Rows without gaps: entries first, then other kinds, each in static order. Deleted rows may keep their number. */
  readonly rows: PackedRows;
  /** Position in the static order by document number. Positions stay the same after a rebuild. */
  readonly positions: Float64Array;
  /** Number of entries; document numbers below this are entries. */
  readonly entryCount: number;
  readonly lists: EntryLists;
  readonly memberships: Memberships;
  readonly blogs: readonly string[];
  readonly facets: FacetRows;
}

/** Numbers of the published entries of each kind, in static order. */
export type EntryLists = Readonly<Record<Entry["kind"], Uint32Array>>;

/** Numbers of a changed collection's products, in two orders. */
export interface ChangedMembers {
  readonly inOrder: Uint32Array;
  readonly ascending: Uint32Array;
}

/**
 * Differences from the layers below: the base, or the base and deltas over it. Rows of a delta replace the rows below.
 */
export interface PackedDelta {
  /** Revision after which the delta contains all changes. The layers below have at least this revision. */
  readonly since: number;
  readonly revision: number;
  /** New and changed rows. A changed row keeps its number. */
  readonly rows: PackedRows;
  /** Document numbers of all changed, removed and new rows, ascending. */
  readonly replaced: Uint32Array;
  /** Lists of entries that differ from the layers below. */
  readonly lists: Partial<EntryLists>;
  /** Products of the collections that differ from the layers below, by document number of the collection. */
  readonly members: ReadonlyMap<number, ChangedMembers>;
  readonly blogs: readonly string[];
  readonly facets: FacetRows;
}

export interface PackedCatalog extends Catalog {
  /** Returns the kind of the published entry with a number; undefined without such an entry. */
  kindOf(number: number): Entry["kind"] | undefined;
  /** Returns the document numbers of a collection's products, in the collection's order. */
  members(collection: number): Uint32Array;
  /** Returns the JSON of a published row.  @throws TextDamaged */
  json(number: number): string | undefined;
}

/** Maximum number of products with cached availability, enough for some long lists. */
const MAX_AVAILABILITY = 20_000;

/**
 * Opens a catalog over packed rows without copying or decoding them. By default, quantities are as imported.
 * @param deltas deltas over the base, oldest first
 * @param onDamage called for a damaged row, in addition to the error that the reader gets
 */
export function openCatalog(
  base: PackedBase,
  deltas: readonly PackedDelta[] = [],
  onDamage?: () => void,
  stock: LiveStock = staticStock,
): PackedCatalog {
  const newestFirst = deltas.toReversed();
  const layers: readonly PackedRows[] = [...newestFirst.map(({ rows }) => rows), base.rows];
  /** Returns whether a newer layer replaced a row of this layer. */
  const isRemoved = (layer: number, number: number): boolean => {
    for (let newer = 0; newer < layer; newer += 1)
      if (isAmong((newestFirst[newer] as PackedDelta).replaced, number)) return true;
    return false;
  };
  const changedMembers = new Map(deltas.flatMap(({ members }) => [...members]));
  let facets: Facets | undefined;
  let automatic: readonly Discount[] | undefined;
  let metaobjects: ReadonlyMap<string, readonly Metaobject[]> | undefined;
  const isCurrent = ({ mark }: { readonly mark: StockMark }): boolean => stock.holds(mark);
  /** Cache of offers by variant id, because a cart write reads the offer of each line several times. */
  const offers = createCache<string, Offer & { readonly mark: StockMark }>({
    name: "offers",
    maxWeight: MAX_DECODED,
    isCurrent,
  });
  const availability = createCache<number, { readonly mark: StockMark; readonly isAvailable: boolean }>({
    name: "availability",
    maxWeight: MAX_AVAILABILITY,
    isCurrent,
  });

  const decoded = <T>(decodeRow: () => T): T => {
    try {
      return decodeRow();
    } catch (error) {
      if (error instanceof TextDamaged) onDamage?.();
      throw error;
    }
  };
  const read = (rows: PackedRows, place: number): Row | undefined => {
    const row = decoded(() => decodedRow(rows, place));
    return row?.kind === "product" ? stock.shown(row) : row;
  };
  const findByHash = <T>(
    kind: Kind,
    key: string,
    check: (number: number, rows: PackedRows, place: number) => T | undefined,
  ): T | undefined => {
    for (const [layer, rows] of layers.entries()) {
      const found = findKey(rows.keys, key, (place) => {
        const number = numberAt(rows, place);
        if (isRemoved(layer, number) || packedKinds[rows.kinds[place] ?? HIDDEN] !== kind) return undefined;
        return check(number, rows, place);
      });
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const findByKey = <K extends Kind, T>(
    kind: K,
    key: string,
    check: (row: Extract<Row, { kind: K }>, number: number) => T | undefined,
  ): T | undefined =>
    findByHash(kind, key, (number, rows, place) => {
      const row = read(rows, place);
      return row === undefined ? undefined : check(row as Extract<Row, { kind: K }>, number);
    });
  const byHandle = <K extends "product" | "collection" | "page" | "article" | "bundle", T>(
    kind: K,
    handle: string,
    pick: (row: Extract<Row, { kind: K }>, number: number) => T,
  ): T | undefined =>
    findByKey(kind, packedKey.handle(kind, handle), (row, number) =>
      (row as { readonly handle: string }).handle === handle ? pick(row, number) : undefined,
    );
  /** Returns the location of a row; undefined if the row was removed or never existed. */
  const find = (number: number): { readonly rows: PackedRows; readonly place: number } | undefined => {
    for (const [layer, rows] of layers.entries()) {
      const place = placeOf(rows, number);
      if (place !== undefined) return { rows, place };
      const { replaced } = newestFirst[layer] ?? {};
      if (replaced !== undefined && isAmong(replaced, number)) return undefined;
    }
    return undefined;
  };
  const rowOf = (number: number): Row | undefined => {
    const found = find(number);
    return found && read(found.rows, found.place);
  };
  /** Returns the rows of all layers that a list of numbers names, in static order. */
  const listed = (numbersOf: (rows: PackedRows) => Uint32Array): readonly (Row | undefined)[] =>
    layers
      .flatMap((rows, layer) => [...numbersOf(rows)].filter((number) => !isRemoved(layer, number)))
      .sort((a, b) => a - b)
      .map(rowOf);
  const mayHaveMoved = ({ keys, kinds }: PackedRows, place: number): boolean =>
    ((stock.moved(keys, kinds.length)[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  const membersIn = (collection: number): Uint32Array =>
    changedMembers.get(collection)?.inOrder ?? membersOf(base.memberships, collection) ?? new Uint32Array(0);
  /** Returns the variants of all products with a key, including unpublished products. */
  const anyOffers = (key: string, has: (variant: Variant) => boolean): readonly Offer[] => {
    const products = new Map<number, Product>();
    for (const [layer, rows] of layers.entries())
      findKey(rows.keys, key, (place) => {
        const number = numberAt(rows, place);
        const product = isRemoved(layer, number) ? undefined : decoded(() => anyProductAt(rows, place));
        if (product !== undefined) products.set(number, stock.shown(product));
        return undefined;
      });
    return [...products.values()].flatMap((product) =>
      product.variants.filter(has).map((variant) => ({ product, variant })),
    );
  };
  const catalog: PackedCatalog = {
    revision: newestFirst[0]?.revision ?? base.revision,
    stock,
    entry(number) {
      const row = rowOf(number);
      return row === undefined || !isEntry(row) ? undefined : row;
    },
    placeOf: find,
    productNumber: (handle) => byHandle("product", handle, (_, number) => number),
    availableNow(number) {
      const found = find(number);
      if (found === undefined || !mayHaveMoved(found.rows, found.place)) return undefined;
      const cached = availability.get(number);
      if (cached !== undefined) return cached.isAvailable;
      const product = read(found.rows, found.place);
      if (product?.kind !== "product") return undefined;
      const isAvailable = isProductAvailable(product);
      availability.set(number, { mark: stock.markOf(product), isAvailable });
      return isAvailable;
    },
    product: (handle) => byHandle("product", handle, (row) => row),
    productNumberById: (id) => findByHash("product", packedKey.productId(id), (number) => number),
    productById: (id) => findByKey("product", packedKey.productId(id), (row) => (row.id === id ? row : undefined)),
    variant(id) {
      const cached = offers.get(id);
      if (cached !== undefined) return cached;
      const offer = findByKey("product", packedKey.variant(id), (product) => {
        const variant = product.variants.find((one) => one.id === id);
        return variant === undefined ? undefined : { product, variant, mark: stock.markOf(product) };
      });
      if (offer !== undefined) offers.set(id, offer);
      return offer;
    },
    anyVariant: (id) =>
      catalog.variant(id) ?? anyOffers(packedKey.unpublishedVariant(id), (variant) => variant.id === id)[0],
    variantsBySku: (sku) => anyOffers(packedKey.sku(sku), (variant) => variant.sku === sku),
    hasVariant: (id) => findByHash("product", packedKey.variant(id), () => true) === true,
    collection: (handle) => byHandle("collection", handle, (row) => row),
    page: (handle) => byHandle("page", handle, (row) => row),
    article: (blog, handle) =>
      findByKey("article", packedKey.handle("article", handle), (row) =>
        row.handle === handle && row.blog === blog ? row : undefined,
      ),
    bundle: (handle) => byHandle("bundle", handle, (row) => row),
    discount: (code) =>
      findByKey("discount", packedKey.code("discount", code), (row) =>
        row.code !== undefined && codeKey(row.code) === codeKey(code) ? row : undefined,
      ),
    automaticDiscounts() {
      automatic ??= listed(({ automatic: numbers }) => numbers).filter((row) => row?.kind === "discount");
      return automatic;
    },
    giftCard: (code) =>
      findByKey("gift_card", packedKey.code("gift_card", code), (row) =>
        codeKey(row.code) === codeKey(code) ? row : undefined,
      ),
    customer: (id) => findByKey("customer", packedKey.customer(id), (row) => (row.id === id ? row : undefined)),
    metaobjects(type) {
      metaobjects ??= Map.groupBy(
        listed(({ metaobjects: numbers }) => numbers).filter((row) => row?.kind === "metaobject"),
        (row) => row.type,
      );
      return metaobjects.get(type) ?? [];
    },
    numbers: (kind) => newestFirst.find(({ lists }) => lists[kind] !== undefined)?.lists[kind] ?? base.lists[kind],
    collectionProducts: (handle) =>
      byHandle("collection", handle, (_, number) => membersIn(number)) ?? new Uint32Array(0),
    collectionsOf(productHandle) {
      const product = byHandle("product", productHandle, (_, number) => number);
      if (product === undefined) return [];
      const unchanged = [...collectionsWith(base.memberships, product)].filter((one) => !changedMembers.has(one));
      const changed = [...changedMembers].filter(([, { ascending }]) => isAmong(ascending, product));
      return [...unchanged, ...changed.map(([collection]) => collection)]
        .sort((a, b) => a - b)
        .map(rowOf)
        .filter((row) => row?.kind === "collection")
        .map((collection) => collection.handle);
    },
    blogs: () => newestFirst[0]?.blogs ?? base.blogs,
    facets() {
      facets ??= catalogFacets({ base, deltas, stock, read });
      return facets;
    },
    kindOf(number) {
      const found = find(number);
      const kind = found && packedKinds[found.rows.kinds[found.place] ?? HIDDEN];
      return kind !== undefined && isEntryKind(kind) ? kind : undefined;
    },
    members: membersIn,
    json(number) {
      const found = find(number);
      return found && jsonAt(found.rows, found.place);
    },
  };
  return catalog;
}
