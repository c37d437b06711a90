import type { QueryBoost } from "../boosts.ts";
import { hasRequiredExactWords } from "../docset/conjunction-doc-set.ts";
import { hasSufficientWords } from "../docset/partial-doc-set.ts";
import { fuzzyKindAt, fuzzyRangeOf } from "../fuzzy/fuzzy-matches.ts";
import { lengthsOf, popularityOf, titleLengthOf } from "../index/doc-values.ts";
import { docIdOf, isDeleted, type Leaf, type LeafReader, partitionOf } from "../index/leaf.ts";
import {
  alsoInBody,
  type ForwardIndex,
  fieldMaskOf,
  lowerBound,
  phraseEnd,
  positionOf,
  purposeBit,
} from "../index/postings.ts";
import { listRelaxationSteps } from "../query/execute.ts";
import { scalePoints } from "../query/query-boosts.ts";
import type { RelaxationStep } from "../query/relaxation-step.ts";
import type { Synonyms } from "../query/synonyms.ts";
import type { TermQuery } from "../query/term-query.ts";
import { purposeOf, type Schema } from "../schema.ts";
import type { SearchContext } from "../search-context.ts";
import type { Explanation, Query } from "../search-index.ts";
import { textAt } from "../terms/dictionary.ts";
import { bodyPointsOf, pointsOf } from "./field-points.ts";
import {
  bodyOnlyPoints,
  categoryPoints,
  documentsPerMatch,
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
 * @param boosts boosts of this document and any others
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
  for (const step of listRelaxationSteps(context, query, readers, synonyms)) {
    if (!hasRequiredExactWords(step, index, docId)) continue;
    const { termQueries } = step;
    const explanation = explainDoc(step, termQueries[index] as readonly TermQuery[], reader, docId, facts);
    if (explanation !== undefined) return explanation;
  }
  return undefined;
}

interface DocumentFacts {
  readonly isAvailable: boolean;
  readonly boosts: readonly QueryBoost[];
}

/**
 * Explains the score of a document in a relaxation step, or returns undefined if the step does not find the document.
 */
function explainDoc(
  step: RelaxationStep,
  termQueries: readonly TermQuery[],
  { leaf }: LeafReader,
  docId: number,
  { isAvailable, boosts }: DocumentFacts,
): Explanation | undefined {
  const { context, words, rarities, fieldPoints, partialMatching, query, tier } = step;
  const scorer = new Scorer(context.scores, termQueries, rarities);
  const primaryCount = scorer.scorePrimary(leaf, docId, fieldPoints);
  const { points, positions } = context.scores;
  const isPrimaryMatch =
    partialMatching === undefined ? primaryCount === words.length : hasSufficientWords(partialMatching, context.scores);
  const matchCount = primaryCount + scorer.scoreBody(leaf, docId, fieldPoints);
  if (partialMatching === undefined ? matchCount < words.length : !hasSufficientWords(partialMatching, context.scores))
    return undefined;
  const docValues = leaf.documents.docValues[docId] as number;
  const parts: { reason: string; score: number }[] = [];
  const add = (reason: string, score: number): void => {
    parts.push({ reason, score: score / pointUnit });
  };
  words.forEach(({ text }, index) => {
    const score = wordScore(points[index] as number);
    if (score === 0) add(`"${text}" is missing`, 0);
    else add(`"${text}" ${describeMatch(step, leaf, termQueries[index] as TermQuery, docId, index)}`, score);
  });
  const bonus = partialMatching === undefined ? 0 : partialMatching.categoryBonuses.bonusOf(leaf, docId);
  if (bonus > 0) {
    const wordPoints = points.subarray(0, words.length).reduce((sum, wordPoint) => sum + wordScore(wordPoint), 0);
    add(describeCategoryBonus(bonus), categoryPoints(wordPoints, bonus));
  }
  const hasSeveralWords = words.length > 1;
  const neighborPoints = hasSeveralWords ? neighborScore(words.length, positions, rarities) : 0;
  if (neighborPoints > 0) add("words next to each other, as typed", neighborPoints);
  const fullTitlePoints = hasSeveralWords
    ? fullTitleScore(words.length, positions, rarities, titleLengthOf(lengthsOf(docValues)))
    : 0;
  if (fullTitlePoints > 0) add("the words are the complete title", fullTitlePoints);
  if (partialMatching === undefined)
    for (const { reason, points: boostPoints } of boosts) add(reason, scalePoints(boostPoints));
  add("popularity, for equal scores", popularityOf(docValues));
  if (!isPrimaryMatch)
    add("a word is only in the description: ranks after all documents that contain it elsewhere", bodyOnlyPoints);
  if (tier !== "typed") add(tierReasons[tier], tierPoints(tier));
  const ranksLast = (query.unavailable ?? "last") === "last";
  if (ranksLast && !isAvailable) add("unavailable: ranks after all available documents", unavailablePoints);
  return { score: parts.reduce((sum, { score }) => sum + score, 0), parts };
}

function describeCategoryBonus(bonus: number): string {
  return `+ ${bonus}% for its category: most documents named by these words are in it`;
}

const matchDescriptions: Readonly<Record<MatchKind, string>> = {
  exact: "is",
  quantity: "is part of",
  literal: "is, perhaps as part of another quantity,",
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
  nearSynonym: "is a prefix of a synonym of",
};

