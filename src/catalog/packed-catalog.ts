import type { Discount } from "../pricing/discount.ts";
import type { Catalog, Entry, Kind, Row } from "./catalog.ts";
import { createLru, type Lru } from "./lru.ts";
import { collectionsWith, type Memberships, membersOf } from "./memberships.ts";
import { lookUp } from "./packed-keys.ts";
import { HIDDEN, numberAt, type PackedRows, packedKey, packedKinds, placeOf, rowAt } from "./packed-rows.ts";
import { codeKey } from "./parse-offers.ts";

/** A whole catalogue, packed: plain data over shared memory. */
export interface PackedBase {
  readonly revision: number;
  /** Dense: what shoppers can open first, then the other kinds, each part in static order. */
  readonly rows: PackedRows;
  /** By number: the place in the static order, which outlives a rebuild. */
  readonly positions: Float64Array;
  /** How many numbers are of what shoppers can open. */
  readonly entryCount: number;
  readonly memberships: Memberships;
  readonly blogs: readonly string[];
}

/** What is otherwise than in the base; everything in it counts, and of the base what it does not replace. */
export interface PackedDelta {
  readonly revision: number;
  /** Published rows that are new or changed; a changed one keeps its number. */
  readonly rows: PackedRows;
  /** Places in the static order of the numbers after the base's: a row that comes back takes its old place. */
  readonly positions: Float64Array;
  /** Numbers of the base's rows that are changed or gone, ascending. */
  readonly replaced: Uint32Array;
  /** Collections whose products are otherwise than in the base, with their products. */
  readonly members: ReadonlyMap<number, Uint32Array>;
  readonly blogs: readonly string[];
}

export interface PackedCatalog extends Catalog {
  /** Document number of a published product. */
  productNumber(handle: string): number | undefined;
}

/** Orders numbers of one kind as the merchant's files do. */
export function staticOrder(
  base: PackedBase,
  delta?: Pick<PackedDelta, "positions">,
): (a: number, b: number) => number {
  const count = base.positions.length;
  const place = (number: number): number =>
    (number < count ? base.positions[number] : delta?.positions[number - count]) ?? Number.POSITIVE_INFINITY;
  return (a, b) => place(a) - place(b);
}

/** Decoded rows kept: a page of results and some carts; a row takes a few microseconds to decode. */
const MAX_DECODED = 2_000;

const decodedRows = new WeakMap<PackedRows, Lru<Row>>();

/** A catalogue over packed rows. Cheap to open: nothing is copied or decoded. */
export function openCatalog(base: PackedBase, delta?: PackedDelta): PackedCatalog {
  const layers: readonly PackedRows[] = delta === undefined ? [base.rows] : [delta.rows, base.rows];
  const replaced: ReadonlySet<number> = new Set(delta?.replaced);
  const isGone = (rows: PackedRows, number: number): boolean => rows === base.rows && replaced.has(number);
  const inOrder = staticOrder(base, delta);
  const listsByKind = new Map<Entry["kind"], Uint32Array>();
  const memberSets = new Map<number, ReadonlySet<number>>();
  let automatic: readonly Discount[] | undefined;

  const find = <K extends Kind, T>(
    kind: K,
    key: string,
    check: (row: Extract<Row, { kind: K }>, number: number) => T | undefined,
  ): T | undefined => {
    for (const rows of layers) {
      const found = lookUp(rows.keys, key, (place) => {
        const number = numberAt(rows, place);
        if (isGone(rows, number) || packedKinds[rows.kinds[place] ?? HIDDEN] !== kind) return undefined;
        const row = decode(rows, place);
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
      if (place !== undefined && !isGone(rows, number)) return decode(rows, place);
    }
    return undefined;
  };
  const membersIn = (collection: number): Uint32Array =>
    delta?.members.get(collection) ?? membersOf(base.memberships, collection) ?? new Uint32Array(0);
  const holds = (collection: number, product: number): boolean => {
    let set = memberSets.get(collection);
    if (set === undefined) {
      set = new Set(membersIn(collection));
      memberSets.set(collection, set);
    }
    return set.has(product);
  };

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
        .sort(inOrder)
        .map(rowOf)
        .filter((row) => row?.kind === "discount");
      return automatic;
    },
    giftCard: (code) =>
      find("gift_card", packedKey.code("gift_card", code), (row) =>
        codeKey(row.code) === codeKey(code) ? row : undefined,
      ),
    customer: (id) => find("customer", packedKey.customer(id), (row) => (row.id === id ? row : undefined)),
    numbers(kind) {
      let list = listsByKind.get(kind);
      if (list === undefined) {
        const own = layers.map((rows) => numbersIn(rows, kind).filter((number) => !isGone(rows, number)));
        list =
          own.length === 1 && own[0] !== undefined
            ? own[0]
            : Uint32Array.from(own.flatMap((one) => [...one])).sort(inOrder);
        listsByKind.set(kind, list);
      }
      return list;
    },
    collectionProducts: (handle) =>
      byHandle("collection", handle, (_, number) => membersIn(number)) ?? new Uint32Array(0),
    collectionsOf(productHandle) {
      const product = productNumber(productHandle);
      if (product === undefined) return [];
      const affected = [...(delta?.members.keys() ?? [])];
      const unaffected = [...collectionsWith(base.memberships, product)].filter((one) => !delta?.members.has(one));
      return [...unaffected, ...affected.filter((one) => holds(one, product))]
        .sort(inOrder)
        .map(rowOf)
        .filter((row) => row?.kind === "collection")
        .map((collection) => collection.handle);
    },
    blogs: () => delta?.blogs ?? base.blogs,
  };
}

/** Numbers of a layer's published rows of a kind, ascending. */
function numbersIn(rows: PackedRows, kind: Kind): Uint32Array {
  const code = packedKinds.indexOf(kind);
  const { kinds } = rows;
  const found = new Uint32Array(kinds.length);
  let count = 0;
  for (let place = 0; place < kinds.length; place += 1) {
    if (kinds[place] !== code) continue;
    found[count] = numberAt(rows, place);
    count += 1;
  }
  return found.slice(0, count);
}

function decode(rows: PackedRows, place: number): Row | undefined {
  let decoded = decodedRows.get(rows);
  if (decoded === undefined) {
    decoded = createLru(MAX_DECODED);
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
