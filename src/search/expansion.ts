import { findText, prefixRange, type Range } from "./dictionary.ts";
import { cuts } from "./joining.ts";
import { createMemory, remembered } from "./memory.ts";
import type { Part } from "./part.ts";
import { forms, joinings, type QueryWord } from "./query.ts";
import { type Way, wayShares } from "./ranking.ts";
import { type Sequence, sequence } from "./sequence.ts";
import { type Synonyms, synonymUses } from "./synonyms.ts";
import { typoRuns } from "./typo.ts";
import { wideFrom } from "./wide.ts";

/** Terms `low` up to, not including, `high` of a part match a word of the query in some way. */
export interface Alternative extends Range {
  readonly way: Way;
  /** Percentage of the points; see `wayShares`. */
  readonly share: number;
}

function alternative(way: Way, { low, high }: Range): Alternative {
  return { way, share: wayShares[way], low, high };
}

/** Everything in one part that a word of a query may stand for. */
export interface Plan {
  readonly ranges: Alternative[];
  readonly sequences: Sequence[];
  /** Misspellings, ascending and apart from one another; they may be many. */
  readonly bent: readonly Alternative[];
}

const plansOf = createMemory<Plan>();
const bentOf = createMemory<readonly Alternative[]>();

/** How freely words are read. */
export interface Reading {
  /** All words but the last must be whole. */
  readonly wholeWords: boolean;
  /** By word: how many edits it may hold. */
  readonly edits: readonly number[];
}

/** What each word of a query may stand for in a part. */
export function expand(part: Part, words: readonly QueryWord[], reading: Reading, synonyms: Synonyms): Plan[] {
  const isPrefix = (word: QueryWord) => word.isPrefix || (!reading.wholeWords && !word.isGram);
  const plans = words.map((word, index): Plan => {
    const { ranges, sequences } = wordPlan(part, word, isPrefix(word));
    const edits = reading.edits[index] ?? 0;
    return {
      ranges: [...ranges],
      sequences: [...sequences],
      bent: edits === 0 ? [] : bentRanges(part, word.text, edits),
    };
  });
  for (const { text, from, to, mayGoOn } of words.length > 1 || words[0]?.isGram === false ? joinings(words) : []) {
    const { low, high } =
      mayGoOn && isPrefix(words[to - 1] as QueryWord) ? prefixRange(part.terms, text) : exactRange(part, text);
    if (low < high)
      for (let word = from; word < to; word += 1) plans[word]?.ranges.push(alternative("joined", { low, high }));
  }
  for (const { from, to, phrases, isComplete } of synonymUses(words, synonyms, part.locale))
    for (const phrase of phrases) {
      const meant = phrasePlan(part, phrase, isComplete ? "synonym" : "nearSynonym");
      for (let word = from; word < to; word += 1) {
        plans[word]?.ranges.push(...meant.ranges);
        plans[word]?.sequences.push(...meant.sequences);
      }
    }
  return plans;
}

/** A part never changes, so what a word may stand for in it is remembered: the words before the one being typed come again
 *  with each letter. */
function wordPlan(part: Part, word: QueryWord, isPrefix: boolean): Plan {
  const key = `${isPrefix ? "*" : word.isGram ? "#" : "="}${word.text}`;
  return remembered(plansOf, part, key, planWeight, () => findPlan(part, word, isPrefix));
}

function planWeight({ sequences }: Plan): number {
  return sequences.reduce((sum, { documents }) => sum + documents.length, 1);
}

function findPlan(part: Part, word: QueryWord, isPrefix: boolean): Plan {
  const plan: Plan = { ranges: [], sequences: [], bent: [] };
  const exact = findText(part.terms, word.text);
  if (exact >= 0) plan.ranges.push(alternative("exact", { low: exact, high: exact + 1 }));
  for (const form of forms(word, part.locale)) {
    const { low, high } = exactRange(part, form);
    if (low < high) plan.ranges.push(alternative("form", { low, high }));
  }
  if (isPrefix) {
    const { low, high } = prefixRange(part.terms, word.text);
    if (low < high) plan.ranges.push(alternative("prefix", { low, high }));
  }
  if (!word.isGram) addCuts(part, word.text, isPrefix, plan);
  return plan;
}

/** `deckshoes` where a document says `deck shoes`: the word is cut at each place that leaves two known words. A word that is
 *  known as it stands is not taken for two that are everywhere: "mens" is no "men s…". */
function addCuts(part: Part, text: string, isPrefix: boolean, plan: Plan): void {
  const isKnown = plan.ranges.length > 0;
  for (const [one, other] of cuts(text, isPrefix)) {
    const first = exactRange(part, one);
    if (first.low === first.high) continue;
    const second = isPrefix ? prefixRange(part.terms, other) : exactRange(part, other);
    if (second.low === second.high || (isKnown && isWide(part, first) && isWide(part, second))) continue;
    const found = sequence(part, "split", [first, second], `${one} ${other}`);
    if (found !== undefined) plan.sequences.push(found);
  }
}

function isWide({ head }: Part, { low, high }: Range): boolean {
  return (head.postings.starts[high] as number) - (head.postings.starts[low] as number) >= wideFrom;
}

/** Terms of a part that some edits make of a word. */
export function bentRanges(part: Part, text: string, edits: number): readonly Alternative[] {
  return remembered(
    bentOf,
    part,
    `${edits}${text}`,
    (found) => 1 + found.length,
    () => typoRuns(part.terms, text, edits).map((run) => alternative(run.edits === 1 ? "typo" : "twoTypos", run)),
  );
}

function phrasePlan(part: Part, phrase: readonly string[], way: Way): Plan {
  const plan: Plan = { ranges: [], sequences: [], bent: [] };
  const joined = phrase.join("");
  const texts = phrase.length > 1 ? [joined] : [joined, ...forms({ text: joined, isGram: false }, part.locale)];
  for (const text of texts) {
    const { low, high } = exactRange(part, text);
    if (low < high) plan.ranges.push(alternative(way, { low, high }));
  }
  const terms = phrase.map((text) => exactRange(part, text));
  if (terms.length > 1 && terms.every(({ low, high }) => low < high)) {
    const found = sequence(part, way, terms, phrase.join(" "));
    if (found !== undefined) plan.sequences.push(found);
  }
  return plan;
}

function exactRange(part: Part, text: string): Range {
  const place = findText(part.terms, text);
  return place < 0 ? { low: 0, high: 0 } : { low: place, high: place + 1 };
}
