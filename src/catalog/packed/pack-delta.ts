import { type Entry, entryKinds, findEntry, type RowKind } from "../catalog.ts";
import { type Collection, type CollectionRuleInput, createRuleMatcher } from "../collection.ts";
import { SortedTitles } from "../facets/base-titles.ts";
import { createFacetBuilder, type FacetSettings } from "../facets/pack-facets.ts";
import { createSharedIds } from "../facets/shared-numbers.ts";
import { findCollections } from "./memberships.ts";
import { type CatalogRow, type CatalogSource, parseStoredRow } from "./pack-base.ts";
import {
  type ChangedMembers,
  type EntryLists,
  openCatalog,
  type PackedBase,
  type PackedCatalog,
  type PackedDelta,
} from "./packed-catalog.ts";
import {
  createRowBuilder,
  findFirstIndexAtLeast,
  HIDDEN_ROW_KIND,
  isEntryRow,
  isPublished,
  otherKinds,
  type PackedRows,
  packedKinds,
  positionOf,
  readJson,
  readNumber,
} from "./rows.ts";

/** Catalog changes that were stored after a revision of the catalog. */
export interface CatalogChanges {
  readonly since: number;
  readonly revision: number;
  /** Maximum number of changed rows, and the total bytes of their JSON. */
  readonly size: CatalogSource["size"];
  /**
   * Reads the changed rows of the given kinds after position `start`, up to and including position `lastPosition`, in
   * catalog order.
   */
  rows(kinds: readonly RowKind[], start: number, lastPosition: number): Iterable<CatalogRow>;
}

/**
 * Packs the rows that changed after a base catalog, or after an earlier delta, row by row.
 * @param olderDeltas deltas between the base catalog and these changes, oldest first
 * @param onEntry receives each published entry among the changes, by ascending document number
 */
export function packChangeSet(
  packedBase: PackedBase,
  olderDeltas: readonly PackedDelta[],
  changes: CatalogChanges,
  onEntry: (entry: Entry, number: number) => void,
  settings: FacetSettings,
): PackedDelta {
  const { since, revision, size } = changes;
  const previousCatalog = openCatalog(packedBase, olderDeltas);
  const packer = createRowBuilder({ maxRows: size.rows, maxBytes: size.bytes, isDense: false });
  const replacedNumbers = new Uint32Array(new SharedArrayBuffer(size.rows * 4));
  const { vocabulary, titleRanks } = packedBase.facets;
  const facets = createFacetBuilder(settings, { vocabulary, titles: new SortedTitles(packedBase.rows, titleRanks) });
  let position = 0;
  let count = 0;
  for (const { catalogRow, number } of assignNumbers(packedBase, changes)) {
    replacedNumbers[count] = number;
    count += 1;
    const row = parseStoredRow(catalogRow);
    if (row === undefined) continue;
    packer.add({ number, json: catalogRow.json, row });
    if (isPublished(row)) {
      if (row.kind === "product") facets.add(row, position, number);
      if (isEntryRow(row)) onEntry(row, number);
    }
    position += 1;
  }
  const rows = packer.finish();
  const unfinishedLayer = {
    sinceRevision: since,
    revision,
    rows,
    replacedNumbers: replacedNumbers.subarray(0, count),
    members: new Map(),
    facets: facets.finish(position),
  };
  const packedDelta: PackedDelta = {
    ...unfinishedLayer,
    lists: computeChangedLists(previousCatalog, unfinishedLayer),
    blogs: previousCatalog.blogs(),
  };
  const catalog = openCatalog(packedBase, [...olderDeltas, packedDelta]);
  return {
    ...packedDelta,
    members: computeChangedMembers(packedBase, previousCatalog, packedDelta, catalog),
    blogs: listBlogHandles(previousCatalog, packedDelta, catalog),
  };
}

/**
 * Assigns document numbers to the changed rows. A row of the base catalog keeps its number, even if it was deleted. The
 * number of a new row depends only on its position, so that it is the same in every delta. Within entries, and within
 * other rows, document numbers ascend in catalog order.
 */
