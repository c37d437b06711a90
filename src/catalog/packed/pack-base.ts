import { type Entry, entryKinds, type Row, type RowKind } from "../catalog.ts";
import type { Collection } from "../collection.ts";
import { createFacetBuilder, type FacetSettings } from "../facets/pack-facets.ts";
import { createSharedIds } from "../facets/shared-numbers.ts";
import { readRow } from "../rows/parse-row.ts";
import { createMembershipBuilder } from "./memberships.ts";
import type { EntryLists, PackedBase } from "./packed-catalog.ts";
import { createRowBuilder, HIDDEN_ROW_KIND, isPublished, otherKinds, type PackedRows } from "./rows.ts";
import type { TextFile } from "./texts.ts";

/** A catalog row as stored in the database. */
export interface CatalogRow {
  readonly kind: RowKind;
  /** Position in the catalog order, unique in the catalog. */
  readonly position: number;
  /** Whether the row was deleted. Its position stays reserved, because the row may be added again. */
  readonly isDeleted: boolean;
  /** JSON of the row, written by `formatRow`; "" for a deleted row. */
  readonly json: string;
}

/** Source of a catalog to be packed, which reads rows by kind in catalog order. */
export interface CatalogSource {
  readonly revision: number;
  /** Number of rows of all kinds, and the total bytes of their JSON. */
  readonly size: { readonly rows: number; readonly bytes: number };
  rows(kinds: readonly RowKind[]): Iterable<CatalogRow>;
}

/**
 * Packs a complete catalog row by row.
 * @param onEntry receives each published entry, by ascending document number
 * @param file destination of the rows' texts; default: memory
 */
export function packCatalog(
  catalog: CatalogSource,
  onEntry: (entry: Entry, number: number) => void,
  settings: FacetSettings,
  file?: TextFile,
): PackedBase {
  const { rows: count, bytes } = catalog.size;
  const packer = createRowBuilder({ maxRows: count, maxBytes: bytes, isDense: true, file });
  const positions = new Float64Array(new SharedArrayBuffer(count * 8));
  // Collections are packed first, because products are matched with them during packing.
  const memberships = createMembershipBuilder(listPublishedCollections(catalog));
  const facets = createFacetBuilder(settings);
  const collectionNumbers: number[] = [];
  const blogs = new Set<string>();
  let number = 0;
  const addRow = (source: CatalogRow): Row | undefined => {
    const row = parseStoredRow(source);
    packer.add({ number, json: source.json, row });
    positions[number] = source.position;
    number += 1;
    return row !== undefined && isPublished(row) ? row : undefined;
  };
  for (const source of catalog.rows(entryKinds)) {
    const row = addRow(source);
    if (row === undefined) continue;
    if (row.kind === "product") {
      memberships.addProduct(row, number - 1);
      facets.add(row, number - 1, number - 1);
    } else if (row.kind === "collection") collectionNumbers.push(number - 1);
    else if (row.kind === "article") blogs.add(row.blog);
    onEntry(row as Entry, number - 1);
  }
  const entryCount = number;
  for (const source of catalog.rows(otherKinds)) addRow(source);
  const rows = packer.finish();
  return {
    revision: catalog.revision,
    rows,
    lists: collectEntries(rows, entryCount),
    positions: positions.subarray(0, number),
    entryCount,
    memberships: memberships.finish(collectionNumbers, entryCount),
    blogs: [...blogs],
    facets: facets.finish(entryCount),
  };
}

/** Returns the document numbers of the published entries of each kind, ascending. */
function collectEntries({ kinds }: PackedRows, entryCount: number): EntryLists {
  const lists = entryKinds.map((): number[] => []);
  for (let number = 0; number < entryCount; number += 1) lists[kinds[number] ?? HIDDEN_ROW_KIND]?.push(number);
  return Object.fromEntries(entryKinds.map((kind, code) => [kind, createSharedIds(lists[code] ?? [])])) as EntryLists;
}

/** Parses a stored row, published or not; returns undefined for a deleted row. */
export function parseStoredRow({ kind, json, isDeleted }: CatalogRow): Row | undefined {
  return isDeleted ? undefined : readRow(kind, json);
}

function listPublishedCollections(catalog: CatalogSource): readonly Collection[] {
  const collections: Collection[] = [];
  for (const source of catalog.rows(["collection"])) {
    const row = parseStoredRow(source);
    if (row?.kind === "collection" && row.published) collections.push(row);
  }
  return collections;
}
