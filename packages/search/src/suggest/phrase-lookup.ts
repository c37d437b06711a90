import { listForms } from "../analysis/inflections.ts";
import { GenerationCache } from "../generation-cache.ts";
import type { Leaf } from "../index/leaf.ts";
import { findPrefix, findText, getText, type Range } from "../terms/dictionary.ts";
import { getHeavierOrdinal, isHeavier, type Phrases } from "./phrases.ts";

/** Conditions under which a search for a phrase certainly has results. */
export interface ResultCertainty {
  /** Weight above which a phrase is certainly in a document that is not deleted. */
  readonly maxUncertainWeight: number;
  /** Returns whether no deleted document contains a phrase of at most `maxUncertainWeight`. */
  readonly hasNoDeletedMatch?: (key: string) => boolean;
}

/**
 * Phrases for completion: the phrases of one leaf (the documents of one language in a segment), or popular queries.
 * Recently used phrases are cached, because the heaviest phrases are needed again for each typed letter.
 */
export class PhraseSet {
  readonly phrases: Phrases;
  readonly #certainty: ResultCertainty;
  /** Cached phrases by ordinal. */
  readonly #cachedPhrases = new GenerationCache<Phrase, number>();

  constructor(phrases: Phrases, certainty: ResultCertainty) {
    this.phrases = phrases;
    this.#certainty = certainty;
  }

  phraseAt(ordinal: number): Phrase {
    const cachedPhrase = this.#cachedPhrases.find(ordinal);
    return cachedPhrase ?? this.#cachedPhrases.get(ordinal, weightOf, () => this.#createPhrase(ordinal));
  }

  #createPhrase(ordinal: number): Phrase {
    const { keys, texts, weights } = this.phrases;
    const { maxUncertainWeight, hasNoDeletedMatch } = this.#certainty;
    const key = getText(keys, ordinal);
    const weight = weights[ordinal] as number;
    return new Phrase(
      getText(texts, ordinal),
      key,
      weight,
      weight > maxUncertainWeight || hasNoDeletedMatch?.(key) === true,
    );
  }
}

function weightOf({ text }: Phrase): number {
  return text.length + phraseOverheadWeight;
}

/** Cache weight of a phrase in addition to its letters. */
const phraseOverheadWeight = 20;

export class Phrase {
  /** The phrase as displayed. */
  readonly text: string;
  /** The phrase without case and accents. */
  readonly key: string;
  readonly weight: number;
  /** Whether a search for the phrase certainly has a result. */
  readonly isMatchCertain: boolean;
  /** Words of the key. */
  readonly words: readonly string[];
  /** Terms of the words by index leaf, computed on first use. */
  readonly #terms: LeafTerms[] = [];
  readonly #forms: LeafForms[] = [];

  constructor(text: string, key: string, weight: number, isMatchCertain: boolean) {
    this.text = text;
    this.key = key;
    this.weight = weight;
    this.isMatchCertain = isMatchCertain;
    this.words = key.split(" ");
  }

  /** Returns the terms of an index leaf for the words, or undefined if a word is not a term. */
  termsIn(leaf: Leaf): readonly number[] | undefined {
    for (let index = 0; index < this.#terms.length; index += 1) {
      const cachedTerms = this.#terms[index] as LeafTerms;
      if (cachedTerms.leaf === leaf) return cachedTerms.terms;
    }
    const terms = findTerms(leaf, this.words);
    this.#terms.push({ leaf, terms });
    return terms;
  }

  /**
   * Returns the terms of the phrase with its last word in another form: one list for each form in the leaf.
   * @param locale language of the phrase
   */
  findForms(leaf: Leaf, locale: string): readonly (readonly number[])[] {
    for (let index = 0; index < this.#forms.length; index += 1) {
      const cachedForms = this.#forms[index] as LeafForms;
      if (cachedForms.leaf === leaf && cachedForms.locale === locale) return cachedForms.forms;
    }
    const previousTerms = findTerms(leaf, this.words.slice(0, -1));
    const formTerms: (readonly number[])[] = [];
    for (const form of previousTerms === undefined
      ? []
      : listForms({ text: this.words.at(-1) ?? "", isGram: false }, locale)) {
      const term = findText(leaf.terms, form);
      if (term >= 0) formTerms.push([...(previousTerms ?? []), term]);
    }
    this.#forms.push({ leaf, locale, forms: formTerms });
    return formTerms;
  }
}

