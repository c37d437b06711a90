import { findText, prefixRange, type Range, textAt } from "./dictionary.ts";
import { heaviest } from "./heaviest.ts";
import type { Phrases } from "./phrases.ts";

/** Phrases of one part of the index, or what shoppers searched. */
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
  const heads = ranges.map(({ set, range }) => {
    const places = heaviest(set.phrases, range);
    return { set, places, place: places.next().value };
  });
  for (;;) {
    let best: { readonly head: (typeof heads)[number]; readonly place: number; readonly weight: number } | undefined;
    for (const head of heads) {
      if (head.place === undefined) continue;
      const weight = head.set.phrases.weights[head.place] as number;
      if (best === undefined || weight > best.weight) best = { head, place: head.place, weight };
    }
    if (best === undefined) return;
    const { head, place, weight } = best;
    const { phrases, sureAbove, isUntouched } = head.set;
    const key = textAt(phrases.keys, place);
    const isSure = weight > sureAbove || isUntouched?.(key) === true;
    yield { text: textAt(phrases.texts, place), key, weight, isSure };
    head.place = head.places.next().value;
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
