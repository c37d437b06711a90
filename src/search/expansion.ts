import { findText, prefixRange, type Range } from "./dictionary.ts";
import { firstMark, type Part } from "./part.ts";
import { payload } from "./postings.ts";
import { forms, joinings, type QueryWord } from "./query.ts";
import type { Way } from "./ranking.ts";
import { type Synonyms, synonymUses } from "./synonyms.ts";
import { allowedEdits, typoRuns } from "./typo.ts";

/** Postings that match a word of the query in some way: places `from` up to `to` of the two arrays. */
export interface Source {
  readonly way: Way;
  readonly documents: Uint32Array;
  readonly payloads: Uint32Array;
  readonly from: number;
  readonly to: number;
  /** What stands in the documents; absent where the postings are the part's own and name their terms. */
  readonly label?: string;
}

/** How freely words are read. */
export interface Reading {
  /** All words but the last must be whole. */
  readonly wholeWords: boolean;
  /** By word: whether it may be misspelt. */
  readonly typos: readonly boolean[];
}

/** Misspellings of words found in a part, kept while one query is read in several ways. */
export type Bends = Map<string, readonly Source[]>;

/** Everything in one part that each word of a query may stand for. */
export function expand(
  part: Part,
  words: readonly QueryWord[],
  reading: Reading,
  synonyms: Synonyms,
  bends: Bends,
): Source[][] {
  const isPrefix = (word: QueryWord) => word.isPrefix || (!reading.wholeWords && !word.isGram);
  const sources = words.map((word, index) => {
    const found = wordSources(part, word, isPrefix(word));
    if (reading.typos[index]) found.push(...typoSources(part, word, bends));
    return found;
  });
  const cover = (from: number, to: number, found: readonly Source[]) => {
    for (let word = from; word < to; word += 1) sources[word]?.push(...found);
  };
  for (const { text, from, to } of joinings(words)) {
    const last = words[to - 1] as QueryWord;
    const { low, high } = isPrefix(last) ? prefixRange(part.terms, text) : exactRange(part, text);
    if (low < high) cover(from, to, [run(part, "joined", low, high)]);
  }
  for (const { from, to, phrases, isComplete } of synonymUses(words, synonyms))
    cover(
      from,
      to,
      phrases.flatMap((phrase) => phraseSources(part, phrase, isComplete ? "synonym" : "nearSynonym")),
    );
  return sources;
}

function wordSources(part: Part, word: QueryWord, isPrefix: boolean): Source[] {
  const found: Source[] = [];
  const exact = findText(part.terms, word.text);
  if (exact >= 0) found.push(run(part, "exact", exact, exact + 1));
  for (const form of forms(word)) {
    const { low, high } = exactRange(part, form);
    if (low < high) found.push(run(part, "form", low, high));
  }
  if (isPrefix) {
    const { low, high } = prefixRange(part.terms, word.text);
    const from = exact >= 0 ? low + 1 : low;
    if (from < high) found.push(run(part, "prefix", from, high));
  }
  if (!word.isGram) found.push(...splitSources(part, word.text, isPrefix));
  return found;
}

/** `tshirt` where a document says `t shirt`: the word is cut at each place that leaves two known words. */
function splitSources(part: Part, text: string, isPrefix: boolean): Source[] {
  const found: Source[] = [];
  for (let cut = 1; cut < text.length; cut += 1) {
    const first = exactRange(part, text.slice(0, cut));
    if (first.low === first.high) continue;
    const rest = text.slice(cut);
    const second = isPrefix ? prefixRange(part.terms, rest) : exactRange(part, rest);
    if (second.low === second.high) continue;
    found.push(...sequence(part, "split", [first, second], `${text.slice(0, cut)} ${rest}`));
  }
  return found;
}

function typoSources(part: Part, { text, isGram }: QueryWord, bends: Bends): readonly Source[] {
  const most = isGram ? 0 : allowedEdits(text);
  if (most === 0) return [];
  let found = bends.get(text);
  if (found === undefined) {
    found = typoRuns(part.terms, text, most).map(({ low, high, edits }) =>
      run(part, edits === 1 ? "typo" : "twoTypos", low, high),
    );
    bends.set(text, found);
  }
  return found;
}

function phraseSources(part: Part, phrase: readonly string[], way: Way): Source[] {
  const joined = phrase.join("");
  const texts =
    phrase.length > 1 ? [joined] : [joined, ...forms({ text: joined, isGram: false, isPrefix: false, chunk: 0 })];
  const found = texts
    .map((text) => exactRange(part, text))
    .filter(({ low, high }) => low < high)
    .map(({ low, high }) => run(part, way, low, high));
  const ranges = phrase.map((text) => exactRange(part, text));
  if (ranges.length > 1 && ranges.every(({ low, high }) => low < high))
    found.push(...sequence(part, way, ranges, phrase.join(" ")));
  return found;
}

function exactRange(part: Part, text: string): Range {
  const place = findText(part.terms, text);
  return place < 0 ? { low: 0, high: 0 } : { low: place, high: place + 1 };
}

function run(part: Part, way: Way, low: number, high: number): Source {
  const { starts, documents, payloads } = part.postings;
  return { way, documents, payloads, from: starts[low] as number, to: starts[high] as number };
}

/** Places where terms of these ranges follow one another, among the first words of documents. */
function sequence(part: Part, way: Way, ranges: readonly Range[], label: string): Source[] {
  const { starts, documents } = part.postings;
  const { wordOrder } = part;
  const size = ({ low, high }: Range) => (starts[high] as number) - (starts[low] as number);
  const rarest = ranges.reduce((one, other) => (size(other) < size(one) ? other : one));
  const found: number[] = [];
  const payloads: number[] = [];
  const end = starts[rarest.high] as number;
  for (let posting = starts[rarest.low] as number; posting < end; posting += 1) {
    const document = documents[posting] as number;
    const first = wordOrder.starts[document] as number;
    const last = (wordOrder.starts[document + 1] as number) - ranges.length;
    for (let at = first; at <= last; at += 1) {
      if (!areThere(wordOrder.terms, at, ranges)) continue;
      let mark = at + ranges.length;
      while ((wordOrder.terms[mark] as number) < firstMark) mark += 1;
      found.push(document);
      payloads.push(payload(1 << ((wordOrder.terms[mark] as number) - firstMark), at - first));
    }
  }
  if (found.length === 0) return [];
  const documentsFound = Uint32Array.from(found);
  return [{ way, documents: documentsFound, payloads: Uint32Array.from(payloads), from: 0, to: found.length, label }];
}

function areThere(terms: Uint32Array, at: number, ranges: readonly Range[]): boolean {
  for (let index = 0; index < ranges.length; index += 1) {
    const term = terms[at + index] as number;
    const { low, high } = ranges[index] as Range;
    if (term < low || term >= high) return false;
  }
  return true;
}
