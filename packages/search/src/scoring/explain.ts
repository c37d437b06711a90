import type { QueryBoost } from "../boosts.ts";
import { holdsTyped } from "../docset/conjunction-doc-set.ts";
import { holdsGround } from "../docset/partial-doc-set.ts";
import { fuzzyKindAt, fuzzyRangeOf } from "../fuzzy/fuzzy-matches.ts";
import { lengthsOf, popularityOf, titleLengthOf } from "../index/doc-values.ts";
import { docIdOf, isDeleted, type Leaf, type LeafReader, partitionOf } from "../index/leaf.ts";
import {
  alsoDescribed,
  type ForwardIndex,
  fieldMaskOf,
  firstNotBelow,
  phraseEnd,
  positionOf,
  purposeBit,
} from "../index/postings.ts";
import { relaxationStepsOf } from "../query/execute.ts";
import { scaled } from "../query/query-boosts.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { Synonyms } from "../query/synonyms.ts";
import type { TermQuery } from "../query/term-query.ts";
import { purposeOf, type Schema } from "../schema.ts";
import type { SearchContext } from "../search-context.ts";
import type { Explanation, Query } from "../search-index.ts";
import { textAt } from "../terms/dictionary.ts";
import { bodyPointsOf, pointsOf } from "./field-points.ts";
import {
  categoryPoints,
  describedPoints,
  documentsPerHolder,
  fullTitleScore,
  type MatchKind,
  matchBoosts,
  neighborScore,
  pointUnit,
  tierPoints,
  tierReasons,
  unavailablePoints,
  wordScore,
} from "./score.ts";
import { Scorer } from "./scorer.ts";

/**
 * Explains the rank of a document, or returns undefined if the query does not find the document. The scores of the
 * parts add up to the document's score.
 * @param boosts boosts of any documents
 */
