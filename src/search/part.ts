import { hasBit } from "./bits.ts";
import type { Dictionary } from "./dictionary.ts";
import type { Phrases } from "./phrases.ts";
import type { MarkedPostings, MarkedRows, Postings, Rows } from "./postings.ts";
import type { Wide } from "./wide.ts";

/** The documents of one locale. A document is known in here by its place in the order of static rank: by type, what is in stock
 *  first, then by popularity, then by number. What is good comes first, so that a search may stop early. */
export interface Part {
  readonly locale: string;
  readonly documents: DocumentTable;
  readonly terms: Dictionary;
  /** Words of titles, vendors, types, tags, codes and options. */
  readonly head: { readonly postings: MarkedPostings; readonly rows: MarkedRows };
  /** Words of descriptions. */
  readonly body: { readonly postings: Postings; readonly rows: Rows };
  readonly wide: Wide;
  readonly phrases: Phrases;
}

/** By place, but for `byNumber`. */
export interface DocumentTable {
  /** The caller's numbers. */
  readonly numbers: Uint32Array;
  /** Places in ascending order of the caller's numbers. */
  readonly byNumber: Uint32Array;
  /** What ranking asks of every document, together so that it is had at once; see `packTraits`. */
  readonly traits: Uint32Array;
  /** Neighbouring places of one type that are all in stock, or all not, in order. */
  readonly zones: readonly Zone[];
}

/** Places `from` up to, not including, `to`. */
export interface Zone {
  readonly type: number;
  readonly isAvailable: boolean;
  readonly from: number;
  readonly to: number;
}

/** The part of a layer that a search in some language looks at. */
export interface View {
  readonly part: Part;
  /** Places that do not count here, one bit a place; absent: all count. */
  readonly dead?: Uint32Array;
}

export function isDead(dead: View["dead"], place: number): boolean {
  return dead !== undefined && hasBit(dead, place);
}

/** @param popularity in 65,536ths  @param few points for how few words name the thing, see `fewWords`
 *  @param titleLength words of the title, at most 255 */
export function packTraits(popularity: number, few: number, titleLength: number): number {
  return ((popularity << 16) | (few << 8) | titleLength) >>> 0;
}

/** From 0 up to, not including, 1. */
export function popularityOf(traits: number): number {
  return (traits >>> 16) / 0x10000;
}

export function fewWordsOf(traits: number): number {
  return (traits >>> 8) & 0xff;
}

export function titleLengthOf(traits: number): number {
  return traits & 0xff;
}

/** The place of a document number, or -1. */
export function placeOf({ numbers, byNumber }: DocumentTable, number: number): number {
  let low = 0;
  let high = byNumber.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[byNumber[middle] as number] as number) < number) low = middle + 1;
    else high = middle;
  }
  const place = byNumber[low];
  return place !== undefined && numbers[place] === number ? place : -1;
}

/** The zone a place lies in. */
export function zoneOf({ zones }: DocumentTable, place: number): Zone {
  const zone = zones.find(({ to }) => place < to);
  if (zone === undefined) throw new Error(`no document at place ${place}`);
  return zone;
}
