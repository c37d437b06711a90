import type { Entry, Kind } from "../catalog.ts";
import { type Collection, createRuleMatcher, type RuledProduct } from "../collection.ts";
import { BaseTitles } from "../facets/base-titles.ts";
import { createFacetPacker, type FacetSettings } from "../facets/pack-facets.ts";
import { collectionsWith } from "./memberships.ts";
import { type CatalogRow, type CatalogSource, entryKinds, otherKinds, storedRow } from "./pack-base.ts";
import {
  type ChangedMembers,
  type EntryLists,
  openCatalog,
  type PackedBase,
  type PackedCatalog,
  type PackedDelta,
} from "./packed-catalog.ts";
import {
  createRowPacker,
  firstNotBelow,
  HIDDEN,
  isEntry,
  isPublished,
  jsonAt,
  numberAt,
  type PackedRows,
  packedKinds,
  placeOf,
} from "./rows.ts";

/** Changes that were stored after a revision. */
export interface CatalogChanges {
  readonly since: number;
  readonly revision: number;
  /** Maximum number of changed rows, and the total bytes of their JSON. */
  readonly size: CatalogSource["size"];
  /**
   * Reads changed rows in static order.  @param after position before the first row  @param upTo position of the last
   * row
   */
  rows(kinds: readonly Kind[], after: number, upTo: number): Iterable<CatalogRow>;
}

/**
 * Packs the changes since a base, or since a delta over a base, row by row.
 * @param below deltas between the base and these changes, oldest first
 * @param onEntry receives each published entry among the changes, by ascending number
 */
export function packDelta(
  base: PackedBase,
  below: readonly PackedDelta[],
  changes: CatalogChanges,
  onEntry: (entry: Entry, number: number) => void,
  settings: FacetSettings,
): PackedDelta {
  const { since, revision, size } = changes;
  const under = openCatalog(base, below);
  const packer = createRowPacker({ maxRows: size.rows, maxBytes: size.bytes, isDense: false });
  const replaced = new Uint32Array(new SharedArrayBuffer(size.rows * 4));
  const { vocabulary, titleRanks } = base.facets;
  const facets = createFacetPacker(settings, { vocabulary, titles: new BaseTitles(base.rows, titleRanks) });
  let place = 0;
  let count = 0;
  for (const { source, number } of numberRows(base, changes)) {
    replaced[count] = number;
    count += 1;
    const row = storedRow(source);
    if (row === undefined) continue;
    packer.add({ number, json: source.json, row });
    if (isPublished(row)) {
      if (row.kind === "product") facets.add(row, place, number);
      if (isEntry(row)) onEntry(row, number);
    }
    place += 1;
  }
  const rows = packer.finish();
  const unsettled = {
    since,
    revision,
    rows,
    replaced: replaced.subarray(0, count),
    members: new Map(),
    facets: facets.finish(place),
  };
  const delta: PackedDelta = { ...unsettled, lists: changedLists(under, unsettled), blogs: under.blogs() };
  const catalog = openCatalog(base, [...below, delta]);
  return {
    ...delta,
    members: changedMembers(base, under, delta, catalog),
    blogs: blogsOf(under, delta, catalog),
  };
}

/**
 * Assigns document numbers to the changed rows. A row of the base keeps its number, even if it was deleted. New rows
 * follow the base, with gaps as in their positions, so that a row has the same number in every delta. Numbers therefore
 * ascend in static order, both among entries and among other rows.
 */
function* numberRows(
  { positions, entryCount }: PackedBase,
  changes: CatalogChanges,
): Generator<{ readonly source: CatalogRow; readonly number: number }> {
  const last = Math.max(positions[entryCount - 1] ?? 0, positions.at(-1) ?? 0);
  const parts = [
    [entryKinds, 0, entryCount],
    [otherKinds, entryCount, positions.length],
  ] as const;
  for (const [kinds, from, to] of parts)
    for (const source of changes.rows(kinds, -1, last)) {
      const number = firstNotBelow(positions, source.position, from, to);
      if (number === to || positions[number] !== source.position)
        throw new Error(`the base has no row at position ${source.position}, but later ones`);
      yield { source, number };
    }
  for (const source of changes.rows(packedKinds, last, Number.MAX_SAFE_INTEGER))
    yield { source, number: positions.length + source.position - last - 1 };
}

/** Returns the lists of entries that differ from the layers below. */
function changedLists(under: PackedCatalog, { rows, replaced }: DeltaRows): Partial<EntryLists> {
  const removed = new Map<string, Set<number>>(entryKinds.map((kind) => [kind, new Set()]));
  const added = new Map<string, number[]>(entryKinds.map((kind) => [kind, []]));
  for (const number of replaced) {
    const before = under.kindOf(number);
    const kind = kindAt(rows, number);
    if (before === kind) continue;
    if (before !== undefined) removed.get(before)?.add(number);
    if (kind !== undefined) added.get(kind)?.push(number);
  }
  const lists: Partial<Record<Entry["kind"], Uint32Array>> = {};
  for (const kind of entryKinds) {
    const [less, more] = [removed.get(kind) ?? new Set<number>(), added.get(kind) ?? []];
    if (less.size + more.length > 0) lists[kind] = mergeNumbers(under.numbers(kind), less, more);
  }
  return lists;
}

