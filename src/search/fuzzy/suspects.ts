import { costOf } from "../docset/filter-cache.ts";
import type { TermQuery } from "../query/expand.ts";
import type { RelaxationStep } from "../query/relax.ts";
import { suspectRatio } from "../scoring/score.ts";
import { findFuzzyMatches, matchKindOf } from "./fuzzy-matches.ts";
import { twoEditsFrom } from "./levenshtein-automaton.ts";

/** By word: how many edits it is read with from the first, though it is known; 0: it is taken as typed. */
export interface Suspects {
  /** Of long words that name nothing and stand in few descriptions, where what they may be a misspelling of names very many things. Short
   *  ones are near too many others: "golf" is no "gold", though nothing is named so. */
  readonly strict: readonly number[];
  /** Also of words that are finished and stand nowhere as a whole: what is missing may be letters at the end, or others. */
  readonly free: readonly number[];
}

/** @param typed the words as beginnings, without edits  @param whole the same as whole words
 *  @param editsOf how many edits a word may hold; asked of doubtful words alone */
export function suspectsOf(
  typed: RelaxationStep,
  whole: () => RelaxationStep,
  editsOf: (word: number) => number,
): Suspects {
  const strict = typed.words.map(({ text }, at) => {
    if (text.length < twoEditsFrom) return 0;
    const size = sizeIn(typed, at, true);
    if (size === 0 || sizeIn(typed, at, false) > 0) return 0;
    const edits = editsOf(at);
    return edits > 0 && size <= namedByMisspelling(typed, at, edits) * suspectRatio ? edits : 0;
  });
  const free = strict.map((edits, at) =>
    edits === 0 && typed.words[at]?.isPrefix === false && sizeIn(whole(), at, true) === 0 ? editsOf(at) : edits,
  );
  return { strict, free };
}

/** Postings that match a word, in all leaves. */
function sizeIn({ termQueries }: RelaxationStep, word: number, withBody: boolean): number {
  return termQueries.reduce((sum, ofReader) => sum + costOf(ofReader[word] as TermQuery, withBody), 0);
}

/** Postings of whole words that name a thing and may have been meant. */
function namedByMisspelling({ readers, words }: RelaxationStep, word: number, edits: number): number {
  const text = words[word]?.text ?? "";
  let sum = 0;
  for (const { leaf } of readers) {
    const { starts } = leaf.naming.postings;
    const fuzzy = findFuzzyMatches(leaf, text, edits);
    fuzzy.lows.forEach((low, run) => {
      const kind = matchKindOf(fuzzy, run);
      if (kind === "typo" || kind === "twoTypos")
        sum += (starts[fuzzy.highs[run] as number] as number) - (starts[low] as number);
    });
  }
  return sum;
}
