import { phraseLengths, textLengths } from "./index/doc-values.ts";
import { bodyFieldBit, fieldMaskOf, phraseEndBit, positionOf, purposeBitIndex } from "./index/postings.ts";
import { fields, schema } from "./schema.fixture.ts";
import { getPurposeField } from "./schema.ts";
import { averageLengths, lengthNormStrength } from "./scoring/field-scores.ts";
import {
  frequencySaturation,
  fullTitleShare,
  getPhraseEndScore,
  impactScale,
  type MatchKind,
  matchBoosts,
  neighborRatio,
  titleStartBonus,
  unavailableScore,
} from "./scoring/score.ts";
import type { Query, SearchDocument } from "./search-index.ts";
import type { ParsedDocument } from "./slow-document.fixture.ts";

// Reference implementation of the score for tests, written for readability.

/** Mask of all fields. */
export const allFieldsMask = 0x1ff;
export const primaryFieldsMask = 0xff;

/** The best match of a query's word in a document. */
export interface WordMatch {
  /** Score points of the match. */
  readonly points: number;
  /** Position of the match; -1 if it is only in the description. */
  readonly position: number;
}

type FieldLengths = Pick<ParsedDocument, "titleLength" | "phraseLength" | "textLength">;

function weightOf(field: number): number {
  return schema.fields[field]?.weight ?? 0;
}

/** Returns the BM25F score points of a term in primary fields.  @param fieldMask searched fields (bit n: field n) */
function computeTermScore(
  rarity: number,
  value: number,
  { titleLength, phraseLength, textLength }: FieldLengths,
  fieldMask: number,
  namesProduct: boolean,
): number {
  const fieldBits = fieldMaskOf(value);
  const lengthNorms = {
    title: computeLengthNorm(Math.max(1, titleLength), averageLengths.title),
    phrase: computeLengthNorm(findNearestLength(phraseLengths, phraseLength), averageLengths.phrase),
    text: computeLengthNorm(findNearestLength(textLengths, textLength), averageLengths.text),
    code: 1,
    body: Number.POSITIVE_INFINITY,
  };
  const roundToHundredths = (frequency: number) => Math.round(frequency) / 100;
  let frequency = 0;
  schema.fields.forEach(({ weight, kind }, field) => {
    if (field > 0 && ((fieldBits & fieldMask) >> field) & 1) frequency += roundToHundredths(weight / lengthNorms[kind]);
  });
  const purposeBitValue = (fieldBits >> purposeBitIndex) & 1;
  if (fieldMask & 1 && (fieldBits & 1 || purposeBitValue)) {
    const weight = fieldBits & 1 ? weightOf(fields.title) * (1 + purposeBitValue) : getPurposeField(schema).weight;
    frequency += roundToHundredths(weight / lengthNorms.title);
  }
  if (frequency === 0) return 0;
  if ((value & bodyFieldBit) !== 0 && (fieldMask >> fields.body) & 1) frequency += weightOf(fields.body) / 100;
  const isTitle = (fieldBits & fieldMask & 1) !== 0;
  const impact = saturate(
    Math.round(frequency * 100) / 100,
    isTitle && positionOf(value) === 0 ? 1 + titleStartBonus : 1,
  );
  return rarity * impact + (isTitle && value & phraseEndBit ? getPhraseEndScore(namesProduct) : 0);
}

/** Role of a word in the query. */
export interface WordRoles {
  /** Whether the points of the word at the end of a phrase double. */
  readonly namesProduct?: boolean;
  /** Whether longer terms count as in fields of average length, and not as the end of a phrase. */
  readonly isUnfinished?: boolean;
}

/** Returns the points of a match in primary fields, in hundredths. */
export function computeMatchPoints(
  kind: MatchKind,
  rarity: number,
  value: number,
  lengths: FieldLengths,
  fieldMask: number,
  { namesProduct = false, isUnfinished = false }: WordRoles,
): number {
  const { title: titleLength, phrase: phraseLength, text: textLength } = averageLengths;
  const isStart = kind === "prefix" && isUnfinished;
  const termScore = isStart
    ? computeTermScore(rarity, value & ~phraseEndBit, { titleLength, phraseLength, textLength }, fieldMask, false)
    : computeTermScore(rarity, value, lengths, fieldMask, namesProduct);
  return matchBoosts[kind] * termScore;
}

function computeLengthNorm(length: number, averageLength: number): number {
  return 1 - lengthNormStrength + (lengthNormStrength * length) / averageLength;
}

function findNearestLength(lengths: readonly number[], length: number): number {
  return lengths.reduce((nearestLength, otherLength) =>
    Math.abs(otherLength - length) < Math.abs(nearestLength - length) ? otherLength : nearestLength,
  );
}

/** Returns the BM25F score points of a term that is only in the body field. */
export function computeBodyScore(rarity: number, fieldMask: number): number {
  return (fieldMask >> fields.body) & 1 ? rarity * saturate(weightOf(fields.body) / 100) : 0;
}

function saturate(frequency: number, positionFactor = 1): number {
  return Math.round(
    (impactScale * positionFactor * (1 + frequencySaturation) * frequency) / (frequencySaturation + frequency),
  );
}

/**
 * Returns the score of a document without the points of its tier.
 * @param matches best match of each word of the query
 * @param rarities rarity of each word
 */
export function computeScore(
  document: SearchDocument,
  matches: readonly (WordMatch | undefined)[],
  rarities: readonly number[],
  { titleLength }: ParsedDocument,
  query: Query,
): number {
  const positions = matches.map((match) => match?.position ?? -1);
  let score = matches.reduce((sum, match) => sum + (match?.points ?? 0), 0);
  positions.forEach((position, word) => {
    const previousPosition = positions[word - 1] ?? -1;
    const rarity = ((rarities[word - 1] ?? 0) + (rarities[word] ?? 0)) / 2;
    if (previousPosition >= 0 && position === previousPosition + 1) score += rarity * neighborRatio * impactScale;
  });
  const isInTitle = (position: number) => position >= 0 && position < titleLength;
  if (matches.length > 1 && titleLength > 0 && matches.length >= titleLength && positions.every(isInTitle))
    score += Math.round(rarities.reduce((sum, rarity) => sum + rarity, 0) * fullTitleShare * impactScale);
  score += Math.round((document.popularity ?? 0) * 0xffff) / 0x10000;
  return query.unavailable === "last" && !document.available ? score + unavailableScore : score;
}
