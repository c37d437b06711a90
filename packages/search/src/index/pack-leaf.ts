import { sharedUint16, sharedUint32, type Uint16List, type Uint32List } from "../arrays/shared-arrays.ts";
import type { SchemaPoints } from "../scoring/field-points.ts";
import type { Phrases } from "../suggest/phrases.ts";
import { packSortedTexts } from "../terms/dictionary.ts";
import type { TermTable } from "../terms/term-table.ts";
import { sortTexts } from "../terms/text-order.ts";
import type { CategoryLog } from "./categories.ts";
import { packFrequentRanges } from "./champion-lists.ts";
import { packDocValues } from "./doc-values.ts";
import type { DocumentTable, Leaf, Partition } from "./leaf.ts";
import type { ForwardIndex, ForwardIndexWithPayloads, Postings, PostingsWithPayloads } from "./postings.ts";

/**
 * Tokenized documents, by ascending external id; terms are numbers of a `TermTable`. The entries of document n are
 * `starts[n]` up to `starts[n + 1]` (exclusive).
 */
export interface DocumentLog {
  readonly externalIds: Uint32List;
  /** See `staticRank`. */
  readonly ranks: Uint32List;
  /** See `packLengths`. */
  readonly lengths: Uint32List;
  readonly categories: CategoryLog;
  readonly primary: { readonly starts: Uint32List; readonly terms: Uint32List; readonly payloads: Uint16List };
  readonly body: { readonly starts: Uint32List; readonly terms: Uint32List };
}

/** Packs a log into a leaf: documents by static rank, terms in ascending order. Empties the log. */
export function packLeaf(
  locale: string,
  log: DocumentLog,
  table: TermTable,
  phrases: Phrases,
  points: SchemaPoints,
): Leaf {
  const sorted = sortTexts(table.view());
  const ordinals = new Uint32Array(sorted.length);
  for (let ordinal = 0; ordinal < sorted.length; ordinal += 1) ordinals[sorted[ordinal] as number] = ordinal;
  const order = staticOrder(log.ranks.view());
  const documents = packDocuments(log, order);
  const terms = packSortedTexts(table.view(), sorted);
  const primaryForward = packForwardWithPayloads(log.primary, order, ordinals);
  log.primary.terms.clear();
  log.primary.payloads.clear();
  const primary = { forward: primaryForward, postings: packPostingsWithPayloads(primaryForward, sorted.length) };
  const bodyForward = packForward(log.body, order, ordinals);
  log.body.terms.clear();
  const body = { forward: bodyForward, postings: packPostings(bodyForward, sorted.length) };
  const frequent = packFrequentRanges(terms, primary.postings, documents, points.forFields());
  const categories = log.categories.pack(order);
  return { locale, documents, categories, terms, primary, body, frequent, phrases };
}

/** Documents by static rank; equals as they were read. */
function staticOrder(ranks: Uint32Array): Uint32Array {
  const keys = new Float64Array(ranks.length);
  for (let document = 0; document < ranks.length; document += 1)
    keys[document] = (ranks[document] as number) * 0x100000000 + document;
  keys.sort();
  // Conversion to 32 bits drops the rank from each key.
  return new Uint32Array(keys);
}

function packDocuments(log: DocumentLog, order: Uint32Array): DocumentTable {
  const count = order.length;
  const table = {
    externalIds: sharedUint32(count),
    byExternalId: sharedUint32(count),
    docValues: sharedUint32(count),
  };
  const partitions: Partition[] = [];
  let from = 0;
  for (let docId = 0; docId < count; docId += 1) {
    const document = order[docId] as number;
    const rank = log.ranks.get(document);
    table.externalIds[docId] = log.externalIds.get(document);
    table.byExternalId[document] = docId;
    table.docValues[docId] = packDocValues(0xffff - (rank & 0xffff), log.lengths.get(document));
    const isLast = docId + 1 === count;
    if (!isLast && log.ranks.get(order[docId + 1] as number) >>> 16 === rank >>> 16) continue;
    partitions.push({ type: rank >>> 17, isAvailable: (rank & 0x10000) === 0, from, to: docId + 1 });
    from = docId + 1;
  }
  return { ...table, partitions };
}

