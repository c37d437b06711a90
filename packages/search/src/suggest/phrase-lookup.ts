import { listForms } from "../analysis/inflections.ts";
import { GenerationCache } from "../generation-cache.ts";
import type { Leaf } from "../index/leaf.ts";
import { findText, prefixRange, type Range, textAt } from "../terms/dictionary.ts";
import { heavierOf, isHeavier, type Phrases } from "./phrases.ts";

/** Which phrases of a set certainly have results. */
export interface Certainty {
  /** A phrase heavier than this is surely in a document that is not deleted. */
  readonly sureAbove: number;
  /** Whether no document with a lighter phrase is deleted. */
  readonly isUntouched?: (key: string) => boolean;
}

/**
 * Phrases for completion: those of one leaf, or popular queries. Recently read phrases are cached, since the heaviest
 * ones repeat letter after letter and after many other words.
 */
export class PhraseSet {
  readonly phrases: Phrases;
  readonly #sureness: Certainty;
  /** By ordinal. */
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

/** Weight of a phrase in addition to its letters. */
const phraseOverhead = 20;

export class Phrase {
  /** The string as displayed. */
  readonly text: string;
  /** Folded. */
  readonly key: string;
  readonly weight: number;
  /** A search for it surely finds something. */
  readonly isSure: boolean;
  /** Words of the key. */
  readonly words: readonly string[];
  /** Terms of the words, by leaf; computed on first use. */
  readonly #terms: TermsInLeaf[] = [];
  readonly #forms: FormsInLeaf[] = [];

  constructor(text: string, key: string, weight: number, isSure: boolean) {
    this.text = text;
    this.key = key;
    this.weight = weight;
    this.isSure = isSure;
    this.words = key.split(" ");
  }

  /** Terms of a leaf for its words; undefined if one of them is not a term. */
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
   * The same with each other form of the last word that is a term of the leaf.
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

/** Terms of a leaf for some words; undefined if one of them is not a term. */
export function termsOf({ terms }: Leaf, words: readonly string[]): readonly number[] | undefined {
  const found: number[] = [];
  for (let word = 0; word < words.length; word += 1) {
    const term = findText(terms, words[word] as string);
    if (term < 0) return undefined;
    found.push(term);
  }
  return found;
}

/** Phrases that start with a folded text, or undefined. */
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

/** Phrases of ranges of several sets, heaviest first; ties by the order of the sets. */
export class PhraseStream {
  readonly #sets: PhraseSet[] = [];
  readonly #ordinals: HeaviestFirst[] = [];
  /** By set: ordinal of its heaviest phrase that was not returned yet; -1 if all were. */
  readonly #next: number[] = [];
  /** The set of the last returned phrase, whose next one is not computed yet, or -1. */
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

/** Whether a folded text is a phrase. */
export function isPhrase(sets: readonly PhraseSet[], text: string): boolean {
  return sets.some(({ phrases }) => findText(phrases.keys, text) >= 0);
}

/** Returns whether a phrase starts with a folded text, possibly within a word. */
export function beginsSome(sets: readonly PhraseSet[], text: string): boolean {
  return sets.some(({ phrases: { keys } }) => {
    const { low, high } = prefixRange(keys, text);
    return low < high;
  });
}

/** Whether a phrase begins with a word; with `isPrefix`, with a word that begins so. */
export function beginsPhrase(sets: readonly PhraseSet[], word: string, isPrefix: boolean): boolean {
  return (!isPrefix && isPhrase(sets, word)) || beginsSome(sets, isPrefix ? word : `${word} `);
}

/**
 * Ordinals of the phrases in a range, heaviest first, ties by ordinal. Each takes logarithmic time in the number of all
 * phrases.
 */
export class HeaviestFirst {
  readonly #phrases: Phrases;
  /** Ranges that are left, by the heaviest phrase in each: a heap with the heaviest on top; three entries a range. */
  readonly #heap: number[] = [];
  // Rest of the range of the last returned phrase: from `#from` to `#given`, and after it up to `#to`.
  #from = 0;
  #given = -1;
  #to = 0;

  constructor(phrases: Phrases, { low, high }: Range) {
    this.#phrases = phrases;
    this.#push(low, high);
  }

  /** @returns -1 at the end */
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

/** Numbers per range in a heap: its heaviest phrase, its start and its end. */
const entry = 3;

/** The heaviest phrase from `from` up to `to` (exclusive), which must be greater. */
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
