import { createSharedUint16, createSharedUint32, type Uint16List, type Uint32List } from "../arrays/shared-arrays.ts";
import type { SchemaScores } from "../scoring/field-scores.ts";
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
 * Tokenized documents in ascending order of external ids. Terms are numbers of a `TermTable`. Document n has the
 * entries from `starts[n]` to `starts[n + 1]` (exclusive).
 */
export interface TokenizedDocuments {
  readonly externalIds: Uint32List;
  /** Static rank of each document (see `computeStaticRank`). */
  readonly ranks: Uint32List;
  /** Packed field lengths of each document (see `packLengths`). */
  readonly lengths: Uint32List;
  readonly categories: CategoryLog;
  readonly primary: { readonly starts: Uint32List; readonly terms: Uint32List; readonly payloads: Uint16List };
  readonly body: { readonly starts: Uint32List; readonly terms: Uint32List };
}

/**
 * Builds the index of one language in a segment from tokenized documents. Sorts the documents by static rank and their
 * terms in ascending order. Clears the terms of the log to save memory, so the log must not be used afterwards.
 */
export function packLeaf(
  locale: string,
  log: TokenizedDocuments,
  termTable: TermTable,
  phrases: Phrases,
  schemaScores: SchemaScores,
): Leaf {
  const sortedTerms = sortTexts(termTable.view());
  const ordinals = new Uint32Array(sortedTerms.length);
  for (let ordinal = 0; ordinal < sortedTerms.length; ordinal += 1) ordinals[sortedTerms[ordinal] as number] = ordinal;
  const documentOrder = sortByStaticRank(log.ranks.view());
  const documents = packDocuments(log, documentOrder);
  const terms = packSortedTexts(termTable.view(), sortedTerms);
  const primaryTermRows = packForwardWithPayloads(log.primary, documentOrder, ordinals);
  log.primary.terms.clear();
  log.primary.payloads.clear();
  const primaryField = {
    forward: primaryTermRows,
    postings: packPostingsWithPayloads(primaryTermRows, sortedTerms.length),
  };
  const bodyForwardIndex = packForwardIndex(log.body, documentOrder, ordinals);
  log.body.terms.clear();
  const body = { forward: bodyForwardIndex, postings: packPostings(bodyForwardIndex, sortedTerms.length) };
  const frequentRanges = packFrequentRanges(terms, primaryField.postings, documents, schemaScores.getScoresForFields());
  const categories = log.categories.pack(documentOrder);
  return { locale, documents, categories, terms, primary: primaryField, body, frequent: frequentRanges, phrases };
}

/** Returns documents by static rank. Documents with equal ranks remain in input order. */
function sortByStaticRank(ranks: Uint32Array): Uint32Array {
  const keys = new Float64Array(ranks.length);
  for (let document = 0; document < ranks.length; document += 1)
    keys[document] = (ranks[document] as number) * 0x100000000 + document;
  keys.sort();
  // The conversion keeps the lower 32 bits of each key, which are the document number.
  return new Uint32Array(keys);
}

function packDocuments(log: TokenizedDocuments, documentOrder: Uint32Array): DocumentTable {
  const count = documentOrder.length;
  const documentTable = {
    externalIds: createSharedUint32(count),
    byExternalId: createSharedUint32(count),
    docValues: createSharedUint32(count),
  };
  const partitions: Partition[] = [];
  let from = 0;
  for (let docId = 0; docId < count; docId += 1) {
    const document = documentOrder[docId] as number;
    const rank = log.ranks.get(document);
    documentTable.externalIds[docId] = log.externalIds.get(document);
    documentTable.byExternalId[document] = docId;
    documentTable.docValues[docId] = packDocValues(0xffff - (rank & 0xffff), log.lengths.get(document));
    const isLastDocument = docId + 1 === count;
    if (!isLastDocument && log.ranks.get(documentOrder[docId + 1] as number) >>> 16 === rank >>> 16) continue;
    partitions.push({ type: rank >>> 17, isAvailable: (rank & 0x10000) === 0, from, to: docId + 1 });
    from = docId + 1;
  }
  return { ...documentTable, partitions };
}

