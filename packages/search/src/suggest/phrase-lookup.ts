import { listForms } from "../analysis/inflections.ts";
import { GenerationCache } from "../generation-cache.ts";
import type { Leaf } from "../index/leaf.ts";
import { findPrefix, findText, getText, type Range } from "../terms/dictionary.ts";
import { HeaviestFirstIterator } from "./heaviest-first-iterator.ts";
import { computePhraseKey, type Phrases, type TypedText } from "./phrases.ts";

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
  /** Last prefix that was looked up. One text is completed by several lookups of the same prefix. */
  #lastPrefix = "";
  #lastRange: Range | undefined;

  constructor(phrases: Phrases, resultCertainty: ResultCertainty) {
    this.phrases = phrases;
    this.#certainty = resultCertainty;
  }

  phraseAt(ordinal: number): Phrase {
    const cachedPhrase = this.#cachedPhrases.find(ordinal);
    return cachedPhrase ?? this.#cachedPhrases.get(ordinal, weightOf, () => this.#createPhrase(ordinal));
  }

  /** Returns the ordinals of the phrases that start with a text in lower case without accents. */
  findRange(prefix: string): Range {
    if (this.#lastRange === undefined || prefix !== this.#lastPrefix) {
      this.#lastRange = findPrefix(this.phrases.keys, prefix);
      this.#lastPrefix = prefix;
    }
    return this.#lastRange;
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
  /** Term numbers of the words in each segment and language, computed on first use. */
  readonly #terms: CachedTermNumbers[] = [];
  readonly #wordForms: CachedWordForms[] = [];

  constructor(text: string, key: string, weight: number, isMatchCertain: boolean) {
    this.text = text;
    this.key = key;
    this.weight = weight;
    this.isMatchCertain = isMatchCertain;
    this.words = key.split(" ");
  }

  /** Returns the term numbers of the phrase's words in a leaf, or undefined if a word is not a term of the leaf. */
  getTermIds(leaf: Leaf): readonly number[] | undefined {
    for (let index = 0; index < this.#terms.length; index += 1) {
      const cachedTerms = this.#terms[index] as CachedTermNumbers;
      if (cachedTerms.leaf === leaf) return cachedTerms.terms;
    }
    const terms = findTerms(leaf, this.words);
    this.#terms.push({ leaf, terms });
    return terms;
  }

  /**
   * Returns the term numbers of inflected phrases, such as the plural: one list for each form of the last word that is
   * a term of the leaf (the documents of one language in a segment).
   * @param locale language of the phrase
   */
  findForms(leaf: Leaf, locale: string): readonly (readonly number[])[] {
    for (let index = 0; index < this.#wordForms.length; index += 1) {
      const cachedWordForms = this.#wordForms[index] as CachedWordForms;
      if (cachedWordForms.leaf === leaf && cachedWordForms.locale === locale) return cachedWordForms.forms;
    }
    const previousTerms = findTerms(leaf, this.words.slice(0, -1));
    const inflectedTerms: (readonly number[])[] = [];
    for (const form of previousTerms === undefined
      ? []
      : listForms({ text: this.words.at(-1) ?? "", isGram: false }, locale)) {
      const term = findText(leaf.terms, form);
      if (term >= 0) inflectedTerms.push([...(previousTerms ?? []), term]);
    }
    this.#wordForms.push({ leaf, locale, forms: inflectedTerms });
    return inflectedTerms;
  }
}

interface CachedTermNumbers {
  readonly leaf: Leaf;
  readonly terms: readonly number[] | undefined;
}

interface CachedWordForms {
  readonly leaf: Leaf;
  readonly locale: string;
  readonly forms: readonly (readonly number[])[];
}

/** Returns the term numbers of words in a leaf, or undefined if a word is not a term of the leaf. */
export function findTerms({ terms }: Leaf, words: readonly string[]): readonly number[] | undefined {
  const termNumbers: number[] = [];
  for (let word = 0; word < words.length; word += 1) {
    const term = findText(terms, words[word] as string);
    if (term < 0) return undefined;
    termNumbers.push(term);
  }
  return termNumbers;
}