export function explain(
  context: SearchContext,
  query: Query,
  externalId: number,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  boosts: readonly QueryBoost[],
): Explanation | undefined {
  const index = readers.findIndex(({ leaf, deleted }) => {
    const docId = docIdOf(leaf.documents, externalId);
    return docId >= 0 && !isDeleted(deleted, docId);
  });
  const reader = readers[index];
  if (reader === undefined) return undefined;
  const docId = docIdOf(reader.leaf.documents, externalId);
  const partition = partitionOf(reader.leaf.documents, docId);
  if (query.accept?.(externalId, partition.type, partition.isAvailable) === false) return undefined;
  if (query.unavailable === "hide" && !partition.isAvailable) return undefined;
  const documentBoosts = boosts.filter((boost) => boost.externalId === externalId);
  const facts = { isAvailable: partition.isAvailable, boosts: documentBoosts };
  for (const step of relaxationStepsOf(context, query, readers, synonyms)) {
    if (!holdsTyped(step, index, docId)) continue;
    const { termQueries } = step;
    const found = explainDoc(step, termQueries[index] as readonly TermQuery[], reader, docId, facts);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface DocumentFacts {
  readonly isAvailable: boolean;
  readonly boosts: readonly QueryBoost[];
}

/** Explains the rank of a document within a step, or returns undefined if the step does not find the document. */
function explainDoc(
  step: RelaxationStep,
  termQueries: readonly TermQuery[],
  { leaf }: LeafReader,
  docId: number,
  { isAvailable, boosts }: DocumentFacts,
): Explanation | undefined {
  const { context, words, rarities, counted, partial, query, tier } = step;
  const scorer = new Scorer(context.scores, termQueries, rarities);
  const named = scorer.scorePrimary(leaf, docId, counted);
  const { points, positions } = context.scores;
  const isNamed = partial === undefined ? named === words.length : holdsGround(partial, context.scores);
  const matchCount = named + scorer.scoreBody(leaf, docId, counted);
  if (partial === undefined ? matchCount < words.length : !holdsGround(partial, context.scores)) return undefined;
  const docValues = leaf.documents.docValues[docId] as number;
  const parts: { reason: string; score: number }[] = [];
  const add = (reason: string, score: number): void => {
    parts.push({ reason, score: score / pointUnit });
  };
  words.forEach(({ text }, at) => {
    const score = wordScore(points[at] as number);
    if (score === 0) add(`"${text}" is missing`, 0);
    else add(`"${text}" ${matchOf(step, leaf, termQueries[at] as TermQuery, docId, at)}`, score);
  });
  const bonus = partial === undefined ? 0 : partial.categoryBonuses.of(leaf, docId);
  if (bonus > 0) {
    const ofWords = points.subarray(0, words.length).reduce((sum, one) => sum + wordScore(one), 0);
    add(categoryReason(bonus), categoryPoints(ofWords, bonus));
  }
  const isPhrase = words.length > 1;
  const neighbours = isPhrase ? neighborScore(words.length, positions, rarities) : 0;
  if (neighbours > 0) add("words next to each other, as typed", neighbours);
  const fullTitle = isPhrase
    ? fullTitleScore(words.length, positions, rarities, titleLengthOf(lengthsOf(docValues)))
    : 0;
  if (fullTitle > 0) add("the words are the complete title", fullTitle);
  if (partial === undefined) for (const { reason, points: more } of boosts) add(reason, scaled(more));
  add("popularity, for equal scores", popularityOf(docValues));
  if (!isNamed)
    add("a word is only in the description: ranks after all documents that contain it elsewhere", describedPoints);
  if (tier !== "typed") add(tierReasons[tier], tierPoints(tier));
  const isLast = (query.unavailable ?? "last") === "last";
  if (isLast && !isAvailable) add("unavailable: ranks after all available documents", unavailablePoints);
  return { score: parts.reduce((sum, { score }) => sum + score, 0), parts };
}

function categoryReason(bonus: number): string {
  return `+ ${bonus}% for its category: most documents named by these words are in it`;
}

const wordings: Readonly<Record<MatchKind, string>> = {
  exact: "is",
  quantity: "is part of",
  form: "is another form of",
  joined: "joined with its neighbor is or begins",
  split: "split is",
  parts: "in separate parts is",
  within: "is inside",
  prefix: "begins",
  synonym: "means the same as",
  typo: "is one edit from",
  twoTypos: "is two edits from",
  typoPrefix: "is one edit from the beginning of",
  twoTyposPrefix: "is two edits from the beginning of",
  nearSynonym: "is a prefix of a synonym of",
};

/** Describes the match of a word in a document, and the word's rarity. */
function matchOf(step: RelaxationStep, leaf: Leaf, termQuery: TermQuery, docId: number, word: number): string {
  const { context, counted, rarities } = step;
  const points = context.scores.points[word] as number;
  const lengths = lengthsOf(leaf.documents.docValues[docId] as number);
  const rarity = rarities[word] as number;
  // The rarity of a single word does not affect the ranking.
  const rareness = rarities.length > 1 ? rarenessOf(rarity, step.partial !== undefined) : "";
  const describe = (kind: MatchKind, text: string, value: number): string => {
    const boost = matchBoosts[kind] === 100 ? "" : ` (counts ${matchBoosts[kind]}%)`;
    return `${wordings[kind]} "${text}"${boost} in ${placesOf(context.schema, value, titleLengthOf(lengths))}${rareness}`;
  };
  const { starts, terms, payloads } = leaf.primary.forward;
  for (let at = starts[docId] as number; at < (starts[docId + 1] as number); at += 1) {
    const value = payloads[at] as number;
    for (const { low, high, kind } of [...termQuery.ranges, ...run(termQuery, terms[at] as number)]) {
      if ((terms[at] as number) < low || (terms[at] as number) >= high) continue;
      if (matchBoosts[kind] * pointsOf(rarity, value, lengths, counted) === points)
        return describe(kind, textAt(leaf.terms, terms[at] as number), value);
    }
  }
  for (const { kind, documents, payloads: values, label } of termQuery.phraseMatches) {
    const at = firstNotBelow(documents, 0, documents.length, docId);
    const value = documents[at] === docId ? (values[at] as number) : 0;
    if (matchBoosts[kind] * pointsOf(rarity, value, lengths, counted) === points) return describe(kind, label, value);
  }
  const described = [...termsOf(leaf.body.forward, docId), ...termsOf(leaf.primary.forward, docId, payloads)];
  for (const term of described)
    for (const { low, high, kind } of [...termQuery.ranges, ...run(termQuery, term)])
      if (low <= term && term < high && matchBoosts[kind] * bodyPointsOf(rarity, counted) === points)
        return `${wordings[kind]} "${textAt(leaf.terms, term)}" in ${context.schema.fields.at(-1)?.label}${rareness}`;
  return `matches${rareness}`;
}

/**
 * Describes an inverse document frequency in words. The text is empty if about half of all documents contain the word.
 */
function rarenessOf(rarity: number, mayLack: boolean): string {
  const oneIn = documentsPerHolder(rarity, mayLack);
  return oneIn < 2.5 ? "" : `; rare: about one in ${roundish(oneIn)}`;
}

/** Rounds a value to one digit, which shows that it is an estimate. */
function roundish(value: number): string {
  const power = 10 ** Math.floor(Math.log10(value));
  return String(Math.round(value / power) * power);
}

/** Returns the terms of a document.  @param payloads if set, only terms with `alsoInBody` are returned */
function termsOf({ starts, terms }: ForwardIndex, docId: number, payloads?: Uint16Array): number[] {
  const from = starts[docId] as number;
  const row = Array.from(terms.subarray(from, starts[docId + 1]));
  return payloads === undefined ? row : row.filter((_, at) => ((payloads[from + at] as number) & alsoDescribed) !== 0);
}

function run({ fuzzy }: TermQuery, term: number): Pick<TermQuery["ranges"][number], "low" | "high" | "kind">[] {
  const found = fuzzyRangeOf(fuzzy, term);
  return found < 0 ? [] : [{ low: term, high: term + 1, kind: fuzzyKindAt(fuzzy, found) }];
}

/** Describes the fields and the position of a term in a document. */
function placesOf(schema: Schema, value: number, titleLength: number): string {
  const { fields } = schema;
  const mask = fieldMaskOf(value);
  const title = fields[0]?.label ?? "";
  const hasPurpose = (mask & (1 << purposeBit)) !== 0;
  const places: string[] = [];
  if ((mask & 1) !== 0) {
    const notes = [
      ...(hasPurpose ? ["more than once"] : []),
      ...(positionOf(value) === 0 ? ["at its start"] : []),
      ...((value & phraseEnd) === 0 ? [] : ["as the last word of a phrase"]),
      `of ${titleLength} ${titleLength === 1 ? "word" : "words"}`,
    ];
    places.push(`${title} (${notes.join(", ")})`);
  } else if (hasPurpose) places.push(purposeOf(schema).label);
  fields.forEach(({ label }, field) => {
    if (field > 0 && field < purposeBit && (mask & (1 << field)) !== 0) places.push(label);
  });
  return places.join(", ");
}
