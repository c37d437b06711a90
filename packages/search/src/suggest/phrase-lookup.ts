import { listForms } from "../analysis/inflections.ts";
import { GenerationCache } from "../generation-cache.ts";
import type { Leaf } from "../index/leaf.ts";
import { findText, prefixRange, type Range, textAt } from "../terms/dictionary.ts";
import { heavierOf, isHeavier, type Phrases } from "./phrases.ts";

/** Conditions under which phrases of a set certainly have results. */
export interface Certainty {
  /** Weight above which a phrase is certainly in a current document. */
  readonly sureAbove: number;
  /** Returns whether no deleted document contains a lighter phrase. */
  readonly isUntouched?: (key: string) => boolean;
}

/**
 * Phrases for completion: the phrases of one leaf, or popular queries. Recently used phrases are cached, because the
 * heaviest phrases repeat for each letter and after many words.
 */
export class PhraseSet {
  readonly phrases: Phrases;
  readonly #sureness: Certainty;
  /** Cached phrases by ordinal. */
  readonly #read = new GenerationCache<Phrase, number>();

  constructor(phrases: Phrases, certainty: Certainty) {
    this.phrases = phrases;
    this.#sureness = certainty;
  }

  phraseAt(ordinal: number): Phrase {
    const known = this.#read.find(ordinal);
    return known ?? this.#read.get(ordinal, weightOf, () => this.#readAt(ordinal));
  }

  #readAt(ordinal: number): Phrase {
    const { keys, texts, weights } = this.phrases;
    const { sureAbove, isUntouched } = this.#sureness;
    const key = textAt(keys, ordinal);
    const weight = weights[ordinal] as number;
    return new Phrase(textAt(texts, ordinal), key, weight, weight > sureAbove || isUntouched?.(key) === true);
  }
}

function weightOf({ text }: Phrase): number {
  return text.length + phraseOverhead;
}

/** Cache weight of a phrase in addition to its letters. */
const phraseOverhead = 20;

export class Phrase {
  /** The phrase as displayed. */
  readonly text: string;
  /** The folded phrase. */
  readonly key: string;
  readonly weight: number;
  /** Whether a search for the phrase certainly has a result. */
  readonly isSure: boolean;
  /** Words of the key. */
  readonly words: readonly string[];
  /** Terms of the words by leaf, computed on first use. */
  readonly #terms: TermsInLeaf[] = [];
  readonly #forms: FormsInLeaf[] = [];

  constructor(text: string, key: string, weight: number, isSure: boolean) {
    this.text = text;
    this.key = key;
    this.weight = weight;
    this.isSure = isSure;
    this.words = key.split(" ");
  }

  /** Returns the terms of a leaf for the words, or undefined if a word is not a term. */
  termsIn(leaf: Leaf): readonly number[] | undefined {
    for (let at = 0; at < this.#terms.length; at += 1) {
      const known = this.#terms[at] as TermsInLeaf;
      if (known.leaf === leaf) return known.terms;
    }
    const terms = termsOf(leaf, this.words);
    this.#terms.push({ leaf, terms });
    return terms;
  }

  /**
   * Returns the terms for each other form of the last word that is a term of the leaf.
   * @param locale language of the phrase
   */
  formsIn(leaf: Leaf, locale: string): readonly (readonly number[])[] {
    for (let at = 0; at < this.#forms.length; at += 1) {
      const known = this.#forms[at] as FormsInLeaf;
      if (known.leaf === leaf && known.locale === locale) return known.forms;
    }
    const before = termsOf(leaf, this.words.slice(0, -1));
    const found: (readonly number[])[] = [];
    for (const form of before === undefined
      ? []
      : listForms({ text: this.words.at(-1) ?? "", isGram: false }, locale)) {
      const term = findText(leaf.terms, form);
      if (term >= 0) found.push([...(before ?? []), term]);
    }
    this.#forms.push({ leaf, locale, forms: found });
    return found;
  }
}

interface TermsInLeaf {
  readonly leaf: Leaf;
  readonly terms: readonly number[] | undefined;
}

interface FormsInLeaf {
  readonly leaf: Leaf;
  readonly locale: string;
  readonly forms: readonly (readonly number[])[];
}

/** Returns the terms of a leaf for a list of words, or undefined if a word is not a term. */
export function termsOf({ terms }: Leaf, words: readonly string[]): readonly number[] | undefined {
  const found: number[] = [];
  for (let word = 0; word < words.length; word += 1) {
    const term = findText(terms, words[word] as string);
    if (term < 0) return undefined;
    found.push(term);
  }
  return found;
}

/** Returns the phrases that start with a folded text, or undefined if there are none. */
export function phrasesWithPrefix(sets: readonly PhraseSet[], typed: string): PhraseStream | undefined {
  let stream: PhraseStream | undefined;
  for (let at = 0; at < sets.length; at += 1) {
    const set = sets[at] as PhraseSet;
    const range = prefixRange(set.phrases.keys, typed);
    if (range.low >= range.high) continue;
    stream ??= new PhraseStream();
    stream.add(set, range);
  }
  return stream;
}

