import { startsWithNoun } from "../analysis/particles.ts";
import type { QueryBoost } from "../boosts.ts";
import { createExactWordCheck } from "../docset/conjunction-doc-set.ts";
import { hasEnoughWords } from "../docset/partial-doc-set.ts";
import { popularityOf, readLengths, readTitleLength } from "../index/doc-values.ts";
import { type Leaf, type LeafReader, partitionOf } from "../index/leaf.ts";
import { fieldMaskOf, phraseEndBit, positionOf, purposeBitIndex } from "../index/postings.ts";
import type { QueryWord } from "../query/parse.ts";
import { toScoreUnits } from "../query/query-boosts.ts";
import { generateRelaxationSteps } from "../query/relax.ts";
import { createScorer, findProductName, findUnfinishedWord, type RelaxationStep } from "../query/relaxation-step.ts";
import type { Synonyms } from "../query/synonyms.ts";
import type { TermQuery } from "../query/term-query.ts";
import { getPurposeField, type Schema } from "../schema.ts";
import type { SearchContext } from "../search-context.ts";
import type { Explanation, ExplanationPart, Query } from "../search-index.ts";
import { locateDocument } from "./compare-words.ts";
import {
  bodyOnlyScore,
  computeCategoryScore,
  computeFullTitleScore,
  computeNeighborScore,
  computeWordScore,
  countDocumentsPerMatch,
  getTierScore,
  type MatchKind,
  matchBoosts,
  nameRarityFactor,
  tierReasons,
  unavailableScore,
  unitsPerPoint,
} from "./score.ts";
import { findWordMatch } from "./word-match.ts";

/**
 * Explains the rank of a document, or returns undefined if the query does not find the document. The scores of the
 * parts add up to the document's score.
 * @param boosts boosts of the query; those of other documents are ignored
 */
export function explain(
  context: SearchContext,
  query: Query,
  externalId: number,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
  boosts: readonly QueryBoost[],
): Explanation | undefined {
  const match = findDocumentMatch(context, query, externalId, readers, synonyms);
  if (match === undefined) return undefined;
  return explainMatch(
    match,
    boosts.filter((boost) => boost.externalId === externalId),
  );
}

/**
 * A document that a search attempt (relaxation step) finds. The attempt's search context contains the scores of the
 * document's words.
 */
interface DocumentMatch {
  readonly step: RelaxationStep;
  readonly termQueries: readonly TermQuery[];
  readonly reader: LeafReader;
  readonly docId: number;
  /** Whether the fields other than the body contain all required words. */
  readonly isPrimaryMatch: boolean;
}

/** Finds the first search attempt that finds a document, and scores the document. */
function findDocumentMatch(
  context: SearchContext,
  query: Query,
  externalId: number,
  readers: readonly LeafReader[],
  synonyms: Synonyms,
): DocumentMatch | undefined {
  const location = locateDocument(readers, externalId);
  if (location === undefined) return undefined;
  const { readerIndex, reader, docId } = location;
  const partition = partitionOf(reader.leaf.documents, docId);
  if (query.unavailable === "hide" && !partition.isAvailable) return undefined;
  for (const step of generateRelaxationSteps(context, query, readers, synonyms)) {
    if (step.query.accept?.(externalId, partition.type, partition.isAvailable) === false) return undefined;
    if (createExactWordCheck(step, readerIndex)?.(docId) === false) continue;
    const termQueries = step.termQueries[readerIndex] as readonly TermQuery[];
    const { matchRules, words, fieldScores } = step;
    const scorer = createScorer(step, readerIndex);
    const primaryWordCount = scorer.scorePrimaryFields(reader.leaf, docId, fieldScores);
    const hasEnoughMatches = (matchCount: number): boolean =>
      matchRules === undefined ? matchCount === words.length : hasEnoughWords(matchRules, context.scores);
    const isPrimaryMatch = hasEnoughMatches(primaryWordCount);
    if (hasEnoughMatches(primaryWordCount + scorer.scoreBody(reader.leaf, docId, fieldScores)))
      return { step, termQueries, reader, docId, isPrimaryMatch };
  }
  return undefined;
}

function explainMatch(
  { step, termQueries, reader: { leaf }, docId, isPrimaryMatch }: DocumentMatch,
  boosts: readonly QueryBoost[],
): Explanation {
  const { words, rarities, matchRules, query, tier } = step;
  const { points, positions } = step.context.scores;
  const docValues = leaf.documents.docValues[docId] as number;
  const parts: ExplanationPart[] = [];
  const addScorePart = (kind: ExplanationPart["kind"], reason: string, score: number): void => {
    parts.push({ kind, reason, score: score / unitsPerPoint });
  };
  words.forEach(({ text, compound: word = text }, index) => {
    const score = computeWordScore(points[index] as number);
    const reason =
      score === 0 ? `"${word}" is missing` : describeMatch(step, leaf, termQueries[index] as TermQuery, docId, index);
    parts.push({ kind: "word", word, reason, score: score / unitsPerPoint });
  });
  const bonus = matchRules === undefined ? 0 : matchRules.categoryBonuses.getBonus(leaf, docId);
  if (bonus > 0) {
    const wordScore = points.subarray(0, words.length).reduce((sum, termScore) => sum + computeWordScore(termScore), 0);
    addScorePart("category", describeCategoryBonus(bonus), computeCategoryScore(wordScore, bonus));
  }
  const hasSeveralWords = words.length > 1;
  const neighborScore = hasSeveralWords ? computeNeighborScore(words.length, positions, rarities) : 0;
  if (neighborScore > 0) addScorePart("neighbors", "words next to each other, as typed", neighborScore);
  const fullTitleScore = hasSeveralWords
    ? computeFullTitleScore(words.length, positions, rarities, readTitleLength(readLengths(docValues)))
    : 0;
  if (fullTitleScore > 0) addScorePart("title", "the words are the complete title", fullTitleScore);
  if (matchRules === undefined)
    for (const { reason, points: boostScore } of boosts) addScorePart("boost", reason, toScoreUnits(boostScore));
  const popularity = popularityOf(docValues);
  if (popularity > 0) addScorePart("popularity", "popularity, which only orders results with equal points", popularity);
  if (!isPrimaryMatch)
    addScorePart(
      "group",
      "a word is only in the description: ranks after all results with the word elsewhere",
      bodyOnlyScore,
    );
  if (tier !== "typed") addScorePart("group", tierReasons[tier], getTierScore(tier));
  const { isAvailable } = partitionOf(leaf.documents, docId);
  const isRankedLast = (query.unavailable ?? "last") === "last";
  if (isRankedLast && !isAvailable)
    addScorePart("group", "unavailable: ranks after all available results", unavailableScore);
  return { score: parts.reduce((sum, { score }) => sum + score, 0), parts };
}

