import { findText, prefixRange, type Range } from "./dictionary.ts";
import { cuts } from "./joining.ts";
import { createMemory, recalled, remembered } from "./memory.ts";
import { type Bent, bentRanges, noBent } from "./misspellings.ts";
import type { Part } from "./part.ts";
import { forms } from "./plurals.ts";
import { joinings, type QueryWord } from "./query.ts";
import { type Way, wayShares } from "./ranking.ts";
import { narrowed, type Sequence, sequence } from "./sequence.ts";
import { type Synonyms, synonymUses } from "./synonyms.ts";
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
  readonly ranges: readonly Alternative[];
  readonly sequences: readonly Sequence[];
  readonly bent: Bent;
  /** Postings that match in what names a thing, and in descriptions. */
  readonly headSize: number;
  readonly bodySize: number;
}

const plansOf = createMemory<Plan>();

/** How freely words are read. */
export interface Reading {
  /** All words but the last must be whole. */
  readonly wholeWords: boolean;
  /** By word: how many edits it may hold. */
  readonly edits: readonly number[];
}

/** What each word of a query may stand for in a part. The same words get the same plans while they are remembered: words before the
 *  one being typed come again with each letter. */
export function expand(part: Part, words: readonly QueryWord[], reading: Reading, synonyms: Synonyms): Plan[] {
  const isPrefix = (word: QueryWord) => word.isPrefix || (!reading.wholeWords && !word.isGram);
  const keys = words.map((word, index) => planKey(word, isPrefix(word), reading.edits[index] ?? 0));
  const plans = words.map((word, index) =>
    wordPlan(part, word, isPrefix(word), reading.edits[index] ?? 0, keys[index] as string),
  );
  for (const { from, to, ranges, sequences } of commonAlternatives(part, words, isPrefix, synonyms))
    for (let word = from; word < to; word += 1) {
      const key = [
        keys[word],
        ...ranges.map(({ way, low, high }) => `${way}${low}-${high}`),
        ...sequences.map(said),
      ].join("+");
      const plan = plans[word] as Plan;
      keys[word] = key;
      plans[word] = remembered(plansOf, part, key, planWeight, () =>
        makePlan(part, [...plan.ranges, ...ranges], [...plan.sequences, ...sequences], plan.bent),
      );
    }
  return plans;
}

function said({ way, label }: Sequence): string {
  return `${way}${label}`;
}

/** What words `from` up to, not including, `to` of a query may stand for together. */
interface Common {
  readonly from: number;
  readonly to: number;
  readonly ranges: readonly Alternative[];
  readonly sequences: readonly Sequence[];
}

function commonAlternatives(
  part: Part,
  words: readonly QueryWord[],
  isPrefix: (word: QueryWord) => boolean,
  synonyms: Synonyms,
): Common[] {
  const found: Common[] = [];
  for (const { text, from, to, mayGoOn } of words.length > 1 || words[0]?.isGram === false ? joinings(words) : []) {
    const { low, high } =
      mayGoOn && isPrefix(words[to - 1] as QueryWord) ? prefixRange(part.terms, text) : exactRange(part, text);
    if (low < high) found.push({ from, to, ranges: [alternative("joined", { low, high })], sequences: [] });
  }
  for (const { from, to, phrases, isComplete } of synonymUses(words, synonyms, part.locale))
    for (const phrase of phrases)
      found.push({ from, to, ...phrasePlan(part, phrase, isComplete ? "synonym" : "nearSynonym") });
  return found;
}

function makePlan(
  part: Part,
  ranges: readonly Alternative[],
  sequences: readonly Sequence[],
  bent: Bent = noBent,
): Plan {
  let [headSize, bodySize] = [0, 0];
  const { starts } = part.head.postings;
  const bodyStarts = part.body.postings.starts;
  const count = (low: number, high: number): void => {
    headSize += (starts[high] as number) - (starts[low] as number);
    bodySize += (bodyStarts[high] as number) - (bodyStarts[low] as number);
  };
  for (const { low, high } of ranges) count(low, high);
  for (let run = 0; run < bent.lows.length; run += 1) count(bent.lows[run] as number, bent.highs[run] as number);
  for (const { documents } of sequences) headSize += documents.length;
  return { ranges, sequences, bent, headSize, bodySize };
}

function planKey(word: Pick<QueryWord, "text" | "isGram">, isPrefix: boolean, edits: number): string {
  return `${isPrefix ? "*" : word.isGram ? "#" : "="}${edits}${word.text}`;
}