/** Describes the match of a word in a document, and the word's rarity. */
function describeMatch(step: RelaxationStep, leaf: Leaf, termQuery: TermQuery, docId: number, word: number): string {
  const { context, fieldPoints, rarities } = step;
  const points = context.scores.points[word] as number;
  const lengths = lengthsOf(leaf.documents.docValues[docId] as number);
  const rarity = rarities[word] as number;
  // The rarity of a single word does not affect the ranking.
  const rarityText = rarities.length > 1 ? describeRarity(rarity, step.partialMatching !== undefined) : "";
  const describe = (kind: MatchKind, text: string, payload: number): string => {
    const boost = matchBoosts[kind] === 100 ? "" : ` (counts ${matchBoosts[kind]}%)`;
    return `${matchDescriptions[kind]} "${text}"${boost} in ${describeFields(context.schema, payload, titleLengthOf(lengths))}${rarityText}`;
  };
  const { starts, terms, payloads } = leaf.primary.forward;
  for (let index = starts[docId] as number; index < (starts[docId + 1] as number); index += 1) {
    const payload = payloads[index] as number;
    for (const { low, high, kind } of [...termQuery.ranges, ...findFuzzyRange(termQuery, terms[index] as number)]) {
      if ((terms[index] as number) < low || (terms[index] as number) >= high) continue;
      if (matchBoosts[kind] * pointsOf(rarity, payload, lengths, fieldPoints) === points)
        return describe(kind, textAt(leaf.terms, terms[index] as number), payload);
    }
  }
  for (const { kind, documents, payloads: matchPayloads, label } of termQuery.phraseMatches) {
    const index = lowerBound(documents, 0, documents.length, docId);
    const payload = documents[index] === docId ? (matchPayloads[index] as number) : 0;
    if (matchBoosts[kind] * pointsOf(rarity, payload, lengths, fieldPoints) === points)
      return describe(kind, label, payload);
  }
  const bodyTerms = [...listTerms(leaf.body.forward, docId), ...listTerms(leaf.primary.forward, docId, payloads)];
  for (const term of bodyTerms)
    for (const { low, high, kind } of [...termQuery.ranges, ...findFuzzyRange(termQuery, term)])
      if (low <= term && term < high && matchBoosts[kind] * bodyPointsOf(rarity, fieldPoints) === points)
        return `${matchDescriptions[kind]} "${textAt(leaf.terms, term)}" in ${context.schema.fields.at(-1)?.label}${rarityText}`;
  return `matches${rarityText}`;
}

/**
 * Describes an inverse document frequency in words. The text is empty if about half of all documents contain the word.
 */
function describeRarity(rarity: number, allowsMissingWords: boolean): string {
  const documentRatio = documentsPerMatch(rarity, allowsMissingWords);
  return documentRatio < 2.5 ? "" : `; rare: about one in ${roundToOneDigit(documentRatio)}`;
}

/** Rounds a value to one digit, which shows that it is an estimate. */
function roundToOneDigit(value: number): string {
  const powerOfTen = 10 ** Math.floor(Math.log10(value));
  return String(Math.round(value / powerOfTen) * powerOfTen);
}

/** Returns the terms of a document.  @param payloads if set, only terms with `alsoInBody` are returned */
function listTerms({ starts, terms }: ForwardIndex, docId: number, payloads?: Uint16Array): number[] {
  const from = starts[docId] as number;
  const documentTerms = Array.from(terms.subarray(from, starts[docId + 1]));
  return payloads === undefined
    ? documentTerms
    : documentTerms.filter((_, index) => ((payloads[from + index] as number) & alsoInBody) !== 0);
}

function findFuzzyRange(
  { fuzzy }: TermQuery,
  term: number,
): Pick<TermQuery["ranges"][number], "low" | "high" | "kind">[] {
  const rangeIndex = fuzzyRangeOf(fuzzy, term);
  return rangeIndex < 0 ? [] : [{ low: term, high: term + 1, kind: fuzzyKindAt(fuzzy, rangeIndex) }];
}

/** Describes the fields and the position of a term in a document. */
function describeFields(schema: Schema, payload: number, titleLength: number): string {
  const { fields } = schema;
  const mask = fieldMaskOf(payload);
  const title = fields[0]?.label ?? "";
  const hasPurpose = (mask & (1 << purposeBit)) !== 0;
  const fieldNames: string[] = [];
  if ((mask & 1) !== 0) {
    const titleNotes = [
      ...(hasPurpose ? ["more than once"] : []),
      ...(positionOf(payload) === 0 ? ["at its start"] : []),
      ...((payload & phraseEnd) === 0 ? [] : ["as the last word of a phrase"]),
      `of ${titleLength} ${titleLength === 1 ? "word" : "words"}`,
    ];
    fieldNames.push(`${title} (${titleNotes.join(", ")})`);
  } else if (hasPurpose) fieldNames.push(purposeOf(schema).label);
  fields.forEach(({ label }, field) => {
    if (field > 0 && field < purposeBit && (mask & (1 << field)) !== 0) fieldNames.push(label);
  });
  return fieldNames.join(", ");
}
