import type { Dictionary } from "./dictionary.ts";
import type { Phrases } from "./phrases.ts";
import { firstNotBelow, type Postings } from "./postings.ts";

/** The documents of one locale. A document is known in here by its place (0 for the lowest number, and so on). */
export interface Part {
  readonly locale: string;
  readonly documents: DocumentTable;
  readonly terms: Dictionary;
  readonly postings: Postings;
  readonly byDocument: ByDocument;
  readonly pairs: Pairs;
  readonly phrases: Phrases;
}

/** By place. */
export interface DocumentTable {
  /** The caller's numbers, ascending. */
  readonly numbers: Uint32Array;
  readonly types: Uint8Array;
  /** 1: in stock. */
  readonly available: Uint8Array;
  /** 65,536ths. */
  readonly popularity: Uint16Array;
  /** Words of the title, at most 255. */
  readonly titleLengths: Uint8Array;
}

/** The postings of each document: entries `starts[place]` up to `starts[place + 1]` are places in `Postings`, ascending. What
 *  a few documents hold of a wide run of postings is found here without reading the run. */
export interface ByDocument {
  readonly starts: Uint32Array;
  readonly postings: Uint32Array;
}

/** Neighbours among the first words of documents, by their first term, then their second, then their document. Pairs that
 *  begin with a term are entries `starts[term]` up to `starts[term + 1]`:
 *
 *      starts     0           3                     snow: entries 0 to 2
 *      seconds    board board shoe                  "snow board" in two documents
 *      documents  4     17    4
 *      payloads   .     .     .                     the field, and the position of the first of the two */
export interface Pairs {
  readonly starts: Uint32Array;
  readonly seconds: Uint32Array;
  readonly documents: Uint32Array;
  readonly payloads: Uint32Array;
}

/** Words of a document whose neighbours are kept. */
export const pairedWords = 24;

/** The part of a layer that a search in some language looks at. */
export interface View {
  readonly part: Part;
  /** By place, 1: does not count here; absent: all count. */
  readonly dead?: Uint8Array;
}

/** The place of a document number, or -1. */
export function placeOf(numbers: Uint32Array, number: number): number {
  const place = firstNotBelow(numbers, 0, numbers.length, number);
  return numbers[place] === number ? place : -1;
}
