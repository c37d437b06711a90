import { createRunTable, isRun, type Left } from "./phrase-runs.ts";
import { createWordList, widened } from "./phrase-words.ts";
import { createTitleWords } from "./title-words.ts";

/** Counts what a catalogue calls its things, in bounded memory and some millionths of a second a document. */
export interface TextCounter {
  /** Runs of one to `maxRun` words of a title, and the title itself where it is short. */
  addTitle(text: string): void;
  /** A vendor, a product type, the title of a collection: a phrase as a whole. */
  addWhole(text: string): void;
  /** Calls back with each phrase worth showing, at most `count` of them; rare ones go first. */
  each(count: number, take: (phrase: string, weight: number) => void): void;
}

/** What one document adds to a phrase at most: as vendor, as type, and with each word of a title that stands for others. */
export const mostFromOne = 136;

/** Words that follow one another in a title and are taken for a phrase of their own. */
const maxRun = 4;
/** Longest phrase, in words and in UTF-16 units. */
const maxPhraseWords = 5;
const maxLength = 40;
/** A whole vendor, product type or title of a collection counts as much as that many mentions in titles. */
const wholeWeight = 20;
/** Titles of which every run is counted. Later ones add only to runs that begin with what is common: the others would fill the
 *  table, to be thrown out in the end. */
const countedInFull = 20_000;
/** Titles that are all read. Of later ones one in `sampled` is, and counts for as many: a phrase that is rare among so many is
 *  never among those kept. */
const readInFull = 100_000;
const sampled = 4;
const commonFrom = 3;
/** At some 25 bytes each. */
const maxRuns = 1_500_000;
/** A run that mostly stands in a longer one is a piece of it ("virgin olive" of "extra virgin olive oil"). */
const pieceShare = 0.9;
const pieceFrom = 4;

