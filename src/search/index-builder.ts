import { type Chunk, chunks, joinedForms } from "./analysis.ts";
import { packDictionary } from "./dictionary.ts";
import { type DocumentTable, type Part, pairedWords } from "./part.ts";
import { createPhraseCounter } from "./phrases.ts";
import { sortByDocument, sortPairs, sortPostings } from "./posting-order.ts";
import { fieldCount, payload } from "./postings.ts";
import { fields } from "./ranking.ts";
import type { SearchDocument } from "./search-index.ts";
import type { Segment } from "./segments.ts";
import { sharedUint8, sharedUint16, sharedUint32, Uint32List } from "./shared-arrays.ts";

export interface SegmentBuilder {
  /** @throws Error where numbers of one locale do not ascend */
  add(document: SearchDocument): void;
  finish(): Segment;
}

/** UTF-16 units of one field that are indexed. */
const maxFieldLength = 20_000;
/** Positions left free between fields: words of different fields are never neighbours. */
const fieldGap = 3;
const noDocument = 0xffffffff;

/** Makes a segment of documents in ascending order of their numbers; those of several locales are kept apart.
 *  @param defaultLocale whose documents stand in where another locale has none of that number */
export function createSegmentBuilder(defaultLocale: string): SegmentBuilder {
  const parts = new Map<string, PartBuilder>();
  return {
    add(document) {
      let part = parts.get(document.locale);
      if (part === undefined) {
        part = createPartBuilder(document.locale);
        parts.set(document.locale, part);
      }
      part.add(document);
    },
    finish: () => ({ defaultLocale, parts: [...parts.values()].map((part) => part.finish()) }),
  };
}

interface PartBuilder {
  add(document: SearchDocument): void;
  finish(): Part;
}

interface Row extends Pick<SearchDocument, "number" | "type" | "available" | "popularity"> {
  readonly titleLength: number;
}

function createPartBuilder(locale: string): PartBuilder {
  const termNumbers = new Map<string, number>();
  // By term number: the posting made last, and for which document.
  const lastPosting = new Uint32List();
  const lastDocument = new Uint32List();
  const postings = { terms: new Uint32List(), documents: new Uint32List(), payloads: new Uint32List() };
  const pairs = {
    firsts: new Uint32List(),
    seconds: new Uint32List(),
    documents: new Uint32List(),
    payloads: new Uint32List(),
  };
  const rows: Row[] = [];
  const phrases = createPhraseCounter();

  const addTerm = (text: string, field: number, position: number): number => {
    const document = rows.length;
    let term = termNumbers.get(text);
    if (term === undefined) {
      term = termNumbers.size;
      termNumbers.set(text, term);
      lastPosting.push(0);
      lastDocument.push(noDocument);
    }
    if (lastDocument.get(term) === document) {
      const posting = lastPosting.get(term);
      postings.payloads.set(posting, (postings.payloads.get(posting) | (1 << (16 + field))) >>> 0);
    } else {
      lastDocument.set(term, document);
      lastPosting.set(term, postings.terms.length);
      postings.terms.push(term);
      postings.documents.push(document);
      postings.payloads.push(payload(1 << field, position));
    }
    return term;
  };

  /** @param before the term on the left, -1 where there is none  @returns the last term */
  const addChunk = (chunk: Chunk, field: number, position: number, before: number): number => {
    let left = before;
    for (let index = 0; index < chunk.length; index += 1) {
      const term = addTerm(chunk[index]?.text ?? "", field, position + index);
      if (left >= 0 && position + index < pairedWords) {
        pairs.firsts.push(left);
        pairs.seconds.push(term);
        pairs.documents.push(rows.length);
        pairs.payloads.push(payload(1 << field, position + index - 1));
      }
      left = term;
    }
    for (const form of joinedForms(chunk)) addTerm(form.text, field, position + form.at);
    return left;
  };

  return {
    add(document) {
      const before = rows.at(-1);
      if (before !== undefined && before.number >= document.number)
        throw new Error(`document ${document.number} (${locale}) comes after document ${before.number}`);
      let position = 0;
      let titleLength = 0;
      // In the order of their numbers: a term's first position then lies in its heaviest field.
      const sortedFields = [...document.fields].sort(([one], [other]) => one - other);
      sortedFields.forEach(([name, text], index) => {
        const field = Math.min(name, fieldCount - 1);
        const cut = text.slice(0, maxFieldLength);
        if (document.phrases !== undefined) phrases.add(field, cut, document.phrases);
        let left = -1;
        for (const chunk of chunks(cut)) {
          left = addChunk(chunk, field, position, left);
          position += chunk.length;
        }
        if (index === 0 && field === fields.title) titleLength = Math.min(position, 255);
        position += fieldGap;
      });
      const { number, type, available, popularity } = document;
      rows.push({ number, type, available, popularity, titleLength });
    },

    finish() {
      const sorted = [...termNumbers.keys()].sort();
      const places = new Uint32Array(sorted.length);
      sorted.forEach((text, place) => {
        places[termNumbers.get(text) ?? 0] = place;
      });
      const sortedPostings = sortPostings(postings, places);
      return {
        locale,
        documents: packRows(rows),
        terms: packDictionary(sorted),
        postings: sortedPostings,
        byDocument: sortByDocument(sortedPostings.documents, rows.length),
        pairs: sortPairs(pairs, places),
        phrases: phrases.finish(),
      };
    },
  };
}

function packRows(rows: readonly Row[]): DocumentTable {
  const table = {
    numbers: sharedUint32(rows.length),
    types: sharedUint8(rows.length),
    available: sharedUint8(rows.length),
    popularity: sharedUint16(rows.length),
    titleLengths: sharedUint8(rows.length),
  };
  rows.forEach((row, place) => {
    table.numbers[place] = row.number;
    table.types[place] = row.type;
    table.available[place] = row.available ? 1 : 0;
    table.popularity[place] = popularityUnits(row.popularity);
    table.titleLengths[place] = row.titleLength;
  });
  return table;
}

function popularityUnits(popularity: number): number {
  return Number.isFinite(popularity) ? Math.round(Math.min(1, Math.max(0, popularity)) * 0xffff) : 0;
}
