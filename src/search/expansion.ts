import { findText, prefixRange, type Range } from "./dictionary.ts";
import { orderedWords, type Part } from "./part.ts";
import { fieldsOf, payload, positionOf } from "./postings.ts";
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

/** Everything in one part that each word of a query may stand for. */
export function expand(part: Part, words: readonly QueryWord[], reading: Reading, synonyms: Synonyms): Source[][] {
  const isPrefix = (word: QueryWord) => word.isPrefix || (!reading.wholeWords && !word.isGram);
  const sources = words.map((word, index) => {
    const found = wordSources(part, word, isPrefix(word));
    if (reading.typos[index]) found.push(...typoSources(part, word, isPrefix(word)));
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
    if (first < 0) continue;
    const rest = text.slice(cut);
    const second = isPrefix ? prefixRange(part.terms, rest) : exactRange(part, rest);
    if (second.low < second.high)
      found.push(...sequence(part, "split", first, [second], `${text.slice(0, cut)} ${rest}`));
  }
  return found;
}

function typoSources(part: Part, word: QueryWord, isPrefix: boolean): Source[] {
  const edits = word.isGram ? 0 : allowedEdits(word.text);
  if (edits === 0) return [];
  return typoRuns(part.terms, word.text, edits, isPrefix).map(({ low, high, edits }) =>
    run(part, edits === 1 ? "typo" : "twoTypos", low, high),
  );
}

function phraseSources(part: Part, phrase: readonly string[], way: Way): Source[] {
  const joined = phrase.join("");
  const texts =
    phrase.length > 1 ? [joined] : [joined, ...forms({ text: joined, isGram: false, isPrefix: false, chunk: 0 })];
  const found = texts
    .map((text) => exactRange(part, text))
    .filter(({ low, high }) => low < high)
    .map(({ low, high }) => run(part, way, low, high));
  const [first, ...rest] = phrase.map((text) => exactRange(part, text));
  if (rest.length > 0 && first !== undefined && first.low < first.high)
    found.push(...sequence(part, way, first.low, rest, phrase.join(" ")));
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

/** Documents where the terms of `rest` follow a term at its first place. */
function sequence(part: Part, way: Way, first: number, rest: readonly Range[], label: string): Source[] {
  const { starts, documents, payloads } = part.postings;
  const { wordOrder } = part;
  const found: number[] = [];
  const foundPayloads: number[] = [];
  const end = starts[first + 1] as number;
  for (let posting = starts[first] as number; posting < end; posting += 1) {
    const value = payloads[posting] as number;
    const position = positionOf(value);
    if (position + rest.length >= orderedWords) continue;
    const document = documents[posting] as number;
    const at = (wordOrder.starts[document] as number) + position;
    if (!areThere(wordOrder.terms, at + 1, rest)) continue;
    found.push(document);
    // A term met at its first place stands in the first, and so the heaviest, of its fields.
    const fields = fieldsOf(value);
    foundPayloads.push(payload(fields & -fields, position));
  }
  if (found.length === 0) return [];
  const documentsFound = Uint32Array.from(found);
  return [
    { way, documents: documentsFound, payloads: Uint32Array.from(foundPayloads), from: 0, to: found.length, label },
  ];
}

/** No run reaches past a document: the gap after its last field is in no range. */
function areThere(terms: Uint32Array, at: number, wanted: readonly Range[]): boolean {
  for (let index = 0; index < wanted.length; index += 1) {
    const term = terms[at + index] as number;
    const { low, high } = wanted[index] as Range;
    if (term < low || term >= high) return false;
  }
  return true;
}