/** @param room runs known at a time */
export function createTextCounter(room = maxRuns): TextCounter {
  const words = createWordList();
  const runs = createRunTable(room);
  const title = createTitleWords();
  /** By word, as in `RunTable`. */
  let met = new Uint32Array(1 << 10);
  let wholes = new Uint32Array(1 << 10);
  const numbers = new Int32Array(32);
  let titles = 0;

  const read = (text: string): void => {
    title.cut(text);
    for (let at = 0; at < title.count; at += 1)
      numbers[at] = words.number(title.units, title.starts[at] as number, title.ends[at] as number);
    while (met.length < words.count) {
      met = widened(met);
      wholes = widened(wholes);
    }
  };
  const isCommon = (left: Left): boolean =>
    ((left >= isRun ? runs.met[left - isRun] : met[left]) as number) >= commonFrom;

  /** Counts the runs that begin with a word of the title. */
  const countFrom = (at: number, times: number, isFull: boolean): void => {
    const first = numbers[at] as number;
    if (first < 0) return;
    met[first] = (met[first] as number) + times;
    if (!words.isEdge(first)) return;
    let left: Left = first;
    let length = words.length(first);
    for (let next = at + 1; next < at + maxRun && next < title.count && title.cuts[next] === 0; next += 1) {
      const word = numbers[next] as number;
      if (word < 0) return;
      length += 1 + words.length(word);
      if (length > maxLength || (!isFull && !(isCommon(left) && isCommon(word)))) return;
      const run = runs.make(left, word);
      runs.met[run] = (runs.met[run] as number) + times;
      left = isRun + run;
    }
  };
  const countWhole = (weight: number): void => {
    if (title.count === 0 || title.count > maxPhraseWords) return;
    let length = title.count - 1;
    for (let at = 0; at < title.count; at += 1) {
      if ((numbers[at] as number) < 0) return;
      length += words.length(numbers[at] as number);
    }
    if (length < 2 || length > maxLength) return;
    let left: Left = numbers[0] as number;
    for (let at = 1; at < title.count; at += 1) left = isRun + runs.make(left, numbers[at] as number);
    const counts = left >= isRun ? runs.wholes : wholes;
    counts[left % isRun] = (counts[left % isRun] as number) + weight;
  };
  /** A short title that is counted as a run already. */
  const isRunItself = (): boolean =>
    title.count <= maxRun &&
    words.isEdge(numbers[0] as number) &&
    words.isEdge(numbers[title.count - 1] as number) &&
    title.cuts.subarray(1, title.count).every((isCut) => isCut === 0);

  const wordsOf = (run: number): number[] => {
    const found: number[] = [];
    for (let left = isRun + run; ; left = runs.left(left - isRun)) {
      if (left < isRun) return [left, ...found];
      found.unshift(runs.word(left - isRun));
    }
  };
  /** Points of a run as a phrase; 0 where it begins or ends with what no phrase begins or ends with. */
  const weightOf = (run: number): number => {
    const whole = runs.wholes[run] as number;
    if (!words.isEdge(runs.word(run))) return whole;
    let first = runs.left(run);
    while (first >= isRun) first = runs.left(first - isRun);
    return words.isEdge(first) ? whole + (runs.met[run] as number) : whole;
  };
  /** By run: 1 where it is a piece of a longer one. */
  const pieces = (): Uint8Array => {
    const isPiece = new Uint8Array(runs.count);
    const compare = (piece: number, times: number): void => {
      if (piece >= 0 && runs.wholes[piece] === 0 && times >= (runs.met[piece] as number) * pieceShare)
        isPiece[piece] = 1;
    };
    for (let run = 0; run < runs.count; run += 1) {
      const times = runs.met[run] as number;
      const left = runs.left(run);
      if (left < isRun || times < pieceFrom || weightOf(run) === 0) continue;
      compare(left - isRun, times);
      const [, second, ...more] = wordsOf(run);
      let rest: Left = second as number;
      for (const word of more) rest = rest < 0 ? rest : withRun(runs.find(rest, word));
      compare(rest - isRun, times);
    }
    return isPiece;
  };

  return {
    addTitle(text) {
      titles += 1;
      const isFull = titles <= countedInFull;
      const times = titles <= readInFull ? 1 : sampled;
      // Evenly, but with no period that the order of a catalogue may have too.
      if (times > 1 && Math.imul(titles, 0x9e3779b1) >>> 30 !== 0) return;
      read(text);
      if (title.count === 0) return;
      for (let at = 0; at < title.count; at += 1) countFrom(at, times, isFull);
      if (isFull && title.count <= maxPhraseWords && !isRunItself()) countWhole(1);
      runs.tidy();
    },
    addWhole(text) {
      read(text);
      countWhole(wholeWeight);
      runs.tidy();
    },
    each(count, take) {
      const isPiece = pieces();
      const ofWord = (word: number) =>
        (wholes[word] as number) + (words.isEdge(word) && words.length(word) > 1 ? (met[word] as number) : 0);
      const ofRun = (run: number) => (isPiece[run] === 1 ? 0 : weightOf(run));
      const least = leastKept(count, [
        [words.count, ofWord],
        [runs.count, ofRun],
      ]);
      let left = count;
      const keep = (weight: number, text: () => string): void => {
        if (weight < least || left === 0) return;
        left -= 1;
        take(text(), weight);
      };
      for (let word = 0; word < words.count; word += 1) keep(ofWord(word), () => words.text(word));
      for (let run = 0; run < runs.count; run += 1) keep(ofRun(run), () => wordsOf(run).map(words.text).join(" "));
    },
  };
}

function withRun(run: number): Left {
  return run < 0 ? -1 : isRun + run;
}

/** Weights that are told apart; higher ones are never too rare. */
const highestTold = 1 << 16;

/** The least weight, from 1, of which and above there are at most `count`. */
function leastKept(count: number, lists: readonly (readonly [number, (index: number) => number])[]): number {
  const found = new Uint32Array(highestTold + 1);
  for (const [length, weightOf] of lists)
    for (let index = 0; index < length; index += 1) {
      const weight = Math.min(weightOf(index), highestTold);
      found[weight] = (found[weight] as number) + 1;
    }
  let kept = 0;
  for (let weight = highestTold; weight > 0; weight -= 1) {
    kept += found[weight] as number;
    if (kept > count) return weight + 1;
  }
  return 1;
}
