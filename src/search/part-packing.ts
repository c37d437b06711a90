import { packDictionary } from "./dictionary.ts";
import type { DocumentTable, Part, Zone } from "./part.ts";
import type { Phrases } from "./phrases.ts";
import type { MarkedPostings, MarkedRows, Postings, Rows } from "./postings.ts";
import { fewWords } from "./ranking.ts";
import { sharedUint8, sharedUint16, sharedUint32, type Uint32List } from "./shared-arrays.ts";
import type { TermTable } from "./term-table.ts";
import { packWide } from "./wide.ts";

/** Documents as they came, in ascending order of their numbers; terms by the numbers of a `TermTable`. Entries of a document are
 *  `starts[n]` up to `starts[n + 1]`. */
export interface DocumentLog {
  readonly numbers: Uint32List;
  /** See `staticRank`. */
  readonly ranks: Uint32List;
  readonly titleLengths: Uint32List;
  readonly head: { readonly starts: Uint32List; readonly terms: Uint32List; readonly marks: Uint32List };
  readonly body: { readonly starts: Uint32List; readonly terms: Uint32List };
}

/** Everything in its place: documents by static rank, terms by their letters. Empties the log. */
export function packPart(locale: string, log: DocumentLog, table: TermTable, phrases: Phrases): Part {
  const sorted = table.texts().sort();
  const places = new Uint32Array(sorted.length);
  sorted.forEach((text, place) => {
    places[table.addText(text)] = place;
  });
  const order = staticOrder(log.ranks.view());
  const documents = packDocuments(log, order);
  const terms = packDictionary(sorted);
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
  return Uint32Array.from(keys, (key) => key % 0x100000000);
}

function packDocuments(log: DocumentLog, order: Uint32Array): DocumentTable {
  const count = order.length;
  const table = {
    numbers: sharedUint32(count),
    byNumber: sharedUint32(count),
    popularity: sharedUint16(count),
    titleLengths: sharedUint8(count),
    fewWords: sharedUint8(count),
  };
  const zones: Zone[] = [];
  for (let place = 0; place < count; place += 1) {
    const document = order[place] as number;
    const rank = log.ranks.get(document);
    table.numbers[place] = log.numbers.get(document);
    table.byNumber[document] = place;
    table.popularity[place] = 0xffff - (rank & 0xffff);
    table.titleLengths[place] = log.titleLengths.get(document);
    table.fewWords[place] = fewWords(log.head.starts.get(document + 1) - log.head.starts.get(document));
    const type = rank >>> 17;
    const isAvailable = (rank & 0x10000) === 0;
    const zone = zones.at(-1);
    if (zone?.type === type && zone.isAvailable === isAvailable) zones[zones.length - 1] = { ...zone, to: place + 1 };
    else zones.push({ type, isAvailable, from: place, to: place + 1 });
  }
  return { ...table, zones };
}

function packMarkedRows(log: DocumentLog["head"], order: Uint32Array, places: Uint32Array): MarkedRows {
  const marks = sharedUint16(log.terms.length);
  const logged = log.marks.view();
  // A row's marks are sorted along with its terms: both in one number.
  const rows = packRows(log, order, places, (entry, place) => place * 0x10000 + (logged[entry] as number), marks);
  return { ...rows, marks };
}

/** @param keyOf entries are sorted by it; its lower 16 bits go to `marks`; absent: by place alone */
function packRows(
  log: DocumentLog["body"],
  order: Uint32Array,
  places: Uint32Array,
  keyOf?: (entry: number, place: number) => number,
  marks?: Uint16Array,
): Rows {
  const logged = log.terms.view();
  const starts = sharedUint32(order.length + 1);
  const terms = sharedUint32(logged.length);
  const keys = new Float64Array(longestRow(log.starts.view()));
  let end = 0;
  for (let place = 0; place < order.length; place += 1) {
    const document = order[place] as number;
    const from = log.starts.get(document);
    const length = log.starts.get(document + 1) - from;
    for (let index = 0; index < length; index += 1) {
      const term = places[logged[from + index] as number] as number;
      keys[index] = keyOf === undefined ? term : keyOf(from + index, term);
    }
    sortPart(keys, length);
    for (let index = 0; index < length; index += 1) {
      const key = keys[index] as number;
      terms[end + index] = marks === undefined ? key : Math.floor(key / 0x10000);
      if (marks !== undefined) marks[end + index] = key % 0x10000;
    }
    end += length;
    starts[place + 1] = end;
  }
  return { starts, terms };
}

function longestRow(starts: Uint32Array): number {
  let longest = 0;
  for (let row = 0; row + 1 < starts.length; row += 1)
    longest = Math.max(longest, (starts[row + 1] as number) - (starts[row] as number));
  return longest;
}

/** Sorts the first `length` values: rows are short, and one being sorted by insertion needs no call. */
function sortPart(values: Float64Array, length: number): void {
  if (length > 64) {
    values.subarray(0, length).sort();
    return;
  }
  for (let index = 1; index < length; index += 1) {
    const value = values[index] as number;
    let at = index;
    for (; at > 0 && (values[at - 1] as number) > value; at -= 1) values[at] = values[at - 1] as number;
    values[at] = value;
  }
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
