import { listForms } from "../analysis/inflections.ts";
import { listWordBreaks, minInflectedSplitLetters } from "../analysis/shingles.ts";
import { minFrequentPostings } from "../index/frequent-ranges.ts";
import type { Leaf } from "../index/leaf.ts";
import { countPostings } from "../index/postings.ts";
import { findPrefix, findTextRange, isEmptyRange, type Range } from "../terms/dictionary.ts";
import { findPhrase, narrowPhraseMatch } from "./phrase.ts";
import type { PhraseBuffers } from "./phrase-scratch.ts";
import type { PhraseMatch, TermQuery } from "./term-query.ts";

/** A word of a query that documents may contain as several words. */
export interface BreakableWord {
  readonly text: string;
  /** Whether the user may type more letters of the word. */
  readonly isPrefix: boolean;
  /** Whether terms match the word. */
  readonly hasMatches: boolean;
}

/**
 * Finds documents with `deck shoes` for `deckshoes`. The word is split at each position where both parts are terms. The
 * second of two parts may also have another form: `deck shoe`. If the word without its last letter is cached with the
 * same split, only the documents of that match are searched.
 * @param prefixQuery cached matches of the word without its last letter, if `isPrefix`; otherwise of the word as a prefix
 */
export function findWordBreakMatches(
  phraseBuffers: PhraseBuffers,
  leaf: Leaf,
  { text, isPrefix, hasMatches }: BreakableWord,
  prefixQuery: TermQuery | undefined,
): PhraseMatch[] {
  const prefixText = isPrefix ? text.slice(0, -1) : text;
  const matches: PhraseMatch[] = [];
  for (const [firstWord, ...parts] of listWordBreaks(text, isPrefix)) {
    const firstRange = findTextRange(leaf.terms, firstWord);
    if (isEmptyRange(firstRange)) continue;
    const hasTwoParts = parts.length === 1;
    const addMatch = (texts: readonly string[], isLastPrefix: boolean, previousWord?: string): void => {
      const ranges = texts.map((part, index) =>
        isLastPrefix && index === texts.length - 1 ? findPrefix(leaf.terms, part) : findTextRange(leaf.terms, part),
      );
      const [secondRange] = ranges as [Range];
      if (ranges.some(isEmptyRange) || (hasMatches && areBothFrequent(leaf, firstRange, secondRange))) return;
      const label = [firstWord, ...texts].join(" ");
      const previousMatch =
        previousWord === undefined
          ? undefined
          : prefixQuery?.phraseMatches.find((match) => match.label === `${firstWord} ${previousWord}`);
      let match: PhraseMatch | undefined;
      if (previousMatch !== undefined) match = narrowPhraseMatch(leaf, previousMatch, secondRange, label);
      else if (
        previousWord === undefined ||
        prefixQuery === undefined ||
        !wasSplitTried(leaf, prefixQuery, firstRange, previousWord)
      )
        match = findPhrase(phraseBuffers, leaf, "split", [firstRange, ...ranges], label);
      if (match !== undefined) matches.push(match);
    };
    addMatch(parts, isPrefix, hasTwoParts ? prefixText.slice(firstWord.length) : undefined);
    if (!hasTwoParts || text.length < minInflectedSplitLetters) continue;
    for (const form of listForms({ text: parts[0] as string, isGram: false }, leaf.locale)) addMatch([form], false);
  }
  return matches;
}

/**
 * Returns whether the search before the last letter was typed already tried this split: "deck shoe" for "deck shoes".
 * @param secondWord second part of the shorter word, such as "shoe"
 */
function wasSplitTried(leaf: Leaf, { ranges }: TermQuery, firstRange: Range, secondWord: string): boolean {
  return (
    secondWord !== "" && (ranges.length === 0 || !areBothFrequent(leaf, firstRange, findPrefix(leaf.terms, secondWord)))
  );
}

/**
 * Returns whether both parts of a split are frequent. A word that is a term is not split into two frequent words:
 * "mens" does not match "men s".
 */
function areBothFrequent(leaf: Leaf, leadingRange: Range, secondRange: Range): boolean {
  return isFrequentRange(leaf, leadingRange) && isFrequentRange(leaf, secondRange);
}

function isFrequentRange({ primary }: Leaf, { low, high }: Range): boolean {
  return countPostings(primary.postings, low, high) >= minFrequentPostings;
}
