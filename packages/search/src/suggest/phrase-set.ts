import { findPrefix, getText, type Range } from "../terms/dictionary.ts";
import type { Phrases } from "./phrases.ts";

/** Conditions under which a search for a phrase certainly has results. */
export interface ResultCertainty {
  /** Weight above which a phrase is certainly in a document that is not deleted. */
  readonly maxUncertainWeight: number;
  /** Returns whether no deleted document contains a phrase of at most `maxUncertainWeight`. */
  readonly hasNoDeletedMatch?: (key: string) => boolean;
}

/** A phrase that may complete a text. */
export interface Phrase {
  /** The phrase as displayed. */
  readonly text: string;
  /** The phrase without case and accents. */
  readonly key: string;
  /** Words of the key. */
  readonly words: readonly string[];
  readonly weight: number;
  /** Whether a search for the phrase certainly has a result. */
  readonly isMatchCertain: boolean;
}

/** Phrases for completion: the phrases of one leaf (the documents of one language in a segment), or popular queries. */
export class PhraseSet {
  readonly phrases: Phrases;
  readonly #certainty: ResultCertainty;

  constructor(phrases: Phrases, resultCertainty: ResultCertainty) {
    this.phrases = phrases;
    this.#certainty = resultCertainty;
  }

  phraseAt(ordinal: number): Phrase {
    const { keys, texts, weights } = this.phrases;
    const { maxUncertainWeight, hasNoDeletedMatch } = this.#certainty;
    const key = getText(keys, ordinal);
    const weight = weights[ordinal] as number;
    const isMatchCertain = weight > maxUncertainWeight || hasNoDeletedMatch?.(key) === true;
    return { text: getText(texts, ordinal), key, words: key.split(" "), weight, isMatchCertain };
  }

  /** Returns the ordinals of the phrases that start with a text in lower case without accents. */
  findRange(prefix: string): Range {
    return findPrefix(this.phrases.keys, prefix);
  }
}
