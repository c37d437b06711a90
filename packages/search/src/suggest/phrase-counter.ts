import type { TokenStream } from "../analysis/token-stream.ts";
import { doubleCapacity } from "../arrays/shared-arrays.ts";
import { createRunTable, createWordList, isRun, type Left } from "./phrase-tables.ts";
import { createTitleWords } from "./title-words.ts";

/** Counts the phrases of a catalog, with limited memory and a few microseconds per document. */
export interface TextCounter {
  /** Counts the runs of one to `maxRunWords` words in a title, and short titles as a phrase. */
  addTitle(text: string, tokens?: TitleTokens): void;
  /**
   * Counts a vendor, a product type or the title of a collection as one phrase.
   * @param number number of the text, equal for equal texts; -1 if it has no number
   */
  addWhole(text: string, number?: number): void;
  /** Calls `visit` with the phrases that completions may display, at most the `count` heaviest. */
  each(count: number, take: (phrase: string, weight: number) => void): void;
}

/** Tokens of a tokenized title. */
export interface TitleTokens {
  readonly tokenizer: TokenStream;
  /** Term of each token. Equal tokens have equal terms. */
  readonly ofTokens: Uint32Array;
}

/**
 * Maximum weight that one document adds to a phrase: as its vendor, as its type, and for each word of a title that
 * represents several titles.
 */
export const maxFromOneDocument = 136;

/** Maximum number of words in a counted run. */
const maxRun = 4;
/** Maximum number of words in a phrase. */
const maxPhraseWords = 5;
const maxLength = 40;
/** Weight of a vendor, product type or collection title, in occurrences in titles. */
const fullTextWeight = 20;
/**
 * Number of titles of which every run is counted. Later titles count only runs that start with frequent words or runs.
 * Other runs would fill the table and be dropped in the end.
 */
const countedInFull = 20_000;
/**
 * Number of titles before sampling starts. Of later titles, one in `samplingInterval` is counted with the weight of all
 * of them. A phrase that is rare in the first titles is never added later.
 */
const readInFull = 100_000;
const sampled = 4;
const commonFrom = 3;
/** Maximum number of stored runs. A run takes about 25 bytes. */
const maxRuns = 1_500_000;
/** Maximum number of tokens that are compared with a word of the title: "t-shirt" is two tokens. */
const lookahead = 4;
/**
 * Minimum share of occurrences within a longer run for which a run counts as a part of the longer run ("virgin olive"
 * of "extra virgin olive oil").
 */
const pieceRatio = 0.9;
const pieceFrom = 4;