function packForwardWithPayloads(
  log: TokenizedDocuments["primary"],
  documentOrder: Uint32Array,
  ordinals: Uint32Array,
): ForwardIndexWithPayloads {
  const payloads = createSharedUint16(log.terms.length);
  return {
    ...packForwardIndex(log, documentOrder, ordinals, { source: log.payloads.view(), target: payloads }),
    payloads,
  };
}

/**
 * Packs the terms of all documents in the order of their doc ids.
 * @param payloads source and target of the terms' payloads
 */
function packForwardIndex(
  log: TokenizedDocuments["body"],
  documentOrder: Uint32Array,
  ordinals: Uint32Array,
  payloads?: { readonly source: Uint16Array; readonly target: Uint16Array },
): ForwardIndex {
  const sourceTerms = log.terms.view();
  const sourceStarts = log.starts.view();
  const starts = createSharedUint32(documentOrder.length + 1);
  const terms = createSharedUint32(sourceTerms.length);
  let end = 0;
  for (let docId = 0; docId < documentOrder.length; docId += 1) {
    const document = documentOrder[docId] as number;
    const from = sourceStarts[document] as number;
    const length = (sourceStarts[document + 1] as number) - from;
    for (let index = 0; index < length; index += 1)
      terms[end + index] = ordinals[sourceTerms[from + index] as number] as number;
    if (payloads !== undefined)
      for (let index = 0; index < length; index += 1)
        payloads.target[end + index] = payloads.source[from + index] as number;
    if (length > minLongRowTerms) sortLongTermList(terms, payloads?.target, end, end + length);
    else sortTermList(terms, payloads?.target, end, end + length);
    end += length;
    starts[docId + 1] = end;
  }
  return { starts, terms };
}

/**
 * Maximum number of terms of a document that are sorted by insertion sort. For more terms, `sort` of a typed array is
 * faster.
 */
const minLongRowTerms = 64;

function sortTermList(terms: Uint32Array, payloads: Uint16Array | undefined, from: number, to: number): void {
  for (let index = from + 1; index < to; index += 1) {
    const term = terms[index] as number;
    if ((terms[index - 1] as number) < term) continue;
    const value = payloads === undefined ? 0 : (payloads[index] as number);
    let insertionIndex = index;
    for (; insertionIndex > from && (terms[insertionIndex - 1] as number) > term; insertionIndex -= 1) {
      terms[insertionIndex] = terms[insertionIndex - 1] as number;
      if (payloads !== undefined) payloads[insertionIndex] = payloads[insertionIndex - 1] as number;
    }
    terms[insertionIndex] = term;
    if (payloads !== undefined) payloads[insertionIndex] = value;
  }
}

/** Sorts the terms of a document together with their payloads. A term and its payload are packed into one number. */
function sortLongTermList(terms: Uint32Array, payloads: Uint16Array | undefined, from: number, to: number): void {
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

function packPostingsWithPayloads(forwardIndex: ForwardIndexWithPayloads, termCount: number): PostingsWithPayloads {
  const payloads = createSharedUint16(forwardIndex.terms.length);
  const postings = packPostings(forwardIndex, termCount, (index, entry) => {
    payloads[index] = forwardIndex.payloads[entry] as number;
  });
  return { ...postings, payloads };
}

/** Inverts a forward index by a counting sort. The documents of a term are in ascending order. */
function packPostings(
  { starts: documentStarts, terms }: ForwardIndex,
  termCount: number,
  onEntry?: (index: number, entry: number) => void,
): Postings {
  const starts = createSharedUint32(termCount + 1);
  for (let entry = 0; entry < terms.length; entry += 1) {
    const nextTerm = (terms[entry] as number) + 1;
    starts[nextTerm] = (starts[nextTerm] as number) + 1;
  }
  for (let term = 0; term < termCount; term += 1)
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  const nextEntries = starts.slice();
  const documents = createSharedUint32(terms.length);
  for (let docId = 0; docId + 1 < documentStarts.length; docId += 1) {
    const end = documentStarts[docId + 1] as number;
    for (let entry = documentStarts[docId] as number; entry < end; entry += 1) {
      const term = terms[entry] as number;
      const index = nextEntries[term] as number;
      nextEntries[term] = index + 1;
      documents[index] = docId;
      onEntry?.(index, entry);
    }
  }
  return { starts, documents };
}
