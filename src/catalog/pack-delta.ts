import type { Entry, Row } from "./catalog.ts";
import type { Collection } from "./collection.ts";
import { createRuleMatcher, type RuledProduct } from "./collection-rules.ts";
import { membersOf } from "./memberships.ts";
import { isPublished, type KeptRow } from "./pack-base.ts";
import { openCatalog, type PackedBase, type PackedCatalog, type PackedDelta, staticOrder } from "./packed-catalog.ts";
import { createRowPacker, HIDDEN, jsonAt, lowerBound, type NumberedRow, packedKinds } from "./packed-rows.ts";
import { readRow } from "./parse-row.ts";

/** A row that is otherwise than in the base. */
export interface ChangedRow extends KeptRow {
  readonly deleted: boolean;
}

/** Packs what changed since a base. @param changed in static order
 *  @param onEntry told of each published entry among them, by number, ascending */
export function packDelta(
  base: PackedBase,
  revision: number,
  changed: readonly ChangedRow[],
  onEntry: (entry: Entry, number: number) => void,
): PackedDelta {
  const { numbered, positions } = numberRows(base, changed);
  const baseCount = base.positions.length;
  const replaced = Uint32Array.from(numbered.map(({ number }) => number).filter((number) => number < baseCount));
  const live = numbered.filter(({ row }) => row !== undefined);
  const bytes = live.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  const packer = createRowPacker(live.length, bytes, false);
  for (const one of live) {
    packer.add(one);
    if (one.row !== undefined && isEntry(one.row)) onEntry(one.row, one.number);
  }
  const rows = packer.finish();
  const unsettled: PackedDelta = { revision, rows, positions, replaced, members: new Map(), blogs: base.blogs };
  const catalog = openCatalog(base, unsettled);
  return {
    ...unsettled,
    members: changedMembers(base, unsettled, catalog, live),
    blogs: blogsOf(base, unsettled, catalog, live),
  };
}

/** A row that the base has keeps its number, told by its position; a new one gets the next, in static order. */
function numberRows(
  base: PackedBase,
  changed: readonly ChangedRow[],
): { readonly numbered: readonly NumberedRow[]; readonly positions: Float64Array } {
  const { positions, entryCount } = base;
  const added: number[] = [];
  const numbered: NumberedRow[] = [];
  for (const { kind, position, json, deleted } of changed) {
    const parsed = deleted ? undefined : readRow(kind, json);
    const row = parsed !== undefined && isPublished(parsed) ? parsed : undefined;
    const isEntryKind = kind !== "discount" && kind !== "gift_card" && kind !== "customer";
    const [from, to] = isEntryKind ? [0, entryCount] : [entryCount, positions.length];
    const known = lowerBound(positions, position, from, to);
    if (known < to && positions[known] === position) numbered.push({ number: known, json, row });
    else {
      numbered.push({ number: positions.length + added.length, json, row });
      added.push(position);
    }
  }
  const shared = new Float64Array(new SharedArrayBuffer(added.length * Float64Array.BYTES_PER_ELEMENT));
  shared.set(added);
  return { numbered: numbered.sort((a, b) => a.number - b.number), positions: shared };
}

/** Products of each collection that may hold others than in the base. */
function changedMembers(
  base: PackedBase,
  delta: PackedDelta,
  catalog: PackedCatalog,
  live: readonly NumberedRow[],
): ReadonlyMap<number, Uint32Array> {
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

  const members = new Map<number, Uint32Array>();
  for (const [index, collection] of collections.entries()) {
    const number = numbers[index] ?? 0;
    const before = membersOf(base.memberships, number) ?? new Uint32Array(0);
    const isFresh = fresh[index] !== undefined;
    const hasReplaced = before.some((one) => replaced.has(one));
    if (collection === undefined) continue;
    if (collection.rules !== undefined) {
      if (isFresh) members.set(number, Uint32Array.from(matchedFresh[index] ?? []));
      else if (hasReplaced || (matched[index]?.length ?? 0) > 0) {
        const kept = before.filter((one) => !replaced.has(one));
        members.set(number, Uint32Array.from([...kept, ...(matched[index] ?? [])]).sort(staticOrder(base, delta)));
      }
    } else if (isFresh || hasReplaced || collection.products.some((handle) => handles.has(handle))) {
      const listed = collection.products.map((handle) => catalog.productNumber(handle));
      members.set(number, Uint32Array.from(listed.filter((one) => one !== undefined)));
    }
  }
  return members;
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