/** A part never changes, so what a word may stand for in it is remembered. */
function wordPlan(part: Part, word: QueryWord, isPrefix: boolean, edits: number, key: string): Plan {
  return remembered(plansOf, part, key, planWeight, () => {
    if (edits === 0) return findPlan(part, word, isPrefix);
    const { ranges, sequences } = wordPlan(part, word, isPrefix, 0, planKey(word, isPrefix, 0));
    return makePlan(part, ranges, sequences, bentRanges(part, word.text, edits));
  });
}

function planWeight({ sequences }: Plan): number {
  return sequences.reduce((sum, { documents }) => sum + documents.length, 1);
}

function findPlan(part: Part, word: QueryWord, isPrefix: boolean): Plan {
  const ranges: Alternative[] = [];
  const exact = findText(part.terms, word.text);
  if (exact >= 0) ranges.push(alternative("exact", { low: exact, high: exact + 1 }));
  for (const form of forms(word, part.locale)) {
    const { low, high } = exactRange(part, form);
    if (low < high) ranges.push(alternative("form", { low, high }));
  }
  if (isPrefix) {
    const { low, high } = prefixRange(part.terms, word.text);
    if (low < high) ranges.push(alternative("prefix", { low, high }));
  }
  return makePlan(part, ranges, word.isGram ? [] : cutSequences(part, word.text, isPrefix, ranges.length > 0));
}

/** `deckshoes` where a document says `deck shoes`: the word is cut at each place that leaves two known words. What the word was before its
 *  last letter was typed is mostly remembered: a cut is then looked for among what the same cut found. */
function cutSequences(part: Part, text: string, isPrefix: boolean, isKnown: boolean): Sequence[] {
  const beginning = isPrefix ? text.slice(0, -1) : text;
  const before = recalled(plansOf, part, planKey({ text: beginning, isGram: false }, true, 0));
  const sequences: Sequence[] = [];
  for (const [one, other] of cuts(text, isPrefix)) {
    const first = exactRange(part, one);
    if (first.low === first.high) continue;
    const second = isPrefix ? prefixRange(part.terms, other) : exactRange(part, other);
    if (second.low === second.high || (isKnown && areEverywhere(part, first, second))) continue;
    const label = `${one} ${other}`;
    const shorter = beginning.slice(one.length);
    const wider = before?.sequences.find((found) => found.label === `${one} ${shorter}`);
    let found: Sequence | undefined;
    if (wider !== undefined) found = narrowed(part, wider, second, label);
    else if (before === undefined || !wasCut(part, before, first, shorter))
      found = sequence(part, "split", [first, second], label);
    if (found !== undefined) sequences.push(found);
  }
  return sequences;
}

/** Whether a cut of a word, read as a beginning, was looked for. @param other what is left of the word behind the cut */
function wasCut(part: Part, { ranges }: Plan, first: Range, other: string): boolean {
  return other !== "" && (ranges.length === 0 || !areEverywhere(part, first, prefixRange(part.terms, other)));
}

/** A word that is known as it stands is not taken for two that are everywhere: "mens" is no "men s…". */
function areEverywhere(part: Part, first: Range, second: Range): boolean {
  return isWide(part, first) && isWide(part, second);
}

function isWide({ head }: Part, { low, high }: Range): boolean {
  return (head.postings.starts[high] as number) - (head.postings.starts[low] as number) >= wideFrom;
}

function phrasePlan(part: Part, phrase: readonly string[], way: Way): Pick<Plan, "ranges" | "sequences"> {
  const ranges: Alternative[] = [];
  const joined = phrase.join("");
  const texts = phrase.length > 1 ? [joined] : [joined, ...forms({ text: joined, isGram: false }, part.locale)];
  for (const text of texts) {
    const { low, high } = exactRange(part, text);
    if (low < high) ranges.push(alternative(way, { low, high }));
  }
  const terms = phrase.map((text) => exactRange(part, text));
  const isKnown = terms.length > 1 && terms.every(({ low, high }) => low < high);
  const found = isKnown ? sequence(part, way, terms, phrase.join(" ")) : undefined;
  return { ranges, sequences: found === undefined ? [] : [found] };
}

function exactRange(part: Part, text: string): Range {
  const place = findText(part.terms, text);
  return place < 0 ? { low: 0, high: 0 } : { low: place, high: place + 1 };
}
