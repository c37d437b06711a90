import { findText, prefixRange, type Range, textAt } from "../terms/dictionary.ts";
import type { Phrases } from "./phrases.ts";

/** Phrases of one leaf of the index, or what shoppers searched. */
export interface PhraseSet {
  readonly phrases: Phrases;
  /** A phrase heavier than this stands in a document that counts; lighter ones may be gone. */
  readonly sureAbove: number;
  /** True where a lighter phrase stands in documents that all count. */
  readonly isUntouched?: (key: string) => boolean;
}

export interface Phrase {
  /** As shown. */
  readonly text: string;
  /** Folded. */
  readonly key: string;
  readonly weight: number;
  /** Finds something for sure. */
  readonly isSure: boolean;
}

/** Phrases that begin with a folded text, the heaviest first. */
export function* beginningWith(sets: readonly PhraseSet[], typed: string): Generator<Phrase, void> {
  yield* inRanges(sets.map((set) => ({ set, range: prefixRange(set.phrases.keys, typed) })));
}

export interface RangeOfSet {
  readonly set: PhraseSet;
  readonly range: Range;
}

/** Phrases of several ranges, the heaviest first. */
export function* inRanges(ranges: readonly RangeOfSet[]): Generator<Phrase, void> {
  const cursors = ranges.map(({ set, range }) => {
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

/** Whether a phrase begins with the word, whole or, where told, unfinished. */
export function beginsPhrase(sets: readonly PhraseSet[], word: string, isPrefix: boolean): boolean {
  return sets.some(({ phrases: { keys } }) => {
    if (!isPrefix && findText(keys, word) >= 0) return true;
    const { low, high } = prefixRange(keys, isPrefix ? word : `${word} `);
    return low < high;
  });
}

/** Places of phrases in a range, the heaviest first, the earlier of equals first. Each costs some steps for each halving of all
 *  phrases, however frequent the range: a tree knows the heaviest of every stretch. */
export function* heaviest(phrases: Phrases, { low, high }: Range): Generator<number, void> {
  if (low >= high) return;
  const tree = treeOf(phrases.weights);
  // Ranges that are still to be looked into, by the heaviest ordinal in each: a heap with the best on top.
  const heap: Found[] = [];
  const add = (from: number, to: number): void => {
    if (from < to) push(heap, { ordinal: heaviestIn(tree, phrases.weights, from, to), from, to }, phrases.weights);
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

/** By weights: node n has the children 2n and 2n + 1; leaves stand from `weights.length` on; each holds the ordinal of its heaviest.
 *
 *      weights   5 2 9            leaves   3  4  5
 *                                 ordinals   0  1  2      node 2: 1 or 2 -> 2      node 1: node 2 or leaf 3 -> 2 */
const trees = new WeakMap<Uint32Array, Uint32Array>();

function treeOf(weights: Uint32Array): Uint32Array {
  let tree = trees.get(weights);
  if (tree === undefined) {
    const count = weights.length;
    tree = new Uint32Array(count * 2);
    for (let ordinal = 0; ordinal < count; ordinal += 1) tree[count + ordinal] = ordinal;
    for (let node = count - 1; node > 0; node -= 1)
      tree[node] = heavier(weights, tree[node * 2] as number, tree[node * 2 + 1] as number);
    trees.set(weights, tree);
  }
  return tree;
}

function heaviestIn(tree: Uint32Array, weights: Uint32Array, from: number, to: number): number {
  let best = from;
  let left = from + weights.length;
  let right = to + weights.length;
  while (left < right) {
    if (left & 1) best = heavier(weights, best, tree[left++] as number);
    if (right & 1) best = heavier(weights, best, tree[--right] as number);
    left >>= 1;
    right >>= 1;
  }
  return best;
}

function heavier(weights: Uint32Array, one: number, other: number): number {
  return isBefore(weights, one, other) ? one : other;
}

function isBefore(weights: Uint32Array, one: number, other: number): boolean {
  const difference = (weights[one] as number) - (weights[other] as number);
  return difference > 0 || (difference === 0 && one <= other);
}

function push(heap: Found[], found: Found, weights: Uint32Array): void {
  let at = heap.length;
  heap.push(found);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(weights, found.ordinal, (heap[parent] as Found).ordinal)) break;
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
    if (next < heap.length && isBefore(weights, (heap[next] as Found).ordinal, (heap[child] as Found).ordinal))
      child = next;
    if (isBefore(weights, last.ordinal, (heap[child] as Found).ordinal)) break;
    heap[at] = heap[child] as Found;
    at = child;
  }
  heap[at] = last;
  return best;
}
