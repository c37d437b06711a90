import type { Dictionary } from "./dictionary.ts";
import type { Phrases } from "./phrases.ts";
import type { Postings } from "./postings.ts";

/** The documents of one locale. A document is known in here by its place (0 for the lowest number, and so on). */
export interface Part {
  readonly locale: string;
  readonly documents: DocumentTable;
  readonly terms: Dictionary;
  readonly postings: Postings;
  readonly byDocument: ByDocument;
  readonly wordOrder: WordOrder;
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

/** The first words of each document in their order, as terms: entry `starts[place] + position`. After the words of a field stand
 *  marks that name it (see `fieldMark`), at least one, so that no run of words reaches from field to field:
 *
 *      red  wool  hat  |0  |0  |0  acme  |1  |1  |1 */
export interface WordOrder {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
}

/** Above all terms. */
export const firstMark = 0xffffff00;
export const fieldMark = (field: number): number => firstMark + field;
/** Words of a document that `WordOrder` holds. */
export const orderedWords = 24;

/** The part of a layer that a search in some language looks at. */
export interface View {
  readonly part: Part;
  /** By place, 1: does not count here; absent: all count. */
  readonly dead?: Uint8Array;
}

/** The place of a document number, or -1. */
export function placeOf(numbers: Uint32Array, number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === number ? low : -1;
}
