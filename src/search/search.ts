import { expand, type Reading, type Source } from "./expansion.ts";
import { type Matches, match, wipe } from "./matching.ts";
import type { View } from "./part.ts";
import { allFields } from "./postings.ts";
import { parseQuery, type QueryWord } from "./query.ts";
import { cellPoints, type PointTables, placePoints, pointTables, rarity, unavailablePoints } from "./ranking.ts";
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
  /** Set where no document holds all words: the documents with the most of them are taken. */
  readonly relaxed?: Relaxed;
}

export interface Relaxed {
  /** How many words the best documents hold. */
  readonly held: number;
  /** By word: points for having it. */
  readonly rarities: readonly number[];
}

/** Longer queries are not read with every word misspelt: some word can always be bent until something fits. */
const maxWordsAllBent = 3;

/** Hits by type. The query is read ever more freely until something in the shop answers (of whatever type, so that what is found
 *  of one type does not depend on which others were asked for): as typed, with all words as beginnings, with unknown words
 *  misspelt, with all words misspelt, and last without the words that stand in the way. */
export function search(query: Query, views: readonly View[], synonyms: Synonyms): Map<number, readonly Hit[]> {
  let hits = new Map<number, readonly Hit[]>();
  for (const attempt of attempts(query, views, synonyms)) {
    const answer = run(attempt);
    hits = answer.hits;
    if (answer.hasFound) break;
  }
  return hits;
}

/** The readings of a query, from strict to free. */
export function* attempts(query: Query, views: readonly View[], synonyms: Synonyms): Generator<Attempt> {
  const words = parseQuery(query.text);
  if (words.length === 0) return;
  const tables = pointTables((query.fields ?? allFields) & allFields);
  const none = words.map(() => false);
  const read = (reading: Reading): Attempt => ({
    query,
    words,
    tables,
    views,
    sources: views.map(({ part }) => expand(part, words, reading, synonyms)),
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
  const loosest = last;
  if (words.length > 1 && words.length <= maxWordsAllBent && canBend.some((can, word) => can && !bent[word]))
    yield read({ wholeWords: false, typos: canBend });
  if (words.length > 1) yield relax(loosest);
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

function relax(attempt: Attempt): Attempt {
  const { words, views, sources, tables, query } = attempt;
  const holding = words.map(() => 0);
  let held = 0;
  let all = 0;
  views.forEach((view, index) => {
    const matches = match(view, sources[index] as Source[][], tables, false);
    all += view.part.documents.numbers.length;
    for (let at = 0; at < matches.touchedCount; at += 1) {
      const place = matches.touched[at] as number;
      if (view.dead?.[place] === 1) continue;
      let count = 0;
      for (let word = 0; word < words.length; word += 1)
        if (matches.cells[word]?.[place] !== 0) {
          count += 1;
          holding[word] = (holding[word] as number) + 1;
        }
      if (count > held && isAccepted(query, view, place)) held = count;
    }
    wipe(view, matches);
  });
  return { ...attempt, relaxed: { held, rarities: holding.map((count) => rarity(count, all)) } };
}

function run(attempt: Attempt): { readonly hits: Map<number, readonly Hit[]>; readonly hasFound: boolean } {
  const { query, views, sources, tables } = attempt;
  const best: (TopK | undefined)[] = [];
  for (const [type, limit] of query.limits) best[type] = new TopK(limit);
  let hasFound = false;
  views.forEach((view, index) => {
    const matches = match(view, sources[index] as Source[][], tables, attempt.relaxed === undefined);
    const { types, available, numbers } = view.part.documents;
    const row = matches.cells.map(() => 0);
    for (let at = 0; at < matches.touchedCount; at += 1) {
      const place = matches.touched[at] as number;
      if (view.dead?.[place] === 1) continue;
      const top = best[types[place] as number];
      const isShown = top !== undefined && (query.unavailable !== "hide" || available[place] === 1);
      if (!isShown && hasFound) continue;
      if (!readRow(attempt, matches, place, row)) continue;
      if (!isShown) {
        hasFound ||= isAccepted(query, view, place);
        continue;
      }
      const score = documentScore(attempt, view, place, row);
      const number = numbers[place] as number;
      if (!top.wants(score, number) || !isAccepted(query, view, place)) continue;
      hasFound = true;
      top.offer(score, number);
    }
    wipe(view, matches);
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
  return attempt.views.some((view, index) => {
    const matches = match(view, attempt.sources[index] as Source[][], attempt.tables, attempt.relaxed === undefined);
    const row = matches.cells.map(() => 0);
    let hasFound = false;
    for (let at = 0; at < matches.touchedCount && !hasFound; at += 1) {
      const place = matches.touched[at] as number;
      hasFound =
        view.dead?.[place] !== 1 && readRow(attempt, matches, place, row) && isAccepted(attempt.query, view, place);
    }
    wipe(view, matches);
    return hasFound;
  });
}

/** Fills `row` with a document's cells. @returns whether it holds enough words */
export function readRow({ relaxed }: Attempt, matches: Matches, place: number, row: number[]): boolean {
  let held = 0;
  for (let word = 0; word < row.length; word += 1) {
    const value = matches.cells[word]?.[place] as number;
    row[word] = value;
    if (value !== 0) held += 1;
    else if (relaxed === undefined) return false;
  }
  return relaxed === undefined || (held > 0 && held === relaxed.held);
}

/** The score of a document whose cells are in `row`. */
export function documentScore({ query, relaxed }: Attempt, view: View, place: number, row: readonly number[]): number {
  const { titleLengths, popularity, available } = view.part.documents;
  let score = placePoints(row, titleLengths[place] as number) + (popularity[place] as number) / 0x10000;
  for (let word = 0; word < row.length; word += 1) {
    const value = row[word] as number;
    if (value === 0) continue;
    score += cellPoints(value);
    if (relaxed !== undefined) score += relaxed.rarities[word] as number;
  }
  return query.unavailable === "last" && available[place] === 0 ? score + unavailablePoints : score;
}

function isAccepted({ accept }: Query, { part }: View, place: number): boolean {
  const { numbers, types } = part.documents;
  return accept === undefined || accept(numbers[place] as number, types[place] as number);
}
