import { GenerationCache } from "../generation-cache.ts";
import type { LeafReader } from "../index/leaf.ts";
import { hasTypedMatch } from "../query/execute.ts";
import { maxWords } from "../query/parse.ts";
import { findSynonymUses, type Synonyms } from "../query/synonyms.ts";
import type { SearchContext } from "../search-context.ts";
import type { Query } from "../search-index.ts";
import { findPrefix, findText } from "../terms/dictionary.ts";

/**
 * A document that contains all words of a text, even if the caller's `accept` rejects it; "none" if no document does.
 */
type MatchingDocument = { readonly externalId: number; readonly type: number } | "none";

/** Cached match of a text. */
interface CachedMatch {
  /** Match with the last word complete; undefined if unknown. */
  fullWordMatch: MatchingDocument | undefined;
  /** Match with the last word as a prefix; undefined if unknown. */
  prefixMatch: MatchingDocument | undefined;
}

/**
 * Caches whether a document contains all words of a text, for one language of an index. Users type letter by letter, so
 * the same completions are tested again for most letters.
 */
export class MatchCache {
  readonly #readers: readonly LeafReader[];
  readonly #synonyms: Synonyms;
  readonly #cachedMatches = new GenerationCache<CachedMatch>();

  constructor(readers: readonly LeafReader[], synonyms: Synonyms) {
    this.#readers = readers;
    this.#synonyms = synonyms;
  }

  /**
   * Returns whether any document that `query.accept` does not reject contains all words of the query exactly. The last
   * word is a prefix unless `isComplete` is set.
   */
  hasMatch(context: SearchContext, query: Query, isComplete: boolean): boolean {
    const { text, accept } = query;
    const cachedMatch = this.#cachedMatches.get(text, weightOf, createEmptyMatch);
    let match = isComplete ? cachedMatch.fullWordMatch : cachedMatch.prefixMatch;
    if (match === undefined) {
      match = this.#hasUnmatchedBeginning(text, isComplete) ? "none" : this.#findMatch(context, query, isComplete);
      if (!isComplete) cachedMatch.prefixMatch = match;
      // A document with the complete word also contains it as a prefix.
      if (isComplete || match === "none") cachedMatch.fullWordMatch = match;
    }
    if (match === "none") return false;
    return accept?.(match.externalId, match.type, true) !== false || this.#search(context, query, isComplete);
  }

  /** Returns whether the cache shows that no document contains all words of a text, with the last word as a prefix. */
  isKnownUnmatched(text: string): boolean {
    return this.#cachedMatches.find(text)?.prefixMatch === "none" || this.#hasUnmatchedBeginning(text, false);
  }

  #findMatch(context: SearchContext, query: Query, isComplete: boolean): MatchingDocument {
    let match: MatchingDocument = "none";
    const recordMatch: Query["accept"] = (externalId, type) => {
      match = { externalId, type };
      return true;
    };
    this.#search(context, { ...query, accept: recordMatch }, isComplete);
    return match;
  }

  #search(context: SearchContext, query: Query, isComplete: boolean): boolean {
    return hasTypedMatch(context, query, this.#readers, this.#synonyms, isComplete ? "whole" : "prefix");
  }

  /**
   * Returns whether the cache shows that no document contains all words before the last word, so that no document
   * contains the text either. The result is false if the last word can change that: by joining with the previous word,
   * by completing a phrase with synonyms, or by repeating a word.
   */
  #hasUnmatchedBeginning(text: string, isComplete: boolean): boolean {
    const lastSpaceIndex = text.lastIndexOf(" ");
    if (
      lastSpaceIndex < 0 ||
      this.#cachedMatches.find(text.slice(0, lastSpaceIndex))?.fullWordMatch !== "none" ||
      !plainWordsPattern.test(text)
    )
      return false;
    const words = text.split(" ");
    const lastWord = words.pop() as string;
    if (words.length >= maxWords || words.includes(lastWord)) return false;
    const joinedWord = words.at(-1) + lastWord;
    for (const { leaf } of this.#readers) {
      const { low, high } = findPrefix(leaf.terms, joinedWord);
      if (isComplete ? findText(leaf.terms, joinedWord) >= 0 : low < high) return false;
    }
    if (this.#synonyms.size === 0) return true;
    const queryWords = [...words, lastWord].map((word, chunk) => {
      return { text: word, chunk, isGram: false, isPrefix: !isComplete && chunk === words.length };
    });
    return this.#readers.every(({ leaf }) =>
      findSynonymUses(queryWords, this.#synonyms, leaf.locale).every(({ to }) => to < queryWords.length),
    );
  }
}

/**
 * Several words whose meaning does not depend on the next word: no numbers, which can have units, and no truncated
 * words.
 */
const plainWordsPattern = /^[a-z]{1,30}(?: [a-z]{1,30})+$/;

function createEmptyMatch(): CachedMatch {
  return { fullWordMatch: undefined, prefixMatch: undefined };
}

function weightOf(): number {
  return 4;
}