function* assignNumbers(
  { positions, entryCount }: PackedBase,
  changes: CatalogChanges,
): Generator<{ readonly catalogRow: CatalogRow; readonly number: number }> {
  const maxPosition = Math.max(positions[entryCount - 1] ?? 0, positions.at(-1) ?? 0);
  const kindRanges = [
    [entryKinds, 0, entryCount],
    [otherKinds, entryCount, positions.length],
  ] as const;
  for (const [kinds, from, to] of kindRanges)
    for (const catalogRow of changes.rows(kinds, -1, maxPosition)) {
      const number = findFirstIndexAtLeast(positions, catalogRow.position, from, to);
      if (number === to || positions[number] !== catalogRow.position)
        throw new Error(`the base has no row at position ${catalogRow.position}, but later ones`);
      yield { catalogRow, number };
    }
  for (const catalogRow of changes.rows(packedKinds, maxPosition, Number.MAX_SAFE_INTEGER))
    yield { catalogRow, number: positions.length + catalogRow.position - maxPosition - 1 };
}

/** For each kind of entry, returns the new list of document numbers if the changes add or remove such entries. */
function computeChangedLists(olderCatalog: PackedCatalog, { rows, replacedNumbers }: DeltaRows): Partial<EntryLists> {
  const removalsByKind = new Map<string, Set<number>>(entryKinds.map((kind) => [kind, new Set()]));
  const addedLists = new Map<string, number[]>(entryKinds.map((kind) => [kind, []]));
  for (const number of replacedNumbers) {
    const previousKind = olderCatalog.kindOf(number);
    const kind = getKind(rows, number);
    if (previousKind === kind) continue;
    if (previousKind !== undefined) removalsByKind.get(previousKind)?.add(number);
    if (kind !== undefined) addedLists.get(kind)?.push(number);
  }
  const lists: Partial<Record<Entry["kind"], Uint32Array>> = {};
  for (const kind of entryKinds) {
    const [removedNumbers, addedNumbers] = [removalsByKind.get(kind) ?? new Set<number>(), addedLists.get(kind) ?? []];
    if (removedNumbers.size + addedNumbers.length > 0)
      lists[kind] = mergeNumbers(olderCatalog.numbers(kind), removedNumbers, addedNumbers);
  }
  return lists;
}

type DeltaRows = Pick<PackedDelta, "rows" | "replacedNumbers">;

/** Returns the kind of a row in the delta (changed rows); undefined if the delta does not contain the row. */
function getKind(rows: PackedRows, number: number): RowKind | undefined {
  const position = positionOf(rows, number);
  return position === undefined ? undefined : packedKinds[rows.kinds[position] ?? HIDDEN_ROW_KIND];
}

/** Returns the products of each collection whose product list the changed rows may affect. */
function computeChangedMembers(
  packedBase: PackedBase,
  olderCatalog: PackedCatalog,
  newDelta: PackedDelta,
  catalog: PackedCatalog,
): ReadonlyMap<number, ChangedMembers> {
  const numbers = [...catalog.numbers("collection")];
  if (numbers.length === 0) return new Map();
  const replacedNumbers = new Set(newDelta.replacedNumbers);
  const collections = numbers.map((number) => findEntry(catalog, "collection", number));
  const handles = new Set<string>();
  const matchesByCollection = matchRules(
    collections,
    readChangedProducts(newDelta, (handle) => handles.add(handle)),
  );
  // A new or changed collection may have new rules, so it is matched with every product.
  const changedCollections = collections.map((candidate, index) =>
    replacedNumbers.has(numbers[index] ?? -1) ? candidate : undefined,
  );
  const ruleMatches = changedCollections.some((candidate) => candidate?.rules !== undefined)
    ? matchRules(changedCollections, listAllProducts(catalog))
    : [];
  const collectionsInBase = new Set<number>();
  for (const number of replacedNumbers)
    for (const collection of findCollections(packedBase.memberships, number)) collectionsInBase.add(collection);

  const members = new Map<number, ChangedMembers>();
  for (const [index, collection] of collections.entries()) {
    const number = numbers[index] ?? 0;
    const isChanged = changedCollections[index] !== undefined;
    const hasReplacedMember =
      collectionsInBase.has(number) || olderCatalog.members(number).some((member) => replacedNumbers.has(member));
    if (collection === undefined) continue;
    if (collection.rules !== undefined) {
      const newMatches = matchesByCollection[index] ?? [];
      if (isChanged) members.set(number, toSortedMembers(createSharedIds(ruleMatches[index] ?? [])));
      else if (hasReplacedMember || newMatches.length > 0)
        members.set(number, toSortedMembers(mergeNumbers(olderCatalog.members(number), replacedNumbers, newMatches)));
    } else if (isChanged || hasReplacedMember || collection.products.some((handle) => handles.has(handle))) {
      const productNumbers = collection.products.map((handle) => catalog.productNumber(handle));
      members.set(number, toMemberLists(productNumbers.filter((candidate) => candidate !== undefined)));
    }
  }
  return members;
}

