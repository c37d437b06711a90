import type { Entry, Kind, Row } from "./catalog.ts";
import type { Collection } from "./collection.ts";
import { createMembershipBuilder } from "./memberships.ts";
import type { PackedBase } from "./packed-catalog.ts";
import { createRowPacker } from "./packed-rows.ts";
import { readRow } from "./parse-row.ts";

/** A row as the store has it. */
export interface KeptRow {
  readonly kind: Kind;
  /** Place in the static order; unique. */
  readonly position: number;
  /** As `formatRow` wrote it. */
  readonly json: string;
}

/** A catalogue to be packed: rows in static order, of some kinds at a time. */
export interface KeptCatalog {
  readonly revision: number;
  /** How many rows of all kinds there are, and the bytes of their JSON. */
  readonly size: { readonly rows: number; readonly bytes: number };
  rows(kinds: readonly Kind[]): Iterable<KeptRow>;
}

export const entryKinds = ["product", "collection", "page", "article", "bundle"] as const satisfies readonly Kind[];
export const otherKinds = ["discount", "gift_card", "customer"] as const satisfies readonly Kind[];

/** Packs a whole catalogue, one row after the other. @param onEntry told of each published entry, by number, ascending */
export function packBase(catalog: KeptCatalog, onEntry: (entry: Entry, number: number) => void): PackedBase {
  const { rows: count, bytes } = catalog.size;
  const packer = createRowPacker(count, bytes, true);
  const positions = new Float64Array(new SharedArrayBuffer(count * 8));
  // Collections come first: which of them hold a product is asked while products pass by.
  const memberships = createMembershipBuilder(publishedCollections(catalog));
  const collectionNumbers: number[] = [];
  const blogs = new Set<string>();
  let number = 0;
  const add = (kept: KeptRow): Row | undefined => {
    const read = readRow(kept.kind, kept.json);
    const row = isPublished(read) ? read : undefined;
    packer.add({ number, json: kept.json, row });
    positions[number] = kept.position;
    number += 1;
    return row;
  };
  for (const kept of catalog.rows(entryKinds)) {
    const row = add(kept);
    if (row === undefined) continue;
    if (row.kind === "product") memberships.addProduct(row, number - 1);
    else if (row.kind === "collection") collectionNumbers.push(number - 1);
    else if (row.kind === "article") blogs.add(row.blog);
    onEntry(row as Entry, number - 1);
  }
  const entryCount = number;
  for (const kept of catalog.rows(otherKinds)) add(kept);
  return {
    revision: catalog.revision,
    rows: packer.finish(),
    positions: positions.subarray(0, number),
    entryCount,
    memberships: memberships.finish(collectionNumbers, entryCount),
    blogs: [...blogs],
  };
}

export function isPublished(row: Row): boolean {
  return !("published" in row) || row.published;
}

function publishedCollections(catalog: KeptCatalog): readonly Collection[] {
  const collections: Collection[] = [];
  for (const { kind, json } of catalog.rows(["collection"])) {
    const row = readRow(kind, json);
    if (row.kind === "collection" && row.published) collections.push(row);
  }
  return collections;
}
