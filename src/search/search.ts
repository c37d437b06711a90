import { type Bends, expand, type Reading, type Source } from "./expansion.ts";
import { headLength, headsOf, wideWord } from "./heads.ts";
import { cost, type Matches, match, wipe } from "./matching.ts";
import { placeOf, type View } from "./part.ts";
import { allFields } from "./postings.ts";
import { parseQuery, type QueryWord } from "./query.ts";
import {
  mostPlacePoints,
  type PointTables,
  placePoints,
  pointTables,
  rarity,
  unavailablePoints,
  type Way,
} from "./ranking.ts";
import type { Hit, Query } from "./search-index.ts";
import type { Synonyms } from "./synonyms.ts";
import { TopK } from "./top-k.ts";
import { allowedEdits } from "./typo.ts";

/** A query read in some way, over all parts it is asked of. */
export interface Attempt {
  readonly query: Query;
  readonly words: readonly QueryWord[];
  readonly tables: PointTables;
  readonly views: readonly View[];
  /** By view, by word. */
  readonly sources: readonly Source[][][];
  /** How many words a document must hold. */
  readonly minWords: number;
  /** By word: points for having it; set where words may be dropped. */
  readonly rarities?: readonly number[];
}

/** Longer queries are not read with every word misspelt: some word can always be bent until something fits. */
const maxWordsAllBent = 3;

/** Hits by type. The query is read ever more freely until something in the shop answers (of whatever type, so that what is found
 *  of one type does not depend on which others were asked for): as typed, with all words as beginnings, with unknown words
 *  misspelt, with all words misspelt, and last with ever more words left out. */
export function search(query: Query, views: readonly View[], synonyms: Synonyms): Map<number, readonly Hit[]> {
  for (const attempt of attempts(query, views, synonyms)) {
    const { hits, hasFound } = fromHeads(attempt) ?? run(attempt);
    if (hasFound) return hits;
  }
  return new Map([...query.limits.keys()].map((type) => [type, []]));
}

/** The readings of a query, from strict to free. */
export function* attempts(query: Query, views: readonly View[], synonyms: Synonyms): Generator<Attempt> {
  const words = parseQuery(query.text);
  if (words.length === 0) return;
  const tables = pointTables((query.fields ?? allFields) & allFields);
  const none = words.map(() => false);
  const bends = views.map((): Bends => new Map());
  const read = (reading: Reading): Attempt => ({
    query,
    words,
    tables,
    views,
    sources: views.map(({ part }, index) => expand(part, words, reading, synonyms, bends[index] ?? new Map())),
    minWords: words.length,
  });
  let last = read({ wholeWords: true, typos: none });
  yield last;
  if (words.some((word) => !word.isPrefix && !word.isGram)) {
    last = read({ wholeWords: false, typos: none });
    yield last;
  }
  const canBend = words.map((word) => query.typos && !word.isGram && allowedEdits(word.text) > 0);
  const bent = words.map((_, word) => canBend[word] === true && !isKnown(last, word));
  if (bent.includes(true)) {
    last = read({ wholeWords: false, typos: bent });
    yield last;
  }
  if (words.length === 1) return;
  if (words.length <= maxWordsAllBent && canBend.some((can, word) => can && !bent[word]))
    yield read({ wholeWords: false, typos: canBend });
  yield* relaxed(last);
}

/** The same reading with one word less, two less, ... */
function* relaxed(attempt: Attempt): Generator<Attempt> {
  const { words, views, sources } = attempt;
  const documents = views.reduce((sum, { part }) => sum + part.documents.numbers.length, 0);
  const entries = words.map((_, word) => sources.reduce((sum, ofView) => sum + cost(ofView[word] ?? []), 0));
  const rarities = entries.map((count) => rarity(count, documents));
  const known = entries.filter((count) => count > 0).length;
  for (let minWords = Math.min(known, words.length - 1); minWords > 0; minWords -= 1)
    yield { ...attempt, minWords, rarities };
}

/** Whether a document that counts holds the word. */
function isKnown({ views, sources, tables }: Attempt, word: number): boolean {
  return views.some((view, index) =>
    (sources[index]?.[word] ?? []).some(({ way, documents, payloads, from, to }) => {
      for (let posting = from; posting < to; posting += 1)
        if (view.dead?.[documents[posting] as number] !== 1 && tables[way][(payloads[posting] as number) >>> 16] !== 0)
          return true;
      return false;
    }),
  );
}

interface Answer {
  readonly hits: Map<number, readonly Hit[]>;
  readonly hasFound: boolean;
}

/** Answers from the best documents that an earlier search for the same wide word (a letter or two, mostly) left behind;
 *  undefined where they do not say enough. */