/** Returns the product lists of a rule-based collection. Both are the same, because it is sorted by document number. */
function toSortedMembers(list: Uint32Array): ChangedMembers {
  return { membersInOrder: list, sortedMembers: list };
}

function toMemberLists(list: readonly number[]): ChangedMembers {
  const sharedList = createSharedIds(list);
  return { membersInOrder: sharedList, sortedMembers: createSharedIds(sharedList).sort() };
}

/** Removes document numbers from an ascending list and inserts other numbers. */
function mergeNumbers(
  list: Uint32Array,
  removedNumbers: ReadonlySet<number>,
  addedNumbers: readonly number[],
): Uint32Array {
  const sortedAdditions = [...addedNumbers].sort((a, b) => a - b);
  const mergedNumbers = new Uint32Array(new SharedArrayBuffer((list.length + sortedAdditions.length) * 4));
  let count = 0;
  let nextIndex = 0;
  for (const number of list) {
    if (removedNumbers.has(number)) continue;
    for (; nextIndex < sortedAdditions.length && (sortedAdditions[nextIndex] as number) < number; nextIndex += 1) {
      mergedNumbers[count] = sortedAdditions[nextIndex] as number;
      count += 1;
    }
    mergedNumbers[count] = number;
    count += 1;
  }
  mergedNumbers.set(sortedAdditions.slice(nextIndex), count);
  return mergedNumbers.subarray(0, count + sortedAdditions.length - nextIndex);
}

/** Returns the document numbers of the products that match each collection's rules, ascending. */
function matchRules(
  collections: readonly (Collection | undefined)[],
  products: Iterable<{ readonly product: CollectionRuleInput; readonly number: number }>,
): readonly (readonly number[])[] {
  const match = createRuleMatcher(collections);
  const matchesByCollection: number[][] = collections.map(() => []);
  for (const { product, number } of products)
    for (const index of match(product)) matchesByCollection[index]?.push(number);
  return matchesByCollection;
}

/** Yields the published products among the changed rows.  @param visitHandle receives the handle of each product */
function* readChangedProducts(
  { rows }: PackedDelta,
  visitHandle: (handle: string) => void,
): Generator<{ product: CollectionRuleInput; number: number }> {
  const code = packedKinds.indexOf("product");
  for (let position = 0; position < rows.kinds.length; position += 1) {
    const json = rows.kinds[position] === code ? readJson(rows, position) : undefined;
    if (json === undefined) continue;
    const { handle, ...product } = parseRuleInput(json);
    visitHandle(handle);
    yield { product, number: readNumber(rows, position) };
  }
}

/** Yields every published product with only the fields that rules test. Parsing complete rows would take too long. */
function* listAllProducts(catalog: PackedCatalog): Generator<{ product: CollectionRuleInput; number: number }> {
  for (const number of catalog.numbers("product")) {
    const json = catalog.json(number);
    if (json !== undefined) yield { product: parseRuleInput(json), number };
  }
}

function parseRuleInput(json: string): CollectionRuleInput & { readonly handle: string } {
  const { handle, vendor = "", product_type: productType = "", tags = [] } = JSON.parse(json) as ProductJson;
  return { handle, vendor, productType, tags };
}

interface ProductJson {
  readonly handle: string;
  readonly vendor?: string;
  readonly product_type?: string;
  readonly tags?: readonly string[];
}

/** Returns the handles of blogs. If an article changed, computes them again in catalog order. */
function listBlogHandles(
  olderCatalog: PackedCatalog,
  { rows, replacedNumbers }: DeltaRows,
  catalog: PackedCatalog,
): readonly string[] {
  const isArticle = (number: number): boolean =>
    getKind(rows, number) === "article" || olderCatalog.kindOf(number) === "article";
  if (!replacedNumbers.some(isArticle)) return olderCatalog.blogs();
  const blogs = new Set<string>();
  for (const number of catalog.numbers("article")) {
    const article = catalog.entry(number);
    if (article?.kind === "article") blogs.add(article.blog);
  }
  return [...blogs];
}
