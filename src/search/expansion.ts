import { findText, prefixRange, type Range } from "./dictionary.ts";
import type { Part } from "./part.ts";
import { firstNotBelow, positionOf } from "./postings.ts";
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
    const first = findText(part.terms, text.slice(0, cut));
    if (first < 0 || part.pairs.starts[first] === part.pairs.starts[first + 1]) continue;
    const rest = text.slice(cut);
    const second = isPrefix ? prefixRange(part.terms, rest) : exactRange(part, rest);
    if (second.low < second.high)
      found.push(...pairSources(part, "split", first, second, `${text.slice(0, cut)} ${rest}`));
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
  const terms = phrase.map((text) => findText(part.terms, text));
  if (terms.length > 1 && terms.every((term) => term >= 0)) found.push(...sequence(part, way, terms, phrase.join(" ")));
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

/** Places where a term of `second` follows the term `first`. */
function pairSources(part: Part, way: Way, first: number, second: Range, label: string): Source[] {
  const { starts, seconds, documents, payloads } = part.pairs;
  const low = starts[first] as number;
  const high = starts[first + 1] as number;
  const from = firstNotBelow(seconds, low, high, second.low);
  const to = firstNotBelow(seconds, from, high, second.high);
  return from < to ? [{ way, documents, payloads, from, to, label }] : [];
}

/** Places where the terms of a phrase follow one another, told by those of its first pair. */
function sequence(part: Part, way: Way, terms: readonly number[], label: string): Source[] {
  const pairs = terms.slice(1).map((term, index) => {
    return pairSources(part, way, terms[index] as number, { low: term, high: term + 1 }, label)[0];
  });
  const [first] = pairs;
  if (first === undefined) return [];
  const positions = pairs.map((source, index) => {
    const found = new Set<number>();
    for (let entry = source?.from ?? 0; entry < (source?.to ?? 0); entry += 1)
      found.add(placeKey(source?.documents[entry] as number, positionOf(source?.payloads[entry] as number) - index));
    return found;
  });
  const kept: number[] = [];
  for (let entry = first.from; entry < first.to; entry += 1) {
    const key = placeKey(first.documents[entry] as number, positionOf(first.payloads[entry] as number));
    if (positions.every((found) => found.has(key))) kept.push(entry);
  }
  const documents = Uint32Array.from(kept, (entry) => first.documents[entry] as number);
  const payloads = Uint32Array.from(kept, (entry) => first.payloads[entry] as number);
  return kept.length > 0 ? [{ way, documents, payloads, from: 0, to: kept.length, label }] : [];
}

/** A position in a document as one number. */
function placeKey(document: number, position: number): number {
  return document * 0x10000 + position;
}
