import { type RelaxationStep, totalCost } from "../query/relaxation-step.ts";
import { misspellingRatio } from "../scoring/score.ts";
import { findFuzzyMatches } from "./find-fuzzy-matches.ts";
import { fuzzyKindAt } from "./fuzzy-matches.ts";
import { twoEditsFrom } from "./levenshtein-automaton.ts";

/** Suspected misspellings. By word: with how many edits it is searched from the first step on, although documents hold it; 0: as typed. */
export interface MisspellingCandidates {
  /**
   * Long words in few bodies and no primary field, while words a few edits away are in very many primary fields. Short
   * words are near too many others: "golf" is not a misspelling of "gold" only because no name contains it.
   */
  readonly strict: readonly number[];
  /** Also words that are finished and that no document holds whole: letters may be missing at the end, or elsewhere. */
  readonly free: readonly number[];
}

/**
 * @param typed the words as prefixes, without edits
 * @param whole the words as complete words
 * @param editsOf returns the edits that a word allows; called only for candidates
 */
export function findMisspellingCandidates(
  typed: RelaxationStep,
  whole: () => RelaxationStep,
  editsOf: (word: number) => number,
): MisspellingCandidates {
  const strict = typed.words.map(({ text }, at) => {
    if (text.length < twoEditsFrom) return 0;
    const cost = totalCost(typed, at, true);
    if (cost === 0 || totalCost(typed, at, false) > 0) return 0;
    const edits = editsOf(at);
    return edits > 0 && cost <= primaryCostOfCorrections(typed, at, edits) * misspellingRatio ? edits : 0;
  });
  const free = strict.map((edits, at) =>
    edits === 0 && typed.words[at]?.isPrefix === false && totalCost(whole(), at, true) === 0 ? editsOf(at) : edits,
  );
  return { strict, free };
}

/** Postings, in primary fields, of whole terms that a word may be a misspelling of. */
function primaryCostOfCorrections({ context, readers, words }: RelaxationStep, word: number, edits: number): number {
  const text = words[word]?.text ?? "";
  let sum = 0;
  for (const { leaf } of readers) {
    const { starts } = leaf.primary.postings;
    const matches = findFuzzyMatches(context, leaf, text, edits);
    matches.lows.forEach((low, range) => {
      const kind = fuzzyKindAt(matches, range);
      if (kind === "typo" || kind === "twoTypos")
        sum += (starts[matches.highs[range] as number] as number) - (starts[low] as number);
    });
  }
  return sum;
}