type DeltaRows = Pick<PackedDelta, "rows" | "replaced">;

/** Returns the kind of a row in the delta; undefined if the delta does not contain the row. */
function kindAt(rows: PackedRows, number: number): Kind | undefined {
  const place = placeOf(rows, number);
  return place === undefined ? undefined : packedKinds[rows.kinds[place] ?? HIDDEN];
}

/** Returns the products of each collection whose list may differ from the layers below. */
function changedMembers(
  base: PackedBase,
  under: PackedCatalog,
  delta: PackedDelta,
  catalog: PackedCatalog,
): ReadonlyMap<number, ChangedMembers> {
  const numbers = [...catalog.numbers("collection")];
  if (numbers.length === 0) return new Map();
  const replaced = new Set(delta.replaced);
  const collections = numbers.map((number) => {
    const entry = catalog.entry(number);
    return entry?.kind === "collection" ? entry : undefined;
  });
  const handles = new Set<string>();
  const matched = matchAll(
    collections,
    changedProducts(delta, (handle) => handles.add(handle)),
  );
  // A new or changed collection may have new rules, so it is matched with every product.
  const fresh = collections.map((one, index) => (replaced.has(numbers[index] ?? -1) ? one : undefined));
  const matchedFresh = fresh.some((one) => one?.rules !== undefined) ? matchAll(fresh, allProducts(catalog)) : [];
  const replacedInBase = new Set<number>();
  for (const number of replaced)
    for (const collection of collectionsWith(base.memberships, number)) replacedInBase.add(collection);

  const members = new Map<number, ChangedMembers>();
  for (const [index, collection] of collections.entries()) {
    const number = numbers[index] ?? 0;
    const isFresh = fresh[index] !== undefined;
    const hasReplaced = replacedInBase.has(number) || under.members(number).some((member) => replaced.has(member));
    if (collection === undefined) continue;
    if (collection.rules !== undefined) {
      const ofRules = matched[index] ?? [];
      if (isFresh) members.set(number, ascendingMembers(toShared(matchedFresh[index] ?? [])));
      else if (hasReplaced || ofRules.length > 0)
        members.set(number, ascendingMembers(mergeNumbers(under.members(number), replaced, ofRules)));
    } else if (isFresh || hasReplaced || collection.products.some((handle) => handles.has(handle))) {
      const listed = collection.products.map((handle) => catalog.productNumber(handle));
      members.set(number, listedMembers(listed.filter((one) => one !== undefined)));
    }
  }
  return members;
}

/** Returns the members of a rule-based collection, which are already in static order. */
function ascendingMembers(list: Uint32Array): ChangedMembers {
  return { inOrder: list, ascending: list };
}

function listedMembers(list: readonly number[]): ChangedMembers {
  const inOrder = toShared(list);
  return { inOrder, ascending: toShared(inOrder).sort() };
}

/** Removes numbers from an ascending list and inserts others. */
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

/** Returns the numbers of the products that match each collection's rules, ascending. */
function matchAll(
  collections: readonly (Collection | undefined)[],
  products: Iterable<{ readonly product: RuledProduct; readonly number: number }>,
): readonly (readonly number[])[] {
  const match = createRuleMatcher(collections);
  const matched: number[][] = collections.map(() => []);
  for (const { product, number } of products) for (const index of match(product)) matched[index]?.push(number);
  return matched;
}

/** Yields the published products of the delta.  @param onHandle receives the handle of each product */
function* changedProducts(
  { rows }: PackedDelta,
  onHandle: (handle: string) => void,
): Generator<{ product: RuledProduct; number: number }> {
  const code = packedKinds.indexOf("product");
  for (let place = 0; place < rows.kinds.length; place += 1) {
    const json = rows.kinds[place] === code ? jsonAt(rows, place) : undefined;
    if (json === undefined) continue;
    const { handle, ...product } = ruledProduct(json);
    onHandle(handle);
    yield { product, number: numberAt(rows, place) };
  }
}

/** Yields every published product with only the fields that rules test. Parsing complete rows would take too long. */
function* allProducts(catalog: PackedCatalog): Generator<{ product: RuledProduct; number: number }> {
  for (const number of catalog.numbers("product")) {
    const json = catalog.json(number);
    if (json !== undefined) yield { product: ruledProduct(json), number };
  }
}

function ruledProduct(json: string): RuledProduct & { readonly handle: string } {
  const { handle, vendor = "", product_type: productType = "", tags = [] } = JSON.parse(json) as ProductJson;
  return { handle, vendor, productType, tags };
}

interface ProductJson {
  readonly handle: string;
  readonly vendor?: string;
  readonly product_type?: string;
  readonly tags?: readonly string[];
}

/** Returns the handles of blogs, computed again in static order if an article changed. */
function blogsOf(under: PackedCatalog, { rows, replaced }: DeltaRows, catalog: PackedCatalog): readonly string[] {
  const isArticle = (number: number): boolean =>
    kindAt(rows, number) === "article" || under.kindOf(number) === "article";
  if (!replaced.some(isArticle)) return under.blogs();
  const blogs = new Set<string>();
  for (const number of catalog.numbers("article")) {
    const article = catalog.entry(number);
    if (article?.kind === "article") blogs.add(article.blog);
  }
  return [...blogs];
}
