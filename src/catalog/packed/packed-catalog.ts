import { LRUCache } from "lru-cache";
import type { Discount } from "../../pricing/discount.ts";
import type { Catalog, Entry, Kind, Row } from "../catalog.ts";
import { codeKey } from "../rows/parse-offers.ts";
import { lookUp } from "./keys.ts";
import { collectionsWith, type Memberships, membersOf } from "./memberships.ts";
import { HIDDEN, lowerBound, numberAt, type PackedRows, packedKey, packedKinds, placeOf, rowAt } from "./rows.ts";
import { TextDamaged } from "./texts.ts";

/** A whole catalogue, packed: plain data over shared memory. */
export interface PackedBase {
  readonly revision: number;
  /** Dense: what shoppers can open first, then the other kinds, each part in static order. What was deleted has a number too, for as
   *  long as it has a place in that order. */
  readonly rows: PackedRows;
  /** By number: the place in the static order, which outlives a rebuild. */
  readonly positions: Float64Array;
  /** How many numbers are of what shoppers can open. */
  readonly entryCount: number;
  readonly lists: EntryLists;
  readonly memberships: Memberships;
  readonly blogs: readonly string[];
}

/** Numbers of the published entries of each kind, in static order. */
export type EntryLists = Readonly<Record<Entry["kind"], Uint32Array>>;

/** Numbers of a collection's products. */
export interface ChangedMembers {
  readonly inOrder: Uint32Array;
  readonly ascending: Uint32Array;
}

/** What is otherwise than in the base; everything in it counts, and of the base what it does not replace. */
export interface PackedDelta {
  readonly revision: number;
  /** Published rows that are new or changed; a changed one keeps its number. */
  readonly rows: PackedRows;
  /** Numbers of the base's rows that are changed or gone, ascending. */
  readonly replaced: Uint32Array;
  /** Those that are otherwise than in the base. */
  readonly lists: Partial<EntryLists>;
  /** Collections whose products are otherwise than in the base, with their products. */
  readonly members: ReadonlyMap<number, ChangedMembers>;
  readonly blogs: readonly string[];
}

export interface PackedCatalog extends Catalog {
  /** Document number of a published product. */
  productNumber(handle: string): number | undefined;
}

/** Decoded rows kept: a page of results and some carts; a row takes a few microseconds to decode. */
const MAX_DECODED = 2_000;

const decodedRows = new WeakMap<PackedRows, LRUCache<number, Row>>();

/** A catalogue over packed rows. Cheap to open: nothing is copied or decoded.
 *  @param onDamage told when a row is not as it was written; whoever asked for it gets the error */
