import type { Entry, Row } from "../catalog.ts";
import type { Collection } from "../collection.ts";
import { createRuleMatcher, type RuledProduct } from "../collection-rules.ts";
import { collectionsWith, membersOf } from "./memberships.ts";
import { entryKinds, type KeptRow, publishedRow } from "./pack-base.ts";
import {
  type ChangedMembers,
  type EntryLists,
  openCatalog,
  type PackedBase,
  type PackedCatalog,
  type PackedDelta,
} from "./packed-catalog.ts";
import { createRowPacker, HIDDEN, jsonAt, lowerBound, type NumberedRow, packedKinds } from "./rows.ts";

/** Packs what changed since a base. @param changed in static order
 *  @param onEntry told of each published entry among them, by number, ascending */
export function packDelta(
  base: PackedBase,
  revision: number,
  changed: readonly KeptRow[],
  onEntry: (entry: Entry, number: number) => void,
): PackedDelta {
  const numbered = numberRows(base, changed);
  const baseCount = base.positions.length;
  const replaced = Uint32Array.from(numbered.map(({ number }) => number).filter((number) => number < baseCount));
  const live = numbered.filter(({ row }) => row !== undefined);
  const bytes = live.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  const packer = createRowPacker({ maxRows: live.length, maxBytes: bytes, isDense: false });
  for (const one of live) {
    packer.add(one);
    if (one.row !== undefined && isEntry(one.row)) onEntry(one.row, one.number);
  }
  const rows = packer.finish();
  const lists = changedLists(base, replaced, live);
  const unsettled: PackedDelta = { revision, rows, replaced, lists, members: new Map(), blogs: base.blogs };
  const catalog = openCatalog(base, unsettled);
  return {
    ...unsettled,
    members: changedMembers(base, unsettled, catalog, live),
    blogs: blogsOf(base, unsettled, catalog, live),
  };
}

/** A row that the base has, if only as a trace, keeps its number, told by its position; new ones, which come after all that the base
 *  has, get the next. So numbers ascend in static order among what shoppers can open, and among the rest. */
function numberRows({ positions, entryCount }: PackedBase, changed: readonly KeptRow[]): readonly NumberedRow[] {
  const numbered: NumberedRow[] = [];
  let next = positions.length;
  for (const kept of changed) {
    const { kind, position, json } = kept;
    const isEntryKind = kind !== "discount" && kind !== "gift_card" && kind !== "customer";
    const [from, to] = isEntryKind ? [0, entryCount] : [entryCount, positions.length];
    const known = lowerBound(positions, position, from, to);
    const isKnown = known < to && positions[known] === position;
    numbered.push({ number: isKnown ? known : next, json, row: publishedRow(kept) });
    if (!isKnown) next += 1;
  }
  return numbered.sort((a, b) => a.number - b.number);
}

/** Lists of entries that are otherwise than in the base. */
function changedLists(base: PackedBase, replaced: Uint32Array, live: readonly NumberedRow[]): Partial<EntryLists> {
  const shown = new Set(live.map(({ number }) => number));
  const lists: Partial<Record<Entry["kind"], Uint32Array>> = {};
  for (const [code, kind] of entryKinds.entries()) {
    const isInBase = (number: number): boolean => base.rows.kinds[number] === code;
    const gone = new Set(replaced.filter((number) => isInBase(number) && !shown.has(number)));
    const added = live.filter(({ row, number }) => row?.kind === kind && !isInBase(number)).map(({ number }) => number);
    if (gone.size + added.length === 0) continue;
    lists[kind] = mergeNumbers(base.lists[kind], gone, added);
  }
  return lists;
}

