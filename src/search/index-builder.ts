import { type Chunk, chunks, joinedForms } from "./analysis.ts";
import { packDictionary } from "./dictionary.ts";
import { fieldMark, firstMark, orderedWords, type Part } from "./part.ts";
import { createPhraseCounter } from "./phrases.ts";
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

function createPartBuilder(locale: string): PartBuilder {
  const termNumbers = new Map<string, number>();
  // By term, in the order terms were met: the posting made last, and for which document.
  const lastPosting = new Uint32List();
  const lastDocument = new Uint32List();
  const postingTerms = new Uint32List();
  const postingDocuments = new Uint32List();
  const payloads = new Uint32List();
  const orderStarts = new Uint32List();
  const order = new Uint32List();
  const rows: { number: number; type: number; available: boolean; popularity: number; titleLength: number }[] = [];
  const phrases = createPhraseCounter();

  const addTerm = (text: string, field: number, position: number): number => {
    const document = rows.length;
    let term = termNumbers.get(text);
    if (term === undefined) {
      term = termNumbers.size;
      termNumbers.set(text, term);
      lastPosting.push(0);
      lastDocument.push(firstMark);
    }
    if (lastDocument.get(term) === document) {
      const posting = lastPosting.get(term);
      payloads.set(posting, (payloads.get(posting) | (1 << (16 + field))) >>> 0);
    } else {
      lastDocument.set(term, document);
      lastPosting.set(term, payloads.length);
      postingTerms.push(term);
      postingDocuments.push(document);
      payloads.push(payload(1 << field, position));
    }
    return term;
  };

  const addChunk = (chunk: Chunk, field: number, position: number): void => {
    chunk.forEach((part, index) => {
      const term = addTerm(part.text, field, position + index);
      if (position + index < orderedWords) order.push(term);
    });
    for (const form of joinedForms(chunk)) addTerm(form.text, field, position + form.at);
  };

  return {
    add(document) {
      const before = rows.at(-1);
      if (before !== undefined && before.number >= document.number)
        throw new Error(`document ${document.number} (${locale}) comes after document ${before.number}`);
      orderStarts.push(order.length);
      let position = 0;
      let titleLength = 0;
      let isFull = false;
      // In the order of their numbers: a term's first position then lies in its heaviest field.
      const sortedFields = [...document.fields].sort(([one], [other]) => one - other);
      sortedFields.forEach(([name, text], index) => {
        const field = Math.min(name, fieldCount - 1);
        const cut = text.slice(0, maxFieldLength);
        phrases.add(field, cut, document.type === 0);
        for (const chunk of chunks(cut)) {
          addChunk(chunk, field, position);
          position += chunk.length;
        }
        if (index === 0 && field === fields.title) titleLength = Math.min(position, 255);
        const isCut = position >= orderedWords;
        if (isCut && !isFull) order.push(fieldMark(field));
        isFull = isCut;
        if (!isCut) for (let gap = 0; gap < fieldGap; gap += 1) order.push(fieldMark(field));
        position += fieldGap;
      });
      const { number, type, available, popularity } = document;
      rows.push({ number, type, available, popularity, titleLength });
    },

    finish() {
      const sorted = [...termNumbers.keys()].sort();
      const placeOfTerm = new Uint32Array(sorted.length);
      sorted.forEach((text, place) => {
        placeOfTerm[termNumbers.get(text) as number] = place;
      });
      orderStarts.push(order.length);
      const postings = sortPostings(postingTerms, postingDocuments, payloads, placeOfTerm);
      return {
        locale,
        documents: {
          numbers: fill(sharedUint32(rows.length), (place) => rows[place]?.number ?? 0),
          types: fill(sharedUint8(rows.length), (place) => rows[place]?.type ?? 0),
          available: fill(sharedUint8(rows.length), (place) => (rows[place]?.available ? 1 : 0)),
          popularity: fill(sharedUint16(rows.length), (place) => popularityUnits(rows[place]?.popularity ?? 0)),
          titleLengths: fill(sharedUint8(rows.length), (place) => rows[place]?.titleLength ?? 0),
        },
        terms: packDictionary(sorted),
        postings,
        byDocument: sortByDocument(postings.documents, rows.length),
        wordOrder: {
          starts: fill(sharedUint32(orderStarts.length), (index) => orderStarts.get(index)),
          terms: fill(sharedUint32(order.length), (index) => {
            const term = order.get(index);
            return term >= firstMark ? term : (placeOfTerm[term] as number);
          }),
        },
        phrases: phrases.finish(),
      };
    },
  };
}

/** A counting sort by term: postings were made document by document, so within a term they stay ascending. */
function sortPostings(
  postingTerms: Uint32List,
  postingDocuments: Uint32List,
  payloads: Uint32List,
  placeOfTerm: Uint32Array,
): Part["postings"] {
  const starts = sharedUint32(placeOfTerm.length + 1);
  for (const term of postingTerms.view()) {
    const after = (placeOfTerm[term] as number) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  for (let place = 1; place < starts.length; place += 1)
    starts[place] = (starts[place] as number) + (starts[place - 1] as number);
  const next = starts.slice();
  const documents = sharedUint32(payloads.length);
  const sortedPayloads = sharedUint32(payloads.length);
  for (let posting = 0; posting < payloads.length; posting += 1) {
    const place = placeOfTerm[postingTerms.get(posting)] as number;
    const at = next[place] as number;
    next[place] = at + 1;
    documents[at] = postingDocuments.get(posting);
    sortedPayloads[at] = payloads.get(posting);
  }
  return { starts, documents, payloads: sortedPayloads };
}

function sortByDocument(documents: Uint32Array, count: number): Part["byDocument"] {
  const starts = sharedUint32(count + 1);
  for (const document of documents) starts[document + 1] = (starts[document + 1] as number) + 1;
  for (let place = 1; place <= count; place += 1)
    starts[place] = (starts[place] as number) + (starts[place - 1] as number);
  const next = starts.slice();
  const postings = sharedUint32(documents.length);
  documents.forEach((document, posting) => {
    const at = next[document] as number;
    next[document] = at + 1;
    postings[at] = posting;
  });
  return { starts, postings };
}

function popularityUnits(popularity: number): number {
  return Number.isFinite(popularity) ? Math.round(Math.min(1, Math.max(0, popularity)) * 0xffff) : 0;
}

function fill<A extends Uint8Array | Uint16Array | Uint32Array>(array: A, valueAt: (index: number) => number): A {
  for (let index = 0; index < array.length; index += 1) array[index] = valueAt(index);
  return array;
}