export function openCatalog(base: PackedBase, delta?: PackedDelta, onDamage?: () => void): PackedCatalog {
  const layers: readonly PackedRows[] = delta === undefined ? [base.rows] : [delta.rows, base.rows];
  const replaced: ReadonlySet<number> = new Set(delta?.replaced);
  const isGone = (rows: PackedRows, number: number): boolean => rows === base.rows && replaced.has(number);
  let automatic: readonly Discount[] | undefined;

  const read = (rows: PackedRows, place: number): Row | undefined => {
    try {
      return decode(rows, place);
    } catch (error) {
      if (error instanceof TextDamaged) onDamage?.();
      throw error;
    }
  };
  const find = <K extends Kind, T>(
    kind: K,
    key: string,
    check: (row: Extract<Row, { kind: K }>, number: number) => T | undefined,
  ): T | undefined => {
    for (const rows of layers) {
      const found = lookUp(rows.keys, key, (place) => {
        const number = numberAt(rows, place);
        if (isGone(rows, number) || packedKinds[rows.kinds[place] ?? HIDDEN] !== kind) return undefined;
        const row = read(rows, place);
        return row === undefined ? undefined : check(row as Extract<Row, { kind: K }>, number);
      });
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const byHandle = <K extends "product" | "collection" | "page" | "article" | "bundle", T>(
    kind: K,
    handle: string,
    pick: (row: Extract<Row, { kind: K }>, number: number) => T,
  ): T | undefined =>
    find(kind, packedKey.handle(kind, handle), (row, number) =>
      (row as { readonly handle: string }).handle === handle ? pick(row, number) : undefined,
    );
  const productNumber = (handle: string): number | undefined => byHandle("product", handle, (_, number) => number);
  const rowOf = (number: number): Row | undefined => {
    for (const rows of layers) {
      const place = placeOf(rows, number);
      if (place !== undefined && !isGone(rows, number)) return read(rows, place);
    }
    return undefined;
  };
  const membersIn = (collection: number): Uint32Array =>
    delta?.members.get(collection)?.inOrder ?? membersOf(base.memberships, collection) ?? new Uint32Array(0);

  return {
    revision: delta?.revision ?? base.revision,
    entry(number) {
      const row = rowOf(number);
      return row === undefined || !isEntry(row) ? undefined : row;
    },
    productNumber,
    product: (handle) => byHandle("product", handle, (row) => row),
    productById: (id) => find("product", packedKey.productId(id), (row) => (row.id === id ? row : undefined)),
    variant: (id) =>
      find("product", packedKey.variant(id), (product) => {
        const variant = product.variants.find((one) => one.id === id);
        return variant === undefined ? undefined : { product, variant };
      }),
    collection: (handle) => byHandle("collection", handle, (row) => row),
    page: (handle) => byHandle("page", handle, (row) => row),
    article: (blog, handle) => {
      const article = byHandle("article", handle, (row) => row);
      return article?.blog === blog ? article : undefined;
    },
    bundle: (handle) => byHandle("bundle", handle, (row) => row),
    discount: (code) =>
      find("discount", packedKey.code("discount", code), (row) =>
        row.code !== undefined && codeKey(row.code) === codeKey(code) ? row : undefined,
      ),
    automaticDiscounts() {
      automatic ??= layers
        .flatMap((rows) => [...rows.automatic].filter((number) => !isGone(rows, number)))
        .sort((a, b) => a - b)
        .map(rowOf)
        .filter((row) => row?.kind === "discount");
      return automatic;
    },
    giftCard: (code) =>
      find("gift_card", packedKey.code("gift_card", code), (row) =>
        codeKey(row.code) === codeKey(code) ? row : undefined,
      ),
    customer: (id) => find("customer", packedKey.customer(id), (row) => (row.id === id ? row : undefined)),
    numbers: (kind) => delta?.lists[kind] ?? base.lists[kind],
    collectionProducts: (handle) =>
      byHandle("collection", handle, (_, number) => membersIn(number)) ?? new Uint32Array(0),
    collectionsOf(productHandle) {
      const product = productNumber(productHandle);
      if (product === undefined) return [];
      const affected = [...(delta?.members ?? [])].filter(([, { ascending }]) => {
        return ascending[lowerBound(ascending, product)] === product;
      });
      const unaffected = [...collectionsWith(base.memberships, product)].filter((one) => !delta?.members.has(one));
      return [...unaffected, ...affected.map(([collection]) => collection)]
        .sort((a, b) => a - b)
        .map(rowOf)
        .filter((row) => row?.kind === "collection")
        .map((collection) => collection.handle);
    },
    blogs: () => delta?.blogs ?? base.blogs,
  };
}

function decode(rows: PackedRows, place: number): Row | undefined {
  let decoded = decodedRows.get(rows);
  if (decoded === undefined) {
    decoded = new LRUCache({ max: MAX_DECODED });
    decodedRows.set(rows, decoded);
  }
  const known = decoded.get(place);
  if (known !== undefined) return known;
  const row = rowAt(rows, place);
  if (row !== undefined) decoded.set(place, row);
  return row;
}

function isEntry(row: Row): row is Entry {
  return row.kind !== "discount" && row.kind !== "gift_card" && row.kind !== "customer";
}