function fromHeads(attempt: Attempt): Answer | undefined {
  const { query, words, sources, views } = attempt;
  const word = words[0]?.text ?? "";
  if (words.length > 1 || query.unavailable === "show" || attempt.tables !== pointTables(allFields)) return undefined;
  const isPlain = sources.every((ofView) => ofView[0]?.every(({ way }) => headWays.has(way)));
  if (!isPlain || sources.every((ofView) => cost(ofView[0] ?? []) < wideWord)) return undefined;
  const best = new Map([...query.limits].map(([type, limit]) => [type, new TopK(limit)]));
  let hasFound = false;
  for (const [index, { part, dead }] of views.entries()) {
    const { numbers, available } = part.documents;
    const heads = headsOf(part, word, () =>
      everyType({ ...attempt, views: [{ part }], sources: [sources[index] ?? []] }),
    );
    for (const [type, top] of best) {
      const head = heads.get(type) ?? [];
      let taken = 0;
      for (const { number, score } of head) {
        if (taken === query.limits.get(type)) break;
        const place = dead === undefined && query.unavailable !== "hide" ? -1 : placeOf(numbers, number);
        if (place >= 0 && (dead?.[place] === 1 || (query.unavailable === "hide" && available[place] === 0))) continue;
        if (!isAccepted(query, number, type)) continue;
        top.offer(score, number);
        taken += 1;
      }
      if (taken < (query.limits.get(type) ?? 0) && head.length === headLength) return undefined;
      hasFound ||= taken > 0;
    }
  }
  if (!hasFound) return undefined;
  const hits = [...best].map(([type, top]) => [type, top.take().map((hit) => ({ ...hit, type }))] as const);
  return { hits: new Map(hits), hasFound };
}

/** The heads of a part: the best of each type in it, dead or not, those out of stock last. */
function everyType(attempt: Attempt): ReadonlyMap<number, readonly Hit[]> {
  const { accept: _, ...query } = attempt.query;
  const limits = new Map(Array.from({ length: 16 }, (_, type) => [type, headLength]));
  return run({ ...attempt, query: { ...query, limits, unavailable: "last" } }).hits;
}

/** Ways that depend on the part and the word alone, not on settings or on how freely the query is read. */
const headWays: ReadonlySet<Way> = new Set<Way>(["exact", "form", "prefix", "split"]);

function run(attempt: Attempt): Answer {
  const { query } = attempt;
  const best: (TopK | undefined)[] = [];
  for (const [type, limit] of query.limits) best[type] = new TopK(limit);
  const most = mostPlacePoints(attempt.words.length);
  let hasFound = false;
  eachMatch(attempt, (view, matches, place, points) => {
    const { types, available, numbers } = view.part.documents;
    const number = numbers[place] as number;
    const type = types[place] as number;
    const top = best[type];
    const isOut = available[place] === 0;
    if (top === undefined || (isOut && query.unavailable === "hide")) {
      hasFound ||= isAccepted(query, number, type);
      return false;
    }
    if (points + most + (isOut && query.unavailable === "last" ? unavailablePoints : 0) < top.floor) return false;
    const score = documentScore(attempt, view, matches, place, points);
    if (!top.wants(score, number) || !isAccepted(query, number, type)) return false;
    hasFound = true;
    top.offer(score, number);
    return false;
  });
  const hits = new Map<number, readonly Hit[]>();
  for (const type of query.limits.keys())
    hits.set(
      type,
      (best[type]?.take() ?? []).map((hit) => ({ ...hit, type })),
    );
  return { hits, hasFound };
}

/** Whether a reading finds a document of any type. */
export function findsAny(attempt: Attempt): boolean {
  let hasFound = false;
  eachMatch(attempt, ({ part }, _, place) => {
    const { numbers, types } = part.documents;
    hasFound = isAccepted(attempt.query, numbers[place] as number, types[place] as number);
    return hasFound;
  });
  return hasFound;
}

/** Calls back with each document that counts and holds enough words, and the points of its words; stops where told true. */
function eachMatch(
  attempt: Attempt,
  isEnough: (view: View, matches: Matches, place: number, points: number) => boolean,
): void {
  let isDone = false;
  attempt.views.forEach((view, index) => {
    if (isDone) return;
    const matches = match(view, attempt.sources[index] as Source[][], attempt.tables, attempt.minWords);
    const { touched, touchedCount } = matches;
    const { dead } = view;
    for (let at = 0; at < touchedCount && !isDone; at += 1) {
      const place = touched[at] as number;
      if (dead?.[place] === 1) continue;
      const points = heldPoints(attempt, matches, place);
      if (points > 0) isDone = isEnough(view, matches, place, points);
    }
    wipe(view, matches);
  });
}

/** Points of the words a document holds; 0 where it holds too few. */
export function heldPoints({ minWords, rarities }: Attempt, { cells }: Matches, place: number): number {
  let points = 0;
  let held = 0;
  for (let word = 0; word < cells.length; word += 1) {
    const value = cells[word]?.[place] as number;
    if (value === 0) continue;
    held += 1;
    points += (value >>> 16) + (rarities === undefined ? 0 : (rarities[word] as number));
  }
  return held < minWords ? 0 : points;
}

/** @param points from `heldPoints` */
export function documentScore(attempt: Attempt, view: View, { cells }: Matches, place: number, points: number): number {
  const { titleLengths, popularity, available } = view.part.documents;
  const score =
    points + placePoints(cells, place, titleLengths[place] as number) + (popularity[place] as number) / 0x10000;
  return available[place] === 0 && attempt.query.unavailable === "last" ? score + unavailablePoints : score;
}

function isAccepted({ accept }: Query, number: number, type: number): boolean {
  return accept === undefined || accept(number, type);
}