function describeCategoryBonus(bonus: number): string {
  return `its category, which is that of most results named by these words: adds ${bonus}%`;
}

/** Description of a match, in which `%` is the term of the document. */
const matchDescriptions: Readonly<Record<MatchKind, string>> = {
  exact: "",
  quantity: ", as part of a measure,",
  size: ", as part of a size,",
  literal: ", perhaps as part of another measure,",
  form: " as %",
  joined: " together with its neighbor as %",
  split: " as the words %",
  parts: " in its parts %",
  within: " inside %",
  prefix: " as the beginning of %",
  synonym: " as its synonym %",
  typo: " corrected to %",
  twoTypos: " corrected to %",
  typoPrefix: " corrected, as the beginning of %",
  nearSynonym: " as the beginning of its synonym %",
};

/** Describes the match of a word in a document, and the word's rarity. */
function describeMatch(step: RelaxationStep, leaf: Leaf, termQuery: TermQuery, docId: number, word: number): string {
  const { context, rarities } = step;
  const { kind, term, payload } = findWordMatch(step, leaf, termQuery, docId, word);
  // The rarity of a single word does not affect the ranking.
  const isName = step.matchRules?.isName[word] === true;
  const rarity = (rarities[word] as number) / (isName ? nameRarityFactor : 1);
  const nameText = isName ? `; usually names the vendor or type: counts ${nameRarityFactor * 100}%` : "";
  const endsPhrase = payload !== undefined && (payload & phraseEndBit) !== 0;
  const isUnfinished = kind === "prefix" && word === findUnfinishedWord(step);
  const productText =
    endsPhrase && word === findProductName(step) && !isUnfinished
      ? "; names the product: the points for the last word of a phrase count twice"
      : "";
  const rarityText = rarities.length > 1 ? describeRarity(rarity, step.matchRules !== undefined) + nameText : "";
  const titleLength = readTitleLength(readLengths(leaf.documents.docValues[docId] as number));
  const fields =
    payload === undefined
      ? context.schema.fields.at(-1)?.label
      : describeFields(context.schema, payload, titleLength, leaf.locale);
  const boost = matchBoosts[kind] === 100 ? "" : `; counts ${matchBoosts[kind]}%`;
  const { text, compound } = step.words[word] as QueryWord;
  const description =
    compound === undefined
      ? matchDescriptions[kind].replace("%", `"${term}"`)
      : ` corrected to its last part "${text}"`;
  return `"${compound ?? text}"${description} in ${fields}${boost}${rarityText}${productText}`;
}

/**
 * Returns a text such as "rare: about one in 100" for an inverse document frequency. The text is empty if about half of
 * all documents contain the word.
 */
function describeRarity(rarity: number, allowsMissingWords: boolean): string {
  const documentsPerMatch = countDocumentsPerMatch(rarity, allowsMissingWords);
  return documentsPerMatch < 2.5 ? "" : `; rare: about one in ${roundToOneDigit(documentsPerMatch)}`;
}

/** Rounds a value to one digit, which shows that it is an estimate. */
function roundToOneDigit(value: number): string {
  const roundingUnit = 10 ** Math.floor(Math.log10(value));
  return String(Math.round(value / roundingUnit) * roundingUnit);
}

/** Describes the fields and the position of a term in a document. */
function describeFields(schema: Schema, payload: number, titleLength: number, locale: string): string {
  const { fields } = schema;
  const fieldBits = fieldMaskOf(payload);
  const title = fields[0]?.label ?? "";
  const isMaker = positionOf(payload) === 0 && schema.maker !== undefined && ((fieldBits >>> schema.maker) & 1) === 1;
  const hasPurpose = (fieldBits & (1 << purposeBitIndex)) !== 0;
  const isFirstWord = positionOf(payload) === 0 && startsWithNoun(locale);
  const nameNote = isMaker ? "as the vendor" : isFirstWord ? "as the product" : "as the last word of a phrase";
  const fieldNames: string[] = [];
  if ((fieldBits & 1) !== 0) {
    const titleNotes = [
      ...(hasPurpose ? ["more than once"] : []),
      ...(positionOf(payload) === 0 ? ["at its start"] : []),
      ...((payload & phraseEndBit) === 0 ? [] : [nameNote]),
      `of ${titleLength} ${titleLength === 1 ? "word" : "words"}`,
    ];
    fieldNames.push(`${title} (${titleNotes.join(", ")})`);
  } else if (hasPurpose) fieldNames.push(getPurposeField(schema).label);
  fields.forEach(({ label }, field) => {
    if (field > 0 && field < purposeBitIndex && (fieldBits & (1 << field)) !== 0) fieldNames.push(label);
  });
  return fieldNames.join(", ");
}