interface LeafTerms {
  readonly leaf: Leaf;
  readonly terms: readonly number[] | undefined;
}

interface LeafForms {
  readonly leaf: Leaf;
  readonly locale: string;
  readonly forms: readonly (readonly number[])[];
}

/** Returns the terms of an index leaf for a list of words, or undefined if a word is not a term. */
export function findTerms({ terms }: Leaf, words: readonly string[]): readonly number[] | undefined {
  const termNumbers: number[] = [];
  for (let word = 0; word < words.length; word += 1) {
    const term = findText(terms, words[word] as string);
    if (term < 0) return undefined;
    termNumbers.push(term);
  }
  return termNumbers;
}

/** Returns the phrases that start with a folded text, or undefined if there are none. */
export function findPhrasesWithPrefix(sets: readonly PhraseSet[], prefix: string): PhraseStream | undefined {
  let stream: PhraseStream | undefined;
  for (let index = 0; index < sets.length; index += 1) {
    const set = sets[index] as PhraseSet;
    const range = findPrefix(set.phrases.keys, prefix);
    if (range.low >= range.high) continue;
    stream ??= new PhraseStream();
    stream.add(set, range);
  }
  return stream;
}

/** Iterates over phrases of several sets, heaviest first. Phrases of equal weight are in the order of the sets. */
export class PhraseStream {
  readonly #sets: PhraseSet[] = [];
  readonly #ordinalIterators: HeaviestFirstIterator[] = [];
  /** Ordinal of the heaviest remaining phrase of each set; -1 if there is none. */
  readonly #nextOrdinals: number[] = [];
  /**
   * Index of the set that contains the last returned phrase; -1 at the start. The next phrase of this set is computed
   * later.
   */
  #lastSetIndex = -1;

  add(set: PhraseSet, range: Range): void {
    const ordinals = new HeaviestFirstIterator(set.phrases, range);
    this.#sets.push(set);
    this.#ordinalIterators.push(ordinals);
    this.#nextOrdinals.push(ordinals.next());
  }

