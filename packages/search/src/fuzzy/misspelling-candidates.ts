import { countPostings } from "../index/postings.ts";
import { type RelaxationStep, sumCost } from "../query/relaxation-step.ts";
import { misspellingRatio } from "../scoring/score.ts";
import { minTwoEditsLetters } from "./allowed-edits.ts";
import { findFuzzyMatches } from "./find-fuzzy-matches.ts";
import { getRangeMatchKind } from "./fuzzy-matches.ts";

/**
 * Number of edits to allow for each word of a query. It is greater than 0 for words that are probably misspelled
 * although documents contain them. Such a word also matches similar words, even if the search already has results.
 */
export interface MisspellingCandidates {
  /**
   * Allowed edits of each word: 0, except for long, rare words that resemble very frequent words. Short words resemble
   * too many words: "golf" may be rare, but it is not a misspelling of "gold".
   */
  readonly strictEdits: readonly number[];
  /**
   * Like `strictEdits`, but completely typed words also allow edits if documents contain them only as the start of
   * longer words.
   */
  readonly relaxedEdits: readonly number[];
}

/**
 * Finds the words of a query that are probably misspelled.
 * @param prefixStep relaxation step (one search attempt) that matches the words as prefixes, without edits
 * @param getWholeWordStep returns the search attempt that matches complete words
 * @param findEditCount returns the number of edits that a word allows; only called for candidates
 */
export function findMisspellingCandidates(
  prefixStep: RelaxationStep,
  getWholeWordStep: () => RelaxationStep,
  findEditCount: (word: number) => number,
): MisspellingCandidates {
  const documents = prefixStep.readers.reduce((sum, { leaf }) => sum + leaf.documents.externalIds.length, 0);
  const strictEdits = prefixStep.words.map(({ text }, word) => {
    if (text.length < minTwoEditsLetters) return 0;
    const cost = sumCost(prefixStep, word);
    if (cost === 0 || cost > documents * misspellingRatio) return 0;
    const edits = findEditCount(word);
    return edits > 0 && cost <= countPrimaryPostings(prefixStep, word, edits) * misspellingRatio ? edits : 0;
  });
  const relaxedEdits = strictEdits.map((edits, word) =>
    edits === 0 && prefixStep.words[word]?.isPrefix === false && sumCost(getWholeWordStep(), word) === 0
      ? findEditCount(word)
      : edits,
  );
  return { strictEdits, relaxedEdits };
}

/**
 * Returns the number of postings of all terms that may be the correct spelling of a word. Counts only postings in
 * primary fields (all fields except the body).
 */
function countPrimaryPostings({ context, readers, words }: RelaxationStep, word: number, edits: number): number {
  const text = words[word]?.text ?? "";
  let sum = 0;
  for (const { leaf } of readers) {
    const matches = findFuzzyMatches(context, leaf, text, edits);
    matches.lows.forEach((low, range) => {
      const matchKind = getRangeMatchKind(matches, range);
      if (matchKind === "typo" || matchKind === "twoTypos")
        sum += countPostings(leaf.primary.postings, low, matches.highs[range] as number);
    });
  }
  return sum;
}
