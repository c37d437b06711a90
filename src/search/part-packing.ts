import { packInOrder } from "./dictionary.ts";
import { type DocumentTable, type Part, packTraits, type Zone } from "./part.ts";
import type { Phrases } from "./phrases.ts";
import type { MarkedPostings, MarkedRows, Postings, Rows } from "./postings.ts";
import { fewWords } from "./ranking.ts";
import { sharedUint16, sharedUint32, type Uint16List, type Uint32List } from "./shared-arrays.ts";
import type { TermTable } from "./term-table.ts";
import { textOrder } from "./text-order.ts";
import { packWide } from "./wide.ts";

/** Documents as they came, in ascending order of their numbers; terms by the numbers of a `TermTable`. Entries of a document are
 *  `starts[n]` up to `starts[n + 1]`. */
export interface DocumentLog {
  readonly numbers: Uint32List;
  /** See `staticRank`. */
  readonly ranks: Uint32List;
  readonly titleLengths: Uint32List;
  readonly head: { readonly starts: Uint32List; readonly terms: Uint32List; readonly marks: Uint16List };
  readonly body: { readonly starts: Uint32List; readonly terms: Uint32List };
}

/** Everything in its place: documents by static rank, terms by their letters. Empties the log. */
export function packPart(locale: string, log: DocumentLog, table: TermTable, phrases: Phrases): Part {
  const sorted = textOrder(table.view());
  const places = new Uint32Array(sorted.length);
  for (let place = 0; place < sorted.length; place += 1) places[sorted[place] as number] = place;
  const order = staticOrder(log.ranks.view());
  const documents = packDocuments(log, order);
  const terms = packInOrder(table.view(), sorted);
  const headRows = packMarkedRows(log.head, order, places);
  log.head.terms.clear();
  log.head.marks.clear();
  const head = { rows: headRows, postings: packMarkedPostings(headRows, sorted.length) };
  const bodyRows = packRows(log.body, order, places);
  log.body.terms.clear();
  const body = { rows: bodyRows, postings: packPostings(bodyRows, sorted.length) };
  const wide = packWide(terms, head.postings, documents);
  return { locale, documents, terms, head, body, wide, phrases };
}

/** Documents, the best first: by rank, and as they came among equals. */
function staticOrder(ranks: Uint32Array): Uint32Array {
  const keys = new Float64Array(ranks.length);
  for (let document = 0; document < ranks.length; document += 1)
    keys[document] = (ranks[document] as number) * 0x100000000 + document;
  keys.sort();
  // The document alone is left of each: what is above 32 bits is cut off.
  return new Uint32Array(keys);
}

function packDocuments(log: DocumentLog, order: Uint32Array): DocumentTable {
  const count = order.length;
  const table = {
    numbers: sharedUint32(count),
    byNumber: sharedUint32(count),
    traits: sharedUint32(count),
  };
  const zones: Zone[] = [];
  let from = 0;
  for (let place = 0; place < count; place += 1) {
    const document = order[place] as number;
    const rank = log.ranks.get(document);
    table.numbers[place] = log.numbers.get(document);
    table.byNumber[document] = place;
    const few = fewWords(log.head.starts.get(document + 1) - log.head.starts.get(document));
    table.traits[place] = packTraits(0xffff - (rank & 0xffff), few, log.titleLengths.get(document));
    const isLast = place + 1 === count;
    if (!isLast && log.ranks.get(order[place + 1] as number) >>> 16 === rank >>> 16) continue;
    zones.push({ type: rank >>> 17, isAvailable: (rank & 0x10000) === 0, from, to: place + 1 });
    from = place + 1;
  }
  return { ...table, zones };
}

function packMarkedRows(log: DocumentLog["head"], order: Uint32Array, places: Uint32Array): MarkedRows {
  const marks = sharedUint16(log.terms.length);
  return { ...packRows(log, order, places, { logged: log.marks.view(), packed: marks }), marks };
}

/** @param marks moved along with their terms */
function packRows(
  log: DocumentLog["body"],
  order: Uint32Array,
  places: Uint32Array,
  marks?: { readonly logged: Uint16Array; readonly packed: Uint16Array },
): Rows {
  const logged = log.terms.view();
  const loggedStarts = log.starts.view();
  const starts = sharedUint32(order.length + 1);
  const terms = sharedUint32(logged.length);
  let end = 0;
  for (let place = 0; place < order.length; place += 1) {
    const document = order[place] as number;
    const from = loggedStarts[document] as number;
    const length = (loggedStarts[document + 1] as number) - from;
    for (let index = 0; index < length; index += 1)
      terms[end + index] = places[logged[from + index] as number] as number;
    if (marks !== undefined)
      for (let index = 0; index < length; index += 1) marks.packed[end + index] = marks.logged[from + index] as number;
    if (length > longRow) sortLongRow(terms, marks?.packed, end, end + length);
    else sortRow(terms, marks?.packed, end, end + length);
    end += length;
    starts[place + 1] = end;
  }
  return { starts, terms };
}

/** Entries from which a row is long: most are short, and quickest sorted by insertion. */
const longRow = 64;

function sortRow(terms: Uint32Array, marks: Uint16Array | undefined, from: number, to: number): void {
  for (let index = from + 1; index < to; index += 1) {
    const term = terms[index] as number;
    if ((terms[index - 1] as number) < term) continue;
    const value = marks === undefined ? 0 : (marks[index] as number);
    let at = index;
    for (; at > from && (terms[at - 1] as number) > term; at -= 1) {
      terms[at] = terms[at - 1] as number;
      if (marks !== undefined) marks[at] = marks[at - 1] as number;
    }
    terms[at] = term;
    if (marks !== undefined) marks[at] = value;
  }
}

/** Terms and marks are sorted as one number each. */
function sortLongRow(terms: Uint32Array, marks: Uint16Array | undefined, from: number, to: number): void {
  const keys = new Float64Array(to - from);
  for (let index = from; index < to; index += 1)
    keys[index - from] = (terms[index] as number) * 0x10000 + (marks === undefined ? 0 : (marks[index] as number));
  keys.sort();
  keys.forEach((key, index) => {
    terms[from + index] = Math.floor(key / 0x10000);
    if (marks !== undefined) marks[from + index] = key % 0x10000;
  });
}

function packMarkedPostings(rows: MarkedRows, termCount: number): MarkedPostings {
  const marks = sharedUint16(rows.terms.length);
  const postings = packPostings(rows, termCount, (at, entry) => {
    marks[at] = rows.marks[entry] as number;
  });
  return { ...postings, marks };
}

/** A counting sort of rows by term; documents ascend within a term, since rows are in their order. */
function packPostings(
  { starts: rowStarts, terms }: Rows,
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
  for (let place = 0; place + 1 < rowStarts.length; place += 1) {
    const end = rowStarts[place + 1] as number;
    for (let entry = rowStarts[place] as number; entry < end; entry += 1) {
      const term = terms[entry] as number;
      const at = next[term] as number;
      next[term] = at + 1;
      documents[at] = place;
      onEntry?.(at, entry);
    }
  }
  return { starts, documents };
}