  next(): Phrase | undefined {
    if (this.#lastSetIndex >= 0)
      this.#nextOrdinals[this.#lastSetIndex] = (
        this.#ordinalIterators[this.#lastSetIndex] as HeaviestFirstIterator
      ).next();
    let bestIndex = -1;
    let maxWeight = -1;
    for (let index = 0; index < this.#sets.length; index += 1) {
      const ordinal = this.#nextOrdinals[index] as number;
      if (ordinal < 0) continue;
      const weight = (this.#sets[index] as PhraseSet).phrases.weights[ordinal] as number;
      if (weight > maxWeight) [bestIndex, maxWeight] = [index, weight];
    }
    this.#lastSetIndex = bestIndex;
    return bestIndex < 0
      ? undefined
      : (this.#sets[bestIndex] as PhraseSet).phraseAt(this.#nextOrdinals[bestIndex] as number);
  }
}

/** Returns whether a folded text is a phrase. */
export function isPhrase(sets: readonly PhraseSet[], text: string): boolean {
  return sets.some(({ phrases }) => findText(phrases.keys, text) >= 0);
}

/** Returns whether any phrase starts with a folded text, which may end within a word. */
export function hasPhraseWithPrefix(sets: readonly PhraseSet[], text: string): boolean {
  return sets.some(({ phrases: { keys } }) => {
    const { low, high } = findPrefix(keys, text);
    return low < high;
  });
}

/** Returns whether a phrase starts with a word. With `isPrefix`, the word may be incomplete. */
export function startsPhrase(sets: readonly PhraseSet[], word: string, isPrefix: boolean): boolean {
  return (!isPrefix && isPhrase(sets, word)) || hasPhraseWithPrefix(sets, isPrefix ? word : `${word} `);
}

/**
 * Iterates over the ordinals of phrases in a range, heaviest first, then by ordinal. Each step takes logarithmic time
 * in the number of all phrases.
 */
export class HeaviestFirstIterator {
  readonly #phrases: Phrases;
  /** Remaining ranges in a heap, with the range of the heaviest phrase on top. Each range takes three entries. */
  readonly #heap: number[] = [];
  // Range in which the last returned phrase was the heaviest, from `#rangeStart` to `#rangeEnd` (exclusive). The parts
  // before and after the phrase are searched next.
  #rangeStart = 0;
  #lastOrdinal = -1;
  #rangeEnd = 0;

  constructor(phrases: Phrases, { low, high }: Range) {
    this.#phrases = phrases;
    this.#push(low, high);
  }

  /** Returns the ordinal of the next phrase, or -1 at the end. */
  next(): number {
    if (this.#lastOrdinal >= 0) {
      this.#push(this.#rangeStart, this.#lastOrdinal);
      this.#push(this.#lastOrdinal + 1, this.#rangeEnd);
    }
    this.#lastOrdinal = this.#pop();
    return this.#lastOrdinal;
  }

  #push(from: number, to: number): void {
    if (from >= to) return;
    const heap = this.#heap;
    const { weights } = this.#phrases;
    const ordinal = findHeaviestOrdinal(this.#phrases, from, to);
    let index = heap.length;
    heap.push(ordinal, from, to);
    while (index > 0) {
      const parentIndex = Math.floor((index / entryLength - 1) / 2) * entryLength;
      if (!isHeavier(weights, ordinal, heap[parentIndex] as number)) break;
      this.#move(parentIndex, index);
      index = parentIndex;
    }
    this.#setEntry(index, ordinal, from, to);
  }

  #pop(): number {
    const heap = this.#heap;
    if (heap.length === 0) return -1;
    const heaviestOrdinal = heap[0] as number;
    this.#rangeStart = heap[1] as number;
    this.#rangeEnd = heap[2] as number;
    const to = heap.pop() as number;
    const from = heap.pop() as number;
    const lastOrdinal = heap.pop() as number;
    if (heap.length === 0) return heaviestOrdinal;
    const { weights } = this.#phrases;
    let index = 0;
    for (let childIndex = entryLength; childIndex < heap.length; childIndex = index * 2 + entryLength) {
      const siblingIndex = childIndex + entryLength;
      if (siblingIndex < heap.length && isHeavier(weights, heap[siblingIndex] as number, heap[childIndex] as number))
        childIndex = siblingIndex;
      if (isHeavier(weights, lastOrdinal, heap[childIndex] as number)) break;
      this.#move(childIndex, index);
      index = childIndex;
    }
    this.#setEntry(index, lastOrdinal, from, to);
    return heaviestOrdinal;
  }

  #move(from: number, to: number): void {
    const heap = this.#heap;
    for (let offset = 0; offset < entryLength; offset += 1) heap[to + offset] = heap[from + offset] as number;
  }

  #setEntry(index: number, ordinal: number, from: number, to: number): void {
    this.#heap[index] = ordinal;
    this.#heap[index + 1] = from;
    this.#heap[index + 2] = to;
  }
}

/** Number of heap entries per range: its heaviest phrase, its start and its end. */
const entryLength = 3;

/** Returns the heaviest phrase from `from` to `to` (exclusive). The range must not be empty. */
export function findHeaviestOrdinal({ weights, heaviest: tree }: Phrases, from: number, to: number): number {
  let heaviestOrdinal = from;
  let left = from + weights.length;
  let right = to + weights.length;
  while (left < right) {
    if (left & 1) heaviestOrdinal = getHeavierOrdinal(weights, heaviestOrdinal, tree[left++] as number);
    if (right & 1) heaviestOrdinal = getHeavierOrdinal(weights, heaviestOrdinal, tree[--right] as number);
    left >>= 1;
    right >>= 1;
  }
  return heaviestOrdinal;
}
