import { hasBit } from "../arrays/bits.ts";
import type { Phrases } from "../suggest/phrases.ts";
import type { Dictionary } from "../terms/dictionary.ts";
import type { Categories } from "./categories.ts";
import type { FrequentRanges } from "./frequent-ranges.ts";
import type { ForwardIndex, ForwardIndexWithPayloads, Postings, PostingsWithPayloads } from "./postings.ts";

/**
 * The documents of one locale in an index segment. Inside the leaf, a document is identified by its doc id. Doc ids are
 * in the order of static rank: by type, available documents first, then by popularity, then by external id. The best
 * documents come first, so that a search may stop early.
 */
export interface Leaf {
  readonly locale: string;
  readonly documents: DocumentTable;
  /** Categories of the documents; undefined if no document has one. */
  readonly categories?: Categories | undefined;
  readonly terms: Dictionary;
  /** Index of the primary fields, which are all fields except the body. */
  readonly primary: { readonly postings: PostingsWithPayloads; readonly forward: ForwardIndexWithPayloads };
  /** Index of the body field. It omits terms that another field of the document contains too (see `bodyFieldBit`). */
  readonly body: { readonly postings: Postings; readonly forward: ForwardIndex };
  readonly frequent: FrequentRanges;
  readonly phrases: Phrases;
}

/** Data of the documents of one language in a segment. All arrays except `byExternalId` are indexed by doc id. */
export interface DocumentTable {
  readonly externalIds: Uint32Array;
  /** Doc ids in ascending order of external ids. */
  readonly byExternalId: Uint32Array;
  /** Packed values for scoring each document (see `packDocValues`). */
  readonly docValues: Uint32Array;
  /** Partitions in ascending order of doc ids. Together they contain all documents. */
  readonly partitions: readonly Partition[];
}

/** The available or the unavailable documents of one type, with doc ids from `from` to `to` (exclusive). */
export interface Partition {
  readonly type: number;
  readonly isAvailable: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * Deleted documents of one language in a segment. Their bits are in shared memory, so that all threads can read them.
 */
export interface LeafDeletes {
  /** One bit per doc id; undefined without deletions. */
  readonly deleted?: Uint32Array;
  readonly deletedCount: number;
  /** Doc ids of the deleted documents; undefined if there are many. */
  readonly fewDeletedDocIds?: readonly number[];
}

/**
 * The documents of one language in a segment (a leaf), and the documents among them that a search must not find. A
 * document is hidden if a newer segment changed or deleted it. A document of the default locale is also hidden if it
 * has a version in the searched locale.
 */
export interface LeafReader extends LeafDeletes {
  readonly leaf: Leaf;
}

export function isDeleted(deletedDocs: LeafReader["deleted"], docId: number): boolean {
  return deletedDocs !== undefined && hasBit(deletedDocs, docId);
}

/** Returns the doc id of a document, or -1. */
export function docIdOf({ externalIds, byExternalId }: DocumentTable, externalId: number): number {
  let low = 0;
  let high = byExternalId.length;
  while (low < high) {
    const middleIndex = (low + high) >>> 1;
    if ((externalIds[byExternalId[middleIndex] as number] as number) < externalId) low = middleIndex + 1;
    else high = middleIndex;
  }
  const docId = byExternalId[low];
  return docId !== undefined && externalIds[docId] === externalId ? docId : -1;
}

export function partitionOf({ partitions }: DocumentTable, docId: number): Partition {
  const partition = partitions.find(({ to }) => docId < to);
  if (partition === undefined) throw new Error(`no document with id ${docId}`);
  return partition;
}