/** Phrases in ranges of several sets, heaviest first. Phrases of equal weight are in the order of the sets. */
export class PhraseStream {
  readonly #sets: PhraseSet[] = [];
  readonly #ordinals: HeaviestFirst[] = [];
  /** Ordinal of the heaviest remaining phrase of each set; -1 if there is none. */
  readonly #next: number[] = [];
  /** Index of the set of the last returned phrase, whose next phrase is not computed yet; -1 at the start. */
  #taken = -1;

  add(set: PhraseSet, range: Range): void {
    const ordinals = new HeaviestFirst(set.phrases, range);
    this.#sets.push(set);
    this.#ordinals.push(ordinals);
    this.#next.push(ordinals.next());
  }

  next(): Phrase | undefined {
    if (this.#taken >= 0) this.#next[this.#taken] = (this.#ordinals[this.#taken] as HeaviestFirst).next();
    let best = -1;
    let heaviestSet = -1;
    for (let at = 0; at < this.#sets.length; at += 1) {
      const ordinal = this.#next[at] as number;
      if (ordinal < 0) continue;
      const weight = (this.#sets[at] as PhraseSet).phrases.weights[ordinal] as number;
      if (weight > heaviestSet) [best, heaviestSet] = [at, weight];
    }
    this.#taken = best;
    return best < 0 ? undefined : (this.#sets[best] as PhraseSet).phraseAt(this.#next[best] as number);
  }
}

/** Returns whether a folded text is a phrase. */
export function isPhrase(sets: readonly PhraseSet[], text: string): boolean {
  return sets.some(({ phrases }) => findText(phrases.keys, text) >= 0);
}

/** Returns whether any phrase starts with a folded text, which may end within a word. */
export function beginsSome(sets: readonly PhraseSet[], text: string): boolean {
  return sets.some(({ phrases: { keys } }) => {
    const { low, high } = prefixRange(keys, text);
    return low < high;
  });
}

/** Returns whether a phrase starts with a word. With `isPrefix`, the word may be incomplete. */
export function beginsPhrase(sets: readonly PhraseSet[], word: string, isPrefix: boolean): boolean {
  return (!isPrefix && isPhrase(sets, word)) || beginsSome(sets, isPrefix ? word : `${word} `);
}

/**
 * Iterates over the ordinals of phrases in a range, heaviest first, then by ordinal. Each step takes logarithmic time
 * in the number of all phrases.
 */
export class HeaviestFirst {
  readonly #phrases: Phrases;
  /** Remaining ranges in a heap, with the range of the heaviest phrase on top. Each range takes three entries. */
  readonly #heap: number[] = [];
  // Remainder of the range of the last returned phrase: from `#rangeStart` to `#lastOrdinal`, and from the next ordinal
  // to `#rangeEnd`.
  #from = 0;
  #given = -1;
  #to = 0;

  constructor(phrases: Phrases, { low, high }: Range) {
    this.#phrases = phrases;
    this.#push(low, high);
  }

  /** Returns the next ordinal, or -1 at the end. */
  next(): number {
    if (this.#given >= 0) {
      this.#push(this.#from, this.#given);
      this.#push(this.#given + 1, this.#to);
    }
    this.#given = this.#pop();
    return this.#given;
  }

  #push(from: number, to: number): void {
    if (from >= to) return;
    const heap = this.#heap;
    const { weights } = this.#phrases;
    const ordinal = heaviestIn(this.#phrases, from, to);
    let at = heap.length;
    heap.push(ordinal, from, to);
    while (at > 0) {
      const parent = Math.floor((at / entry - 1) / 2) * entry;
      if (!isHeavier(weights, ordinal, heap[parent] as number)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, ordinal, from, to);
  }

  #pop(): number {
    const heap = this.#heap;
    if (heap.length === 0) return -1;
    const best = heap[0] as number;
    this.#from = heap[1] as number;
    this.#to = heap[2] as number;
    const to = heap.pop() as number;
    const from = heap.pop() as number;
    const last = heap.pop() as number;
    if (heap.length === 0) return best;
    const { weights } = this.#phrases;
    let at = 0;
    for (let child = entry; child < heap.length; child = at * 2 + entry) {
      const next = child + entry;
      if (next < heap.length && isHeavier(weights, heap[next] as number, heap[child] as number)) child = next;
      if (isHeavier(weights, last, heap[child] as number)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, last, from, to);
    return best;
  }

  #move(from: number, to: number): void {
    const heap = this.#heap;
    for (let part = 0; part < entry; part += 1) heap[to + part] = heap[from + part] as number;
  }

  #put(at: number, ordinal: number, from: number, to: number): void {
    this.#heap[at] = ordinal;
    this.#heap[at + 1] = from;
    this.#heap[at + 2] = to;
  }
}

/** Number of heap entries per range: its heaviest phrase, its start and its end. */
const entry = 3;

/** Returns the heaviest phrase from `from` to `to` (exclusive). The range must not be empty. */
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
