import type { Attempt } from "./attempts.ts";
import type { Plan } from "./expansion.ts";
import { bentRanges, bentWay } from "./misspellings.ts";
import { doubtfulShare } from "./ranking.ts";
import { twoEditsFrom } from "./typo.ts";
import { sizeOf } from "./word-places.ts";

/** By word: how many edits it is read with from the first, though it is known; 0: it is taken as typed. */
export interface Doubts {
  /** Of long words that name nothing and stand in few descriptions, where what they may be a misspelling of names very many things. Short
   *  ones are near too many others: "golf" is no "gold", though nothing is named so. */
  readonly strict: readonly number[];
  /** Also of words that are finished and stand nowhere as a whole: what is missing may be letters at the end, or others. */
  readonly free: readonly number[];
}

/** @param typed the words as beginnings, without edits  @param whole the same as whole words
 *  @param editsOf how many edits a word may hold; asked of doubtful words alone */
export function doubtsOf(typed: Attempt, whole: () => Attempt, editsOf: (word: number) => number): Doubts {
  const strict = typed.words.map(({ text }, at) => {
    if (text.length < twoEditsFrom) return 0;
    const size = sizeIn(typed, at, true);
    if (size === 0 || sizeIn(typed, at, false) > 0) return 0;
    const edits = editsOf(at);
    return edits > 0 && size <= namedByMisspelling(typed, at, edits) * doubtfulShare ? edits : 0;
  });
  const free = strict.map((edits, at) =>
    edits === 0 && typed.words[at]?.isPrefix === false && sizeIn(whole(), at, true) === 0 ? editsOf(at) : edits,
  );
  return { strict, free };
}

/** Postings that match a word, in all parts. */
function sizeIn({ plans }: Attempt, word: number, withBody: boolean): number {
  return plans.reduce((sum, ofView) => sum + sizeOf(ofView[word] as Plan, withBody), 0);
}

/** Postings of whole words that name a thing and may have been meant. */
function namedByMisspelling({ views, words }: Attempt, word: number, edits: number): number {
  const text = words[word]?.text ?? "";
  let sum = 0;
  for (const { part } of views) {
    const { starts } = part.head.postings;
    const bent = bentRanges(part, text, edits);
    bent.lows.forEach((low, run) => {
      const way = bentWay(bent, run);
      if (way === "typo" || way === "twoTypos")
        sum += (starts[bent.highs[run] as number] as number) - (starts[low] as number);
    });
  }
  return sum;
}
