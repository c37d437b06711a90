import type { Discount } from "../../pricing/discount.ts";
import { createCache } from "../../runtime/cache.ts";
import { type Catalog, type Entry, isEntryKind, type OfferedVariant, type Row, type RowKind } from "../catalog.ts";
import type { Metaobject } from "../content.ts";
import type { FacetRows } from "../facets/facet-rows.ts";
import type { Facets } from "../facets/facets.ts";
import { createCatalogFacets } from "../facets/open-facets.ts";
import { type LiveStock, mayHaveChangedStock, type StockVersion, staticStock } from "../live/live-stock.ts";
import type { Product, Variant } from "../product.ts";
import { normalizeCode } from "../rows/parse-offers.ts";
import { isProductAvailable } from "../stock.ts";
import { findKey } from "./keys.ts";
import { findCollections, findMembers, type Memberships } from "./memberships.ts";
import {
  containsNumber,
  getDecodedRow,
  HIDDEN_ROW_KIND,
  isEntryRow,
  MAX_DECODED_ROWS,
  type PackedRows,
  packedKey,
  packedKinds,
  positionOf,
  readJson,
  readNumber,
  readProductRow,
} from "./rows.ts";
import { TextDamagedError } from "./texts.ts";

/** A complete packed catalog in shared memory. */
export interface PackedBase {
  readonly revision: number;
  /** Rows by document number: entries first, then other kinds, each in catalog order. */
  readonly rows: PackedRows;
  /** Position in the catalog order, by document number. Positions stay the same after a rebuild. */
  readonly positions: Float64Array;
  /** Number of entries. Entries have the lowest document numbers, from 0, and other rows follow. */
  readonly entryCount: number;
  readonly lists: EntryLists;
  readonly memberships: Memberships;
  readonly blogs: readonly string[];
  readonly facets: FacetRows;
}

/** Document numbers of the published entries of each kind, in catalog order. */
export type EntryLists = Readonly<Record<Entry["kind"], Uint32Array>>;

/** Document numbers of a changed collection's products, in two lists: in the collection's order, and ascending. */
export interface ChangedMembers {
  readonly membersInOrder: Uint32Array;
  readonly sortedMembers: Uint32Array;
}

/** Changes since a base catalog, or since an earlier delta. Rows of a delta replace older versions of the same rows. */
export interface PackedDelta {
  /** Catalog revision on which the delta is based. The delta contains all changes from there to `revision`. */
  readonly sinceRevision: number;
  readonly revision: number;
  /** New and changed rows. A changed row keeps its document number. */
  readonly rows: PackedRows;
  /** Document numbers of all changed, removed and new rows, ascending. */
  readonly replacedNumbers: Uint32Array;
  /** Document numbers of all published entries, for each kind to which this delta adds or removes entries. */
  readonly lists: Partial<EntryLists>;
  /** Products of the collections that this delta changed, by document number of the collection. */
  readonly members: ReadonlyMap<number, ChangedMembers>;
  readonly blogs: readonly string[];
  readonly facets: FacetRows;
}

export interface PackedCatalog extends Catalog {
  /** Returns the kind of the entry with this document number; undefined if no published entry has it. */
  kindOf(number: number): Entry["kind"] | undefined;
  /** Returns the document numbers of a collection's products, in the collection's order. */
  members(collection: number): Uint32Array;
  /** Returns the JSON of a published row.  @throws TextDamagedError */
  json(number: number): string | undefined;
}

/** Maximum number of products whose availability is cached, enough for a few long product lists. */
const MAX_CACHED_PRODUCTS = 20_000;

/**
 * Opens a catalog over packed rows without copying or decoding them. By default, quantities are as imported.
 * @param deltas changes since the base catalog, oldest first  @param onDamage called before a damaged row causes an
 * error
 */