function packForwardWithPayloads(
  log: DocumentLog["primary"],
  order: Uint32Array,
  ordinals: Uint32Array,
): ForwardIndexWithPayloads {
  const payloads = sharedUint16(log.terms.length);
  return { ...packForward(log, order, ordinals, { logged: log.payloads.view(), packed: payloads }), payloads };
}

/** @param payloads moved along with the terms */
function packForward(
  log: DocumentLog["body"],
  order: Uint32Array,
  ordinals: Uint32Array,
  payloads?: { readonly logged: Uint16Array; readonly packed: Uint16Array },
): ForwardIndex {
  const logged = log.terms.view();
  const loggedStarts = log.starts.view();
  const starts = sharedUint32(order.length + 1);
  const terms = sharedUint32(logged.length);
  let end = 0;
  for (let docId = 0; docId < order.length; docId += 1) {
    const document = order[docId] as number;
    const from = loggedStarts[document] as number;
    const length = (loggedStarts[document + 1] as number) - from;
    for (let index = 0; index < length; index += 1)
      terms[end + index] = ordinals[logged[from + index] as number] as number;
    if (payloads !== undefined)
      for (let index = 0; index < length; index += 1)
        payloads.packed[end + index] = payloads.logged[from + index] as number;
    if (length > longRow) sortLongRow(terms, payloads?.packed, end, end + length);
    else sortRow(terms, payloads?.packed, end, end + length);
    end += length;
    starts[docId + 1] = end;
  }
  return { starts, terms };
}

/** Number of entries from which the terms of a document are sorted by `sort`; insertion sort is faster for fewer. */
const longRow = 64;

function sortRow(terms: Uint32Array, payloads: Uint16Array | undefined, from: number, to: number): void {
  for (let index = from + 1; index < to; index += 1) {
    const term = terms[index] as number;
    if ((terms[index - 1] as number) < term) continue;
    const value = payloads === undefined ? 0 : (payloads[index] as number);
    let at = index;
    for (; at > from && (terms[at - 1] as number) > term; at -= 1) {
      terms[at] = terms[at - 1] as number;
      if (payloads !== undefined) payloads[at] = payloads[at - 1] as number;
    }
    terms[at] = term;
    if (payloads !== undefined) payloads[at] = value;
  }
}

/** Sorts terms and payloads, packed into one number each. */
function sortLongRow(terms: Uint32Array, payloads: Uint16Array | undefined, from: number, to: number): void {
  const keys = new Float64Array(to - from);
  for (let index = from; index < to; index += 1)
    keys[index - from] =
      (terms[index] as number) * 0x10000 + (payloads === undefined ? 0 : (payloads[index] as number));
  keys.sort();
  keys.forEach((key, index) => {
    terms[from + index] = Math.floor(key / 0x10000);
    if (payloads !== undefined) payloads[from + index] = key % 0x10000;
  });
}

function packPostingsWithPayloads(forward: ForwardIndexWithPayloads, termCount: number): PostingsWithPayloads {
  const payloads = sharedUint16(forward.terms.length);
  const postings = packPostings(forward, termCount, (at, entry) => {
    payloads[at] = forward.payloads[entry] as number;
  });
  return { ...postings, payloads };
}

/** Inverts a forward index by a counting sort. Documents of a term ascend, as in the forward index. */
function packPostings(
  { starts: rowStarts, terms }: ForwardIndex,
  termCount: number,
  onEntry?: (at: number, entry: number) => void,
): Postings {
  const starts = sharedUint32(termCount + 1);
  for (let entry = 0; entry < terms.length; entry += 1) {
    const after = (terms[entry] as number) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  for (let term = 0; term < termCount; term += 1)
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  const next = starts.slice();
  const documents = sharedUint32(terms.length);
  for (let docId = 0; docId + 1 < rowStarts.length; docId += 1) {
    const end = rowStarts[docId + 1] as number;
    for (let entry = rowStarts[docId] as number; entry < end; entry += 1) {
      const term = terms[entry] as number;
      const at = next[term] as number;
      next[term] = at + 1;
      documents[at] = docId;
      onEntry?.(at, entry);
    }
  }
  return { starts, documents };
}
