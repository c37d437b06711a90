import { textAt } from "./dictionary.ts";
import type { Source } from "./expansion.ts";
import { match, wipe } from "./matching.ts";
import { type Part, placeOf, type View } from "./part.ts";
import { fieldCount, fieldsOf } from "./postings.ts";
import { cell, cellPoints, fieldNames, placePoints, unavailablePoints, type Way } from "./ranking.ts";
import { type Attempt, attempts, documentScore, findsAny, heldPoints } from "./search.ts";
import type { Explanation, Query } from "./search-index.ts";
import type { Synonyms } from "./synonyms.ts";

/** Why a document ranks where it does; undefined where the query does not find it. The parts add up to the score. */
export function explain(
  query: Query,
  number: number,
  views: readonly View[],
  synonyms: Synonyms,
): Explanation | undefined {
  const index = views.findIndex(({ part, dead }) => {
    const place = placeOf(part.documents.numbers, number);
    return place >= 0 && dead?.[place] !== 1;
  });
  const view = views[index];
  if (view === undefined) return undefined;
  const place = placeOf(view.part.documents.numbers, number);
  const type = view.part.documents.types[place] as number;
  if (query.accept?.(number, type) === false) return undefined;
  if (query.unavailable === "hide" && view.part.documents.available[place] === 0) return undefined;
  const attempt = answeringAttempt(query, views, synonyms);
  return attempt === undefined ? undefined : explainPlace(attempt, index, view, place);
}

/** The reading of the query that is answered: the first that finds something. */
function answeringAttempt(query: Query, views: readonly View[], synonyms: Synonyms): Attempt | undefined {
  for (const attempt of attempts(query, views, synonyms)) if (findsAny(attempt)) return attempt;
  return undefined;
}

function explainPlace(attempt: Attempt, index: number, view: View, place: number): Explanation | undefined {
  const sources = attempt.sources[index] as Source[][];
  const matches = match(view, sources, attempt.tables, attempt.minWords);
  const points = heldPoints(attempt, matches, place);
  const score = documentScore(attempt, view, matches, place, points);
  const values = matches.cells.map((column) => column[place] as number);
  const { titleLengths, popularity, available } = view.part.documents;
  const places = placePoints(matches.cells, place, titleLengths[place] as number);
  wipe(view, matches);
  if (points === 0) return undefined;
  const parts: { reason: string; score: number }[] = [];
  attempt.words.forEach((word, at) => {
    const value = values[at] as number;
    if (value === 0) {
      parts.push({ reason: `"${word.text}" was dropped: nothing holds all words`, score: 0 });
      return;
    }
    const reason = `"${word.text}" ${meeting(attempt, view.part, sources[at] as Source[], place, value)}`;
    parts.push({ reason, score: cellPoints(value) });
    const rare = attempt.rarities?.[at] ?? 0;
    if (rare !== 0) parts.push({ reason: `"${word.text}" is rare (counts where words are dropped)`, score: rare });
  });
  if (places !== 0)
    parts.push({ reason: "words in order, close together or at the start of the title", score: places });
  parts.push({ reason: "popularity, to order equals", score: (popularity[place] as number) / 0x10000 });
  if (attempt.query.unavailable === "last" && available[place] === 0)
    parts.push({ reason: "out of stock: after all that is in stock", score: unavailablePoints });
  return { score, parts };
}

const wordings: Readonly<Record<Way, string>> = {
  exact: "is",
  form: "is another form of",
  joined: "joined is or begins",
  split: "split is",
  prefix: "begins",
  synonym: "means the same as",
  typo: "is one edit from",
  twoTypos: "is two edits from",
  nearSynonym: "may become a word that means the same as",
};

/** How a word met a document: the source that gave the cell its value. */
function meeting(attempt: Attempt, part: Part, sources: readonly Source[], place: number, value: number): string {
  for (const { way, documents, payloads, from, to, label } of sources)
    for (let posting = from; posting < to; posting += 1) {
      if (documents[posting] !== place) continue;
      const payload = payloads[posting] as number;
      if (cell(attempt.tables[way][payload >>> 16] as number, payload) !== value) continue;
      return `${wordings[way]} "${label ?? termOf(part, posting)}" in ${fieldList(fieldsOf(payload))}`;
    }
  return "matches";
}

function fieldList(mask: number): string {
  const names: string[] = [];
  for (let field = 0; field < fieldCount; field += 1) if (mask & (1 << field)) names.push(fieldNames[field] as string);
  return names.join(", ");
}

/** The term whose run holds a posting. */
function termOf({ postings, terms }: Part, posting: number): string {
  let low = 0;
  let high = postings.starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((postings.starts[middle] as number) <= posting) low = middle;
    else high = middle - 1;
  }
  return textAt(terms, low);
}