/** Returns the phrases that start with a text in lower case without accents, or undefined if there are none. */
export function findPhrasesWithPrefix(phraseSets: readonly PhraseSet[], prefix: string): PhraseStream | undefined {
  let stream: PhraseStream | undefined;
  for (let index = 0; index < phraseSets.length; index += 1) {
    const set = phraseSets[index] as PhraseSet;
    const range = set.findRange(prefix);
    if (range.low >= range.high) continue;
    stream ??= new PhraseStream();
    stream.add(set, range);
  }
  return stream;
}

/** Iterates over phrases of several sets, heaviest first. Phrases of equal weight are in the order of the sets. */
export class PhraseStream {
  readonly #phraseSets: PhraseSet[] = [];
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
    this.#phraseSets.push(set);
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
    for (let index = 0; index < this.#phraseSets.length; index += 1) {
      const ordinal = this.#nextOrdinals[index] as number;
      if (ordinal < 0) continue;
      const weight = (this.#phraseSets[index] as PhraseSet).phrases.weights[ordinal] as number;
      if (weight > maxWeight) [bestIndex, maxWeight] = [index, weight];
    }
    this.#lastSetIndex = bestIndex;
    return bestIndex < 0
      ? undefined
      : (this.#phraseSets[bestIndex] as PhraseSet).phraseAt(this.#nextOrdinals[bestIndex] as number);
  }
}

/** Returns whether any of the sets contains a phrase.  @param text the phrase in lower case without accents */
export function isPhrase(phraseSets: readonly PhraseSet[], text: string): boolean {
  return phraseSets.some(({ phrases }) => findText(phrases.keys, text) >= 0);
}

/**
 * Returns the text of a completion. It is the typed text if both differ only in accents, and the completion has none or
 * a phrase has the typed ones: "bê" remains, even if "bé" is more frequent.
 */
export function keepTypedAccents(
  phraseSets: readonly PhraseSet[],
  { key, words, getTextBefore }: TypedText,
  completion: Pick<Phrase, "text" | "key">,
): string {
  const { text } = completion;
  const typedText = getTextBefore(words.length);
  if (completion.key !== key || typedText === text || typedText === key || !hasOnlyWords(typedText)) return text;
  const lastWord = typedText.slice(getTextBefore(words.length - 1).length);
  const isKnown = isSpelling(phraseSets, key, typedText) || isSpelling(phraseSets, words.at(-1) ?? "", lastWord);
  return text === key || isKnown ? typedText : text;
}

/** Returns whether a text contains no punctuation. */
function hasOnlyWords(text: string): boolean {
  return /^[\p{L}\p{M}\p{N} ]+$/u.test(text);
}

/** Returns whether a phrase with a key is displayed as a text. */
function isSpelling(phraseSets: readonly PhraseSet[], key: string, text: string): boolean {
  return phraseSets.some(({ phrases: { keys, texts } }) => {
    const { low, high } = findPrefix(keys, key);
    // The spellings of a phrase are neighbors, before longer phrases.
    for (let ordinal = low; ordinal < high && getText(keys, ordinal) === key; ordinal += 1)
      if (getText(texts, ordinal) === text) return true;
    return false;
  });
}

/**
 * Returns words as phrases display them, with accents.
 * @param words lower case without accents
 */
export function spellWords(phraseSets: readonly PhraseSet[], words: readonly string[]): string {
  return words.map((word) => findSpelling(phraseSets, word) ?? word).join(" ");
}

function findSpelling(phraseSets: readonly PhraseSet[], word: string): string | undefined {
  for (const { phrases } of phraseSets) {
    const ordinal = findText(phrases.keys, word);
    if (ordinal >= 0) return getText(phrases.texts, ordinal);
  }
  const firstWord = findPhrasesWithPrefix(phraseSets, `${word} `)?.next()?.text.split(" ", 1)[0];
  return firstWord !== undefined && computePhraseKey(firstWord) === word ? firstWord : undefined;
}

/** Returns whether any phrase starts with a text.  @param text lower case without accents; may end within a word */
export function hasPhraseWithPrefix(phraseSets: readonly PhraseSet[], text: string): boolean {
  return phraseSets.some((set) => {
    const { low, high } = set.findRange(text);
    return low < high;
  });
}

/** Returns whether a phrase starts with a word. With `isPrefix`, the word may be incomplete. */
export function isPhraseStart(phraseSets: readonly PhraseSet[], word: string, isPrefix: boolean): boolean {
  return (!isPrefix && isPhrase(phraseSets, word)) || hasPhraseWithPrefix(phraseSets, isPrefix ? word : `${word} `);
}