export function openCatalog(
  base: PackedBase,
  deltas: readonly PackedDelta[] = [],
  onDamage?: () => void,
  stock: LiveStock = staticStock,
): PackedCatalog {
  const newestFirstDeltas = deltas.toReversed();
  const layers: readonly PackedRows[] = [...newestFirstDeltas.map(({ rows }) => rows), base.rows];
  /** Returns whether a newer layer replaced or removed a row. Layer 0 is the newest. */
  const isRemoved = (layer: number, number: number): boolean => {
    for (let newerLayer = 0; newerLayer < layer; newerLayer += 1)
      if (containsNumber((newestFirstDeltas[newerLayer] as PackedDelta).replacedNumbers, number)) return true;
    return false;
  };
  const changedMembers = new Map(deltas.flatMap(({ members }) => [...members]));
  let facets: Facets | undefined;
  let cachedDiscounts: readonly Discount[] | undefined;
  let metaobjects: ReadonlyMap<string, readonly Metaobject[]> | undefined;
  const isCurrent = ({ stockMark }: { readonly stockMark: StockVersion }): boolean => stock.isCurrent(stockMark);
  /** Cache of offers by variant id, because a cart write reads the offer of each line several times. */
  const offers = createCache<string, OfferedVariant & { readonly stockMark: StockVersion }>({
    name: "offers",
    maxWeight: MAX_DECODED_ROWS,
    isCurrent,
  });
  const availability = createCache<number, { readonly stockMark: StockVersion; readonly isAvailable: boolean }>({
    name: "availability",
    maxWeight: MAX_CACHED_PRODUCTS,
    isCurrent,
  });

  const reportDamage = <T>(decodeRow: () => T): T => {
    try {
      return decodeRow();
    } catch (error) {
      if (error instanceof TextDamagedError) onDamage?.();
      throw error;
    }
  };
  const readRow = (rows: PackedRows, position: number): Row | undefined => {
    const row = reportDamage(() => getDecodedRow(rows, position));
    return row?.kind === "product" ? stock.applyCurrentStock(row) : row;
  };
  const findRowByHash = <T>(
    kind: RowKind,
    key: string,
    visit: (number: number, rows: PackedRows, position: number) => T | undefined,
  ): T | undefined => {
    for (const [layer, rows] of layers.entries()) {
      const result = findKey(rows.keys, key, (position) => {
        const number = readNumber(rows, position);
        if (isRemoved(layer, number) || packedKinds[rows.kinds[position] ?? HIDDEN_ROW_KIND] !== kind) return undefined;
        return visit(number, rows, position);
      });
      if (result !== undefined) return result;
    }
    return undefined;
  };
  const findRowByKey = <K extends RowKind, T>(
    kind: K,
    key: string,
    visit: (row: Extract<Row, { kind: K }>, number: number) => T | undefined,
  ): T | undefined =>
    findRowByHash(kind, key, (number, rows, position) => {
      const row = readRow(rows, position);
      return row === undefined ? undefined : visit(row as Extract<Row, { kind: K }>, number);
    });
  const findRowByHandle = <K extends "product" | "collection" | "page" | "article" | "bundle", T>(
    kind: K,
    handle: string,
    mapRow: (row: Extract<Row, { kind: K }>, number: number) => T,
  ): T | undefined =>
    findRowByKey(kind, packedKey.handle(kind, handle), (row, number) =>
      (row as { readonly handle: string }).handle === handle ? mapRow(row, number) : undefined,
    );
  /** Returns the location of a row; undefined if the row was removed or never existed. */
  const locateRow = (number: number): { readonly rows: PackedRows; readonly position: number } | undefined => {
    for (const [layer, rows] of layers.entries()) {
      const position = positionOf(rows, number);
      if (position !== undefined) return { rows, position };
      const { replacedNumbers } = newestFirstDeltas[layer] ?? {};
      if (replacedNumbers !== undefined && containsNumber(replacedNumbers, number)) return undefined;
    }
    return undefined;
  };
  const findRow = (number: number): Row | undefined => {
    const location = locateRow(number);
    return location && readRow(location.rows, location.position);
  };
  /**
   * Returns rows of the base catalog and its deltas, in catalog order.  @param getDocNumbers returns the document numbers
   * to read
   */
  const listRows = (getDocNumbers: (rows: PackedRows) => Uint32Array): readonly (Row | undefined)[] =>
    layers
      .flatMap((rows, layer) => [...getDocNumbers(rows)].filter((number) => !isRemoved(layer, number)))
      .sort((a, b) => a - b)
      .map(findRow);
  const listMembers = (collection: number): Uint32Array =>
    changedMembers.get(collection)?.membersInOrder ?? findMembers(base.memberships, collection) ?? new Uint32Array(0);
  /** Returns the variants that have a lookup key, such as an SKU. Unpublished products are included. */
  const findOffers = (key: string, matches: (variant: Variant) => boolean): readonly OfferedVariant[] => {
    const products = new Map<number, Product>();
    for (const [layer, rows] of layers.entries())
      findKey(rows.keys, key, (position) => {
        const number = readNumber(rows, position);
        const product = isRemoved(layer, number) ? undefined : reportDamage(() => readProductRow(rows, position));
        if (product !== undefined) products.set(number, stock.applyCurrentStock(product));
        return undefined;
      });
    return [...products.values()].flatMap((product) =>
      product.variants.filter(matches).map((variant) => ({ product, variant })),
    );
  };
  const catalog: PackedCatalog = {
    revision: newestFirstDeltas[0]?.revision ?? base.revision,
    stock,
    entry(number) {
      const row = findRow(number);
      return row === undefined || !isEntryRow(row) ? undefined : row;
    },
    locationOf: locateRow,
    productNumber: (handle) => findRowByHandle("product", handle, (_, number) => number),
    isAvailableNow(number) {
      const location = locateRow(number);
      if (location === undefined || !mayHaveChangedStock(stock, location.rows, location.position)) return undefined;
      const cachedAvailability = availability.get(number);
      if (cachedAvailability !== undefined) return cachedAvailability.isAvailable;
      const product = readRow(location.rows, location.position);
      if (product?.kind !== "product") return undefined;
      const isAvailable = isProductAvailable(product);
      availability.set(number, { stockMark: stock.versionOf(product), isAvailable });
      return isAvailable;
    },
    product: (handle) => findRowByHandle("product", handle, (row) => row),
    productNumberById: (id) => findRowByHash("product", packedKey.productId(id), (number) => number),
    productById: (id) => findRowByKey("product", packedKey.productId(id), (row) => (row.id === id ? row : undefined)),
    variant(id) {
      const cachedOffer = offers.get(id);
      if (cachedOffer !== undefined) return cachedOffer;
      const offer = findRowByKey("product", packedKey.variant(id), (product) => {
        const variant = product.variants.find((candidate) => candidate.id === id);
        return variant === undefined ? undefined : { product, variant, stockMark: stock.versionOf(product) };
      });
      if (offer !== undefined) offers.set(id, offer);
      return offer;
    },
    findAnyVariant: (id) =>
      catalog.variant(id) ?? findOffers(packedKey.unpublishedVariant(id), (variant) => variant.id === id)[0],
    variantsBySku: (sku) => findOffers(packedKey.sku(sku), (variant) => variant.sku === sku),
    hasVariant: (id) => findRowByHash("product", packedKey.variant(id), () => true) === true,
    collection: (handle) => findRowByHandle("collection", handle, (row) => row),
    page: (handle) => findRowByHandle("page", handle, (row) => row),
    article: (blog, handle) =>
      findRowByKey("article", packedKey.handle("article", handle), (row) =>
        row.handle === handle && row.blog === blog ? row : undefined,
      ),
    bundle: (handle) => findRowByHandle("bundle", handle, (row) => row),
    discount: (code) =>
      findRowByKey("discount", packedKey.code("discount", code), (row) =>
        row.code !== undefined && normalizeCode(row.code) === normalizeCode(code) ? row : undefined,
      ),
    automaticDiscounts() {
      cachedDiscounts ??= listRows(({ automaticNumbers: numbers }) => numbers).filter(
        (row) => row?.kind === "discount",
      );
      return cachedDiscounts;
    },
    giftCard: (code) =>
      findRowByKey("gift_card", packedKey.code("gift_card", code), (row) =>
        normalizeCode(row.code) === normalizeCode(code) ? row : undefined,
      ),
    customer: (id) => findRowByKey("customer", packedKey.customer(id), (row) => (row.id === id ? row : undefined)),
    metaobjects(type) {
      metaobjects ??= Map.groupBy(
        listRows(({ metaobjects: numbers }) => numbers).filter((row) => row?.kind === "metaobject"),
        (row) => row.type,
      );
      return metaobjects.get(type) ?? [];
    },
    numbers: (kind) =>
      newestFirstDeltas.find(({ lists }) => lists[kind] !== undefined)?.lists[kind] ?? base.lists[kind],
    collectionProducts: (handle) =>
      findRowByHandle("collection", handle, (_, number) => listMembers(number)) ?? new Uint32Array(0),
    collectionsOf(productHandle) {
      const product = findRowByHandle("product", productHandle, (_, number) => number);
      if (product === undefined) return [];
      const unchangedIds = [...findCollections(base.memberships, product)].filter((id) => !changedMembers.has(id));
      const updatedIds = [...changedMembers].filter(([, { sortedMembers }]) => containsNumber(sortedMembers, product));
      return [...unchangedIds, ...updatedIds.map(([collection]) => collection)]
        .sort((a, b) => a - b)
        .map(findRow)
        .filter((row) => row?.kind === "collection")
        .map((collection) => collection.handle);
    },
    blogs: () => newestFirstDeltas[0]?.blogs ?? base.blogs,
    facets() {
      facets ??= createCatalogFacets({ base, deltas, stock, readRow });
      return facets;
    },
    kindOf(number) {
      const location = locateRow(number);
      const kind = location && packedKinds[location.rows.kinds[location.position] ?? HIDDEN_ROW_KIND];
      return kind !== undefined && isEntryKind(kind) ? kind : undefined;
    },
    members: listMembers,
    json(number) {
      const location = locateRow(number);
      return location && readJson(location.rows, location.position);
    },
  };
  return catalog;
}
