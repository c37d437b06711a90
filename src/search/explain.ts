import type { Attempt } from "./attempts.ts";
import { textAt } from "./dictionary.ts";
import type { Plan } from "./expansion.ts";
import { holding, Reader } from "./holding.ts";
import { bentRun, bentWay } from "./misspellings.ts";
import { isDead, type Part, placeOf, popularityOf, titleLengthOf, type View, zoneOf } from "./part.ts";
import { alsoDescribed, fieldCount, fieldsOf, firstNotBelow, maskOfMark, type Rows } from "./postings.ts";
import {
  brevityOf,
  describedPoints,
  fieldNames,
  fields,
  impact,
  placePoints,
  pointUnit,
  unavailablePoints,
  type Way,
  wayShares,
} from "./ranking.ts";
import { answeringAttempt } from "./search.ts";
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
    const place = placeOf(part.documents, number);
    return place >= 0 && !isDead(dead, place);
  });
  const view = views[index];
  if (view === undefined) return undefined;
  const place = placeOf(view.part.documents, number);
  const zone = zoneOf(view.part.documents, place);
  if (query.accept?.(number, zone.type) === false) return undefined;
  if (query.unavailable === "hide" && !zone.isAvailable) return undefined;
  const attempt = answeringAttempt(query, views, synonyms);
  if (attempt === undefined) return undefined;
  return explainPlace(attempt, attempt.plans[index] as readonly Plan[], view, place, zone.isAvailable);
}

function explainPlace(
  { words, counted, loose, query }: Attempt,
  plans: readonly Plan[],
  { part }: View,
  place: number,
  isAvailable: boolean,
): Explanation | undefined {
  const reader = new Reader(plans);
  const named = reader.readHead(part, place, counted);
  const held = named + reader.readBody(part, place, counted);
  const enough = loose === undefined ? held === words.length : (loose.withBody ? held : named) === loose.count;
  if (!enough) return undefined;
  const { points, positions } = holding;
  const traits = part.documents.traits[place] as number;
  const parts: { reason: string; score: number }[] = [];
  words.forEach((word, at) => {
    const score = points[at] as number;
    if (score === 0) {
      parts.push({ reason: `"${word.text}" was dropped: nothing holds all words`, score: 0 });
      return;
    }
    parts.push({
      reason: `"${word.text}" ${meeting(part, plans[at] as Plan, place, score, counted, words.length)}`,
      score,
    });
    const rare = loose?.rarities[at] ?? 0;
    if (rare !== 0) parts.push({ reason: `"${word.text}" is rare (counts where words are dropped)`, score: rare });
  });
  const places = words.length > 1 ? placePoints(words.length, points, positions, titleLengthOf(traits)) : 0;
  if (places !== 0) parts.push({ reason: "words in order and close together, or all of the title", score: places });
  parts.push({ reason: "popularity, to order equals", score: popularityOf(traits) });
  if (loose === undefined && named < words.length)
    parts.push({
      reason: "some word stands in the description alone: after all that say it elsewhere",
      score: describedPoints,
    });
  if (query.unavailable === "last" && !isAvailable)
    parts.push({ reason: "out of stock: after all that is in stock", score: unavailablePoints });
  return { score: parts.reduce((sum, { score }) => sum + score, 0), parts };
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
  typoPrefix: "is one edit from the beginning of",
  twoTyposPrefix: "is two edits from the beginning of",
  nearSynonym: "may become a word that means the same as",
};

/** How a word met a document: the alternative that gave it its points. */
function meeting(
  part: Part,
  plan: Plan,
  place: number,
  points: number,
  counted: Attempt["counted"],
  wordCount: number,
): string {
  const brevity = brevityOf(part.documents.traits[place] as number, wordCount);
  const said = (way: Way, text: string, mask: number): string => {
    const share = wayShares[way] === 100 ? "" : ` (${wayShares[way]}% of the points)`;
    return `${wordings[way]} "${text}" in ${fieldList(fieldsOf(mask))}${share}`;
  };
  const { starts, terms, marks } = part.head.rows;
  for (let at = starts[place] as number; at < (starts[place + 1] as number); at += 1) {
    const value = marks[at] as number;
    for (const { low, high, way } of [...plan.ranges, ...run(plan, terms[at] as number)]) {
      if ((terms[at] as number) < low || (terms[at] as number) >= high) continue;
      if (wayShares[way] * impact(value, brevity, counted) === points)
        return said(way, textAt(part.terms, terms[at] as number), maskOfMark(value));
    }
  }
  for (const { way, documents, marks: values, label } of plan.sequences) {
    const value = values[firstNotBelow(documents, 0, documents.length, place)] ?? 0;
    if (wayShares[way] * impact(value, brevity, counted) === points) return said(way, label, maskOfMark(value));
  }
  const described = [...termsOf(part.body.rows, place), ...termsOf(part.head.rows, place, marks)];
  for (const term of described)
    for (const { low, high, way } of [...plan.ranges, ...run(plan, term)])
      if (low <= term && term < high && wayShares[way] * counted.body === points)
        return `${wordings[way]} "${textAt(part.terms, term)}" in ${fieldNames[fields.body]}`;
  return `matches (${points / pointUnit} points)`;
}

/** Terms of a document. @param marks where given, only terms marked as standing in the description too */
function termsOf({ starts, terms }: Rows, place: number, marks?: Uint16Array): number[] {
  const from = starts[place] as number;
  const row = Array.from(terms.subarray(from, starts[place + 1]));
  return marks === undefined ? row : row.filter((_, at) => ((marks[from + at] as number) & alsoDescribed) !== 0);
}

function run({ bent }: Plan, term: number): Pick<Plan["ranges"][number], "low" | "high" | "way">[] {
  const found = bentRun(bent, term);
  return found < 0 ? [] : [{ low: term, high: term + 1, way: bentWay(bent, found) }];
}

function fieldList(mask: number): string {
  const names: string[] = [];
  for (let field = 0; field < fieldCount; field += 1) if (mask & (1 << field)) names.push(fieldNames[field] as string);
  return names.join(", ");
}
