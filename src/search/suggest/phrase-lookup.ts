import { findText, prefixRange, type Range, textAt } from "../terms/dictionary.ts";
import { heavierOf, isHeavier, type Phrases } from "./phrases.ts";

/** Phrases to complete from: those of one leaf, or what shoppers searched. */
export interface PhraseSet {
  readonly phrases: Phrases;
  /** A phrase heavier than this is surely in a document that is not deleted. */
  readonly sureAbove: number;
  /** Whether no document with a lighter phrase is deleted. */
  readonly isUntouched?: (key: string) => boolean;
}

export interface Phrase {
  /** As shown. */
  readonly text: string;
  /** Folded. */
  readonly key: string;
  readonly weight: number;
  /** A search for it surely finds something. */
  readonly isSure: boolean;
}

/** Phrases that begin with a folded text, the heaviest first. */
export function phrasesWithPrefix(sets: readonly PhraseSet[], typed: string): Generator<Phrase, void> {
  return phrasesInRanges(sets.map((set) => ({ set, range: prefixRange(set.phrases.keys, typed) })));
}

export interface RangeOfSet {
  readonly set: PhraseSet;
  readonly range: Range;
}

/** Phrases of several ranges, the heaviest first. */
export function* phrasesInRanges(ranges: readonly RangeOfSet[]): Generator<Phrase, void> {
  const filled = ranges.filter(({ range: { low, high } }) => low < high);
  const cursors = filled.map(({ set, range }) => {
    const ordinals = heaviest(set.phrases, range);
    return { set, ordinals, ordinal: ordinals.next().value };
  });
  for (;;) {
    let best:
      | { readonly cursor: (typeof cursors)[number]; readonly ordinal: number; readonly weight: number }
      | undefined;
    for (const cursor of cursors) {
      if (cursor.ordinal === undefined) continue;
      const weight = cursor.set.phrases.weights[cursor.ordinal] as number;
      if (best === undefined || weight > best.weight) best = { cursor, ordinal: cursor.ordinal, weight };
    }
    if (best === undefined) return;
    const { cursor, ordinal, weight } = best;
    const { phrases, sureAbove, isUntouched } = cursor.set;
    const key = textAt(phrases.keys, ordinal);
    const isSure = weight > sureAbove || isUntouched?.(key) === true;
    yield { text: textAt(phrases.texts, ordinal), key, weight, isSure };
    cursor.ordinal = cursor.ordinals.next().value;
  }
}

/** Whether a folded text is a phrase. */
export function isPhrase(sets: readonly PhraseSet[], text: string): boolean {
  return sets.some(({ phrases }) => findText(phrases.keys, text) >= 0);
}

/** Whether a phrase begins with a word; with `isPrefix`, with a word that begins so. */
export function beginsPhrase(sets: readonly PhraseSet[], word: string, isPrefix: boolean): boolean {
  return sets.some(({ phrases: { keys } }) => {
    if (!isPrefix && findText(keys, word) >= 0) return true;
    const { low, high } = prefixRange(keys, isPrefix ? word : `${word} `);
    return low < high;
  });
}

/** Ordinals of the phrases in a range, the heaviest first, the earlier of equals first. Each takes time in the logarithm of the number of
 *  all phrases, however wide the range. */
export function* heaviest(phrases: Phrases, { low, high }: Range): Generator<number, void> {
  if (low >= high) return;
  // Ranges that are left, by the heaviest phrase in each: a heap with the heaviest on top.
  const heap: Found[] = [];
  const add = (from: number, to: number): void => {
    if (from < to) push(heap, { ordinal: heaviestIn(phrases, from, to), from, to }, phrases.weights);
  };
  add(low, high);
  for (let best = pop(heap, phrases.weights); best !== undefined; best = pop(heap, phrases.weights)) {
    yield best.ordinal;
    add(best.from, best.ordinal);
    add(best.ordinal + 1, best.to);
  }
}

interface Found {
  readonly ordinal: number;
  readonly from: number;
  readonly to: number;
}

/** The heaviest phrase from `from` up to, not including, `to`, which is higher. */
export function heaviestIn({ weights, heaviest: tree }: Phrases, from: number, to: number): number {
  let best = from;
  let left = from + weights.length;
  let right = to + weights.length;
  while (left < right) {
    if (left & 1) best = heavierOf(weights, best, tree[left++] as number);
    if (right & 1) best = heavierOf(weights, best, tree[--right] as number);
    left >>= 1;
    right >>= 1;
  }
  return best;
}

function push(heap: Found[], found: Found, weights: Uint32Array): void {
  let at = heap.length;
  heap.push(found);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isHeavier(weights, found.ordinal, (heap[parent] as Found).ordinal)) break;
    heap[at] = heap[parent] as Found;
    at = parent;
  }
  heap[at] = found;
}

function pop(heap: Found[], weights: Uint32Array): Found | undefined {
  const best = heap[0];
  const last = heap.pop();
  if (best === undefined || last === undefined || heap.length === 0) return best;
  let at = 0;
  for (let child = 1; child < heap.length; child = at * 2 + 1) {
    const next = child + 1;
    if (next < heap.length && isHeavier(weights, (heap[next] as Found).ordinal, (heap[child] as Found).ordinal))
      child = next;
    if (isHeavier(weights, last.ordinal, (heap[child] as Found).ordinal)) break;
    heap[at] = heap[child] as Found;
    at = child;
  }
  heap[at] = last;
  return best;
}
