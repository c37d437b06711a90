import { hasBit } from "../arrays/bits.ts";
import type { Phrases } from "../suggest/phrases.ts";
import type { Dictionary } from "../terms/dictionary.ts";
import type { Categories } from "./categories.ts";
import type { FrequentRanges } from "./frequent-ranges.ts";
import type { ForwardIndex, ForwardIndexWithPayloads, Postings, PostingsWithPayloads } from "./postings.ts";

/** The documents of one locale in a segment. Within the leaf a document is known by its doc id. Doc ids are in the order of static rank: by type,
 *  available first, then by popularity, then by external id. The best come first, so that a search may stop early. */
export interface Leaf {
  readonly locale: string;
  readonly documents: DocumentTable;
  /** Undefined if no document has one. */
  readonly categories?: Categories | undefined;
  readonly terms: Dictionary;
  /** Primary fields: all fields except the body. */
  readonly primary: { readonly postings: PostingsWithPayloads; readonly forward: ForwardIndexWithPayloads };
  /** The body. Terms that are also in primary fields are stored only there (see `alsoInBody`). */
  readonly body: { readonly postings: Postings; readonly forward: ForwardIndex };
  readonly frequent: FrequentRanges;
  readonly phrases: Phrases;
}

/** By doc id, but for `byExternalId`. */
export interface DocumentTable {
  /** The caller's ids. */
  readonly externalIds: Uint32Array;
  /** Doc ids in ascending order of external ids. */
  readonly byExternalId: Uint32Array;
  /** Values for scoring each document, packed in one number; see `packDocValues`. */
  readonly docValues: Uint32Array;
  /** By ascending doc id; together all documents. */
  readonly partitions: readonly Partition[];
}

/** Doc ids `from` up to, not including, `to`: the available or the unavailable documents of one type. */
export interface Partition {
  readonly type: number;
  readonly isAvailable: boolean;
  readonly from: number;
  readonly to: number;
}

/** Deleted documents of a leaf. The bits are in shared memory, like leaves. */
export interface LeafDeletes {
  /** One bit per doc id; undefined without deletions. */
  readonly deleted?: Uint32Array;
  readonly deletedCount: number;
  /** Doc ids of the deleted documents if they are few; undefined if they are many. */
  readonly fewDeleted?: readonly number[];
}

/**
 * A leaf with the documents of it that an index hides: changed or deleted later, or replaced by those of another
 * locale.
 */
export interface LeafReader extends LeafDeletes {
  readonly leaf: Leaf;
}

export function isDeleted(deleted: LeafReader["deleted"], docId: number): boolean {
  return deleted !== undefined && hasBit(deleted, docId);
}

/** Doc id of a document, or -1. */
export function docIdOf({ externalIds, byExternalId }: DocumentTable, externalId: number): number {
  let low = 0;
  let high = byExternalId.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((externalIds[byExternalId[middle] as number] as number) < externalId) low = middle + 1;
    else high = middle;
  }
  const docId = byExternalId[low];
  return docId !== undefined && externalIds[docId] === externalId ? docId : -1;
}

/** The partition that a document is in. */
export function partitionOf({ partitions }: DocumentTable, docId: number): Partition {
  const partition = partitions.find(({ to }) => docId < to);
  if (partition === undefined) throw new Error(`no document with id ${docId}`);
  return partition;
}