/** Products of each collection that may hold others than in the base. */
function changedMembers(
  base: PackedBase,
  delta: PackedDelta,
  catalog: PackedCatalog,
  live: readonly NumberedRow[],
): ReadonlyMap<number, ChangedMembers> {
  const replaced = new Set(delta.replaced);
  const changedNumbers = new Set(live.map(({ number }) => number));
  const products = live.flatMap(({ row, number }) => (row?.kind === "product" ? [{ product: row, number }] : []));
  const handles = new Set(products.map(({ product }) => product.handle));
  const numbers = [...catalog.numbers("collection")];
  const collections = numbers.map((number) => {
    const entry = catalog.entry(number);
    return entry?.kind === "collection" ? entry : undefined;
  });
  const matched = matchAll(collections, products);
  // A collection whose rules may be new is compared with every product.
  const fresh = collections.map((one, index) => (changedNumbers.has(numbers[index] ?? -1) ? one : undefined));
  const matchedFresh = fresh.some((one) => one?.rules !== undefined)
    ? matchAll(fresh, allProducts(base, delta, catalog))
    : [];
  const heldReplaced = new Set<number>();
  for (const number of replaced)
    for (const collection of collectionsWith(base.memberships, number)) heldReplaced.add(collection);

  const members = new Map<number, ChangedMembers>();
  for (const [index, collection] of collections.entries()) {
    const number = numbers[index] ?? 0;
    const isFresh = fresh[index] !== undefined;
    const hasReplaced = heldReplaced.has(number);
    if (collection === undefined) continue;
    if (collection.rules !== undefined) {
      if (isFresh) members.set(number, changed(matchedFresh[index] ?? []));
      else if (hasReplaced || (matched[index]?.length ?? 0) > 0) {
        const before = membersOf(base.memberships, number) ?? new Uint32Array(0);
        members.set(number, changed(mergeNumbers(before, replaced, matched[index] ?? [])));
      }
    } else if (isFresh || hasReplaced || collection.products.some((handle) => handles.has(handle))) {
      const listed = collection.products.map((handle) => catalog.productNumber(handle));
      members.set(number, changed(listed.filter((one) => one !== undefined)));
    }
  }
  return members;
}

function changed(list: ArrayLike<number>): ChangedMembers {
  const inOrder = toShared(list);
  return { inOrder, ascending: toShared(inOrder).sort() };
}

/** An ascending list without some of its numbers and with others. */
function mergeNumbers(list: Uint32Array, without: ReadonlySet<number>, others: readonly number[]): Uint32Array {
  const added = [...others].sort((a, b) => a - b);
  const merged = new Uint32Array(new SharedArrayBuffer((list.length + added.length) * 4));
  let count = 0;
  let next = 0;
  for (const number of list) {
    if (without.has(number)) continue;
    for (; next < added.length && (added[next] as number) < number; next += 1) {
      merged[count] = added[next] as number;
      count += 1;
    }
    merged[count] = number;
    count += 1;
  }
  merged.set(added.slice(next), count);
  return merged.subarray(0, count + added.length - next);
}

function toShared(list: ArrayLike<number>): Uint32Array {
  const shared = new Uint32Array(new SharedArrayBuffer(list.length * 4));
  shared.set(list);
  return shared;
}

/** Numbers of the products that each collection's rules match, ascending as they come. */
function matchAll(
  collections: readonly (Collection | undefined)[],
  products: Iterable<{ readonly product: RuledProduct; readonly number: number }>,
): readonly (readonly number[])[] {
  const match = createRuleMatcher(collections);
  const matched: number[][] = collections.map(() => []);
  for (const { product, number } of products) for (const index of match(product)) matched[index]?.push(number);
  return matched;
}

/** Every published product, with what rules look at alone: reading rows in full would take too long here. */
function* allProducts(
  base: PackedBase,
  delta: PackedDelta,
  catalog: PackedCatalog,
): Generator<{ product: RuledProduct; number: number }> {
  const isChanged = new Set(delta.replaced);
  for (const number of catalog.numbers("product")) {
    const json = number < base.positions.length && !isChanged.has(number) ? jsonAt(base.rows, number) : undefined;
    const product = json === undefined ? catalog.entry(number) : ruledProduct(json);
    if (product !== undefined && "productType" in product) yield { product, number };
  }
}

function ruledProduct(json: string): RuledProduct {
  const fields = JSON.parse(json) as { vendor?: string; product_type?: string; tags?: readonly string[] };
  return { vendor: fields.vendor ?? "", productType: fields.product_type ?? "", tags: fields.tags ?? [] };
}

/** Read anew where an article changed, in static order. */
function blogsOf(
  base: PackedBase,
  delta: PackedDelta,
  catalog: PackedCatalog,
  live: readonly NumberedRow[],
): readonly string[] {
  const code = packedKinds.indexOf("article");
  const isTouched =
    live.some(({ row }) => row?.kind === "article") ||
    delta.replaced.some((number) => (base.rows.kinds[number] ?? HIDDEN) === code);
  if (!isTouched) return base.blogs;
  const blogs = new Set<string>();
  for (const number of catalog.numbers("article")) {
    const article = catalog.entry(number);
    if (article?.kind === "article") blogs.add(article.blog);
  }
  return [...blogs];
}

function isEntry(row: Row): row is Entry {
  return row.kind !== "discount" && row.kind !== "gift_card" && row.kind !== "customer";
}