/** @param maxRunCount maximum number of stored runs */
export function createTextCounter(room = maxRuns): TextCounter {
  const words = createWordList();
  const runs = createRunTable(room);
  const title = createTitleWords();
  const externalIds = new Int32Array(32);
  let titles = 0;
  /** Prefix of each numbered full text plus one; 0 if unknown. Vendors and types repeat. */
  let fullTexts = new Uint32Array(1 << 10);
  /** Number of the word with the same units as each term, plus one; 0 if unknown. */
  let wordsOf = new Uint32Array(1 << 12);

  const read = (text: string, tokens: TitleTokens | undefined): void => {
    title.cut(text);
    let from = 0;
    for (let at = 0; at < title.count; at += 1) {
      const start = title.starts[at] as number;
      const end = title.ends[at] as number;
      const token = tokens === undefined ? -1 : title.findToken(at, tokens.tokenizer, from, from + lookahead);
      if (tokens === undefined || token < 0) externalIds[at] = words.number(title.units, start, end);
      else {
        externalIds[at] = wordOf(tokens.ofTokens[token] as number, start, end);
        from = token + 1;
      }
    }
  };
  /**
   * Returns the number of the word with the same units as a term. It is cached, so that repeated words need no lookup
   * by units.
   */
  const wordOf = (term: number, start: number, end: number): number => {
    while (term >= wordsOf.length) wordsOf = doubleCapacity(wordsOf);
    const known = wordsOf[term] as number;
    if (known > 0) return known - 1;
    const word = words.number(title.units, start, end);
    wordsOf[term] = word + 1;
    return word;
  };
  const isCommon = (left: Left): boolean => (left >= isRun ? runs.met(left - isRun) : words.met(left)) >= commonFrom;

  /** Counts the runs that start with a word of the title. */
  const countFrom = (at: number, times: number, isFull: boolean): void => {
    const first = externalIds[at] as number;
    if (first < 0) return;
    words.meet(first, times);
    if (!words.isEdge(first)) return;
    let left: Left = first;
    let length = words.length(first);
    for (let next = at + 1; next < at + maxRun && next < title.count && title.breaks[next] === 0; next += 1) {
      const word = externalIds[next] as number;
      if (word < 0) return;
      length += 1 + words.length(word);
      if (length > maxLength || (!isFull && !(isCommon(left) && isCommon(word)))) return;
      const run = runs.make(left, word);
      runs.meet(run, times);
      left = isRun + run;
    }
  };
  /** Returns the run or word that is the full text, or -1 if the text is too long. */
  const fullTextOf = (): Left => {
    if (title.count === 0 || title.count > maxPhraseWords) return -1;
    let length = title.count - 1;
    for (let at = 0; at < title.count; at += 1) {
      if ((externalIds[at] as number) < 0) return -1;
      length += words.length(externalIds[at] as number);
    }
    if (length < 2 || length > maxLength) return -1;
    let left: Left = externalIds[0] as number;
    for (let at = 1; at < title.count; at += 1) left = isRun + runs.make(left, externalIds[at] as number);
    return left;
  };
  const addWhole = (left: Left, weight: number): void => {
    if (left >= isRun) runs.addWhole(left - isRun, weight);
    else if (left >= 0) words.addWhole(left, weight);
  };
  const markTitle = (whole: Left): void => {
    if (!isCounted()) addWhole(whole, 1);
    if (whole >= isRun) runs.markTitle(whole - isRun);
  };
  /** Returns whether a short title is already counted as a run. */
  const isCounted = (): boolean =>
    title.count <= maxRun &&
    words.isEdge(externalIds[0] as number) &&
    words.isEdge(externalIds[title.count - 1] as number) &&
    title.breaks.subarray(1, title.count).every((isCut) => isCut === 0);

  const compact = (): void => {
    if (runs.compact()) fullTexts.fill(0);
  };

  const wordsIn = (run: number): number[] => {
    const found: number[] = [];
    for (let left = isRun + run; ; left = runs.left(left - isRun)) {
      if (left < isRun) return [left, ...found];
      found.unshift(runs.word(left - isRun));
    }
  };
  /** Returns the weight of a run as a phrase; 0 if phrases cannot start or end with its words. */
  const weightOf = (run: number): number => {
    const whole = runs.wholes(run);
    if (!words.isEdge(runs.word(run))) return whole;
    let first = runs.left(run);
    while (first >= isRun) first = runs.left(first - isRun);
    return words.isEdge(first) ? whole + runs.met(run) : whole;
  };
  /**
   * Returns a flag for each run: 1 if it is a part of a longer run.
   * @param minWeight minimum weight of phrases; lighter parts are not tested
   */
  const pieces = (least: number): Uint8Array => {
    const isPiece = new Uint8Array(runs.count);
    const compare = (left: Left, times: number): void => {
      const run = left - isRun;
      if (run < 0 || runs.wholes(run) !== 0 || runs.isTitle(run)) return;
      if (times >= runs.met(run) * pieceRatio) isPiece[run] = 1;
    };
    for (let run = 0; run < runs.count; run += 1) {
      const times = runs.met(run);
      const isTitle = runs.isTitle(run);
      if (runs.left(run) < isRun || (times < pieceFrom && !isTitle)) continue;
      if (times < least * pieceRatio || weightOf(run) === 0) continue;
      const whole = wordsIn(run);
      // For a title, all parts are compared. For another run, only the parts that are one word shorter are compared;
      // their parts are compared later.
      for (let from = 0; from < (isTitle ? whole.length - 1 : 2); from += 1) {
        let left: Left = whole[from] as number;
        for (let to = from + 1; to < whole.length && left >= 0; to += 1) {
          left = withRun(runs.find(left, whole[to] as number));
          if (to - from < whole.length - 1 && (isTitle || to - from === whole.length - 2)) compare(left, times || 1);
        }
      }
    }
    return isPiece;
  };

  return {
    addTitle(text, tokens) {
      titles += 1;
      const isFull = titles <= countedInFull;
      const times = titles <= readInFull ? 1 : sampled;
      // The sample is chosen by a hash of the number, so that it does not depend on a periodic order of the catalog.
      if (times > 1 && Math.imul(titles, 0x9e3779b1) >>> 30 !== 0) return;
      read(text, tokens);
      if (title.count === 0) return;
      for (let at = 0; at < title.count; at += 1) countFrom(at, times, isFull);
      if (isFull) markTitle(fullTextOf());
      compact();
    },
    addWhole(text, number = -1) {
      while (number >= fullTexts.length) fullTexts = doubleCapacity(fullTexts);
      let whole = number < 0 ? -1 : (fullTexts[number] as number) - 1;
      if (whole < 0) {
        read(text, undefined);
        whole = fullTextOf();
        if (number >= 0) fullTexts[number] = whole + 1;
      }
      addWhole(whole, fullTextWeight);
      compact();
    },
    each(count, take) {
      const ofWords = Uint32Array.from({ length: words.count }, (_, word) => {
        const isPresentable = words.isEdge(word) && words.length(word) > 1;
        return words.wholes(word) + (isPresentable ? words.met(word) : 0);
      });
      const ofRuns = Uint32Array.from({ length: runs.count }, (_, run) => weightOf(run));
      const least = minStoredWeight(count, [ofWords, ofRuns]);
      const isPiece = pieces(least);
      const texts: string[] = [];
      const textOf = (word: number): string => {
        texts[word] ??= words.text(word);
        return texts[word];
      };
      for (let word = 0; word < ofWords.length; word += 1)
        if ((ofWords[word] as number) >= least) take(textOf(word), ofWords[word] as number);
      for (let run = 0; run < ofRuns.length; run += 1)
        if ((ofRuns[run] as number) >= least && isPiece[run] === 0)
          take(wordsIn(run).map(textOf).join(" "), ofRuns[run] as number);
    },
  };
}

function withRun(run: number): Left {
  return run < 0 ? -1 : isRun + run;
}

/** Upper bound of the distinguished weights. */
const maxWeight = 1 << 16;

/** Returns the lowest weight, at least 1, that no more than `count` phrases reach. */
function minStoredWeight(count: number, lists: readonly Uint32Array[]): number {
  const found = new Uint32Array(maxWeight + 1);
  for (const weights of lists)
    for (let index = 0; index < weights.length; index += 1) {
      const weight = Math.min(weights[index] as number, maxWeight);
      found[weight] = (found[weight] as number) + 1;
    }
  let stored = 0;
  for (let weight = maxWeight; weight > 0; weight -= 1) {
    stored += found[weight] as number;
    if (stored > count) return weight + 1;
  }
  return 1;
}
