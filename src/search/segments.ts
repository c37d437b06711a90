import type { Dictionary } from "./dictionary.ts";
import type { Phrases } from "./phrases.ts";
import type { Postings } from "./postings.ts";

/** An immutable piece of an index, plain data: what is large in it lies in shared memory, so that posting it to another thread
 *  copies next to nothing. */
export interface Segment {
  readonly defaultLocale: string;
  /** One a locale that has documents. */
  readonly parts: readonly Part[];
}

/** The documents of one locale. A document is known in here by its place (0 for the lowest number, and so on). */
export interface Part {
  readonly locale: string;
  readonly documents: DocumentTable;
  readonly terms: Dictionary;
  readonly postings: Postings;
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

/** The first words of each document in their order, as terms: entry `starts[place] + position`. `noTerm` between fields. */
export interface WordOrder {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
}

export const noTerm = 0xffffffff;
/** Words of a document that `WordOrder` holds. */
export const orderedWords = 24;

/** A segment with the documents of it that no longer count: changed or deleted in a later layer. */
export interface Layer {
  readonly segment: Segment;
  /** Document numbers. */
  readonly removed: ReadonlySet<number>;
}

/** The part of a layer that a search in some language looks at. */
export interface View {
  readonly part: Part;
  /** By place, 1: does not count here; absent: all count. */
  readonly dead?: Uint8Array;
}

/** What a search in `locale` sees: its own documents, and those of the default language that have none in it. */
export function viewsOf(layers: readonly Layer[], locale: string): View[] {
  const views: View[] = [];
  for (const { segment, removed } of layers) {
    const own = segment.parts.find((part) => part.locale === locale);
    if (own !== undefined) views.push(view(own, removed, undefined));
    if (segment.defaultLocale === locale) continue;
    const fallback = segment.parts.find((part) => part.locale === segment.defaultLocale);
    if (fallback !== undefined) views.push(view(fallback, removed, own?.documents.numbers));
  }
  return views;
}

function view(part: Part, removed: ReadonlySet<number>, shadowedBy: Uint32Array | undefined): View {
  if (removed.size === 0 && shadowedBy === undefined) return { part };
  const { numbers } = part.documents;
  const dead = new Uint8Array(numbers.length);
  for (const number of removed) markDead(dead, numbers, number);
  for (const number of shadowedBy ?? []) markDead(dead, numbers, number);
  return { part, dead };
}

function markDead(dead: Uint8Array, numbers: Uint32Array, number: number): void {
  const place = placeOf(numbers, number);
  if (place >= 0) dead[place] = 1;
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
