import { phraseLengths, textLengths } from "./index/doc-values.ts";
import { alsoInBody, fieldMaskOf, phraseEnd, positionOf, purposeBit } from "./index/postings.ts";
import { fields, schema } from "./schema.fixture.ts";
import { purposeOf } from "./schema.ts";
import { averageLengths, lengthShare } from "./scoring/field-points.ts";
import {
  fullTitleShare,
  impactUnit,
  neighborShare,
  phraseEndPoints,
  saturation,
  startShare,
  unavailablePoints,
} from "./scoring/score.ts";
import type { Query, SearchDocument } from "./search-index.ts";
import type { Words } from "./slow-document.fixture.ts";

// The score by definition, in readable form.

/** All fields count, or all but the body; as bits. */
export const everyField = 0x1ff;
export const primaryFields = 0xff;

/** The best match of a query's word in a document. */
export interface Cell {
  /** Points of the match. */
  readonly points: number;
  /** Position of the match; -1 if it is only in the description. */
  readonly position: number;
}

function weightOf(field: number): number {
  return schema.fields[field]?.weight ?? 0;
}

/** Returns the BM25F points of a term in primary fields.  @param fieldMask searched fields (bit n: field n) */
export function pointsOf(
  rarity: number,
  value: number,
  { titleLength, phraseLength, textLength }: Words,
  counted: number,
): number {
  const mask = fieldMaskOf(value);
  const norms = {
    title: normOf(Math.max(1, titleLength), averageLengths.title),
    phrase: normOf(nearest(phraseLengths, phraseLength), averageLengths.phrase),
    text: normOf(nearest(textLengths, textLength), averageLengths.text),
    code: 1,
    body: Number.POSITIVE_INFINITY,
  };
  const hundredths = (frequency: number) => Math.round(frequency) / 100;
  let frequency = 0;
  schema.fields.forEach(({ weight, kind }, field) => {
    if (field > 0 && ((mask & counted) >> field) & 1) frequency += hundredths(weight / norms[kind]);
  });
  const isForPurpose = (mask >> purposeBit) & 1;
  if (counted & 1 && (mask & 1 || isForPurpose)) {
    const weight = mask & 1 ? weightOf(fields.title) * (1 + isForPurpose) : purposeOf(schema).weight;
    frequency += hundredths(weight / norms.title);
  }
  if (frequency === 0) return 0;
  if ((value & alsoInBody) !== 0 && (counted >> fields.body) & 1) frequency += weightOf(fields.body) / 100;
  const isTitle = (mask & counted & 1) !== 0;
  const impact = saturated(Math.round(frequency * 100) / 100, isTitle && positionOf(value) === 0 ? 1 + startShare : 1);
  return rarity * impact + (isTitle && value & phraseEnd ? phraseEndPoints : 0);
}

function normOf(length: number, average: number): number {
  return 1 - lengthShare + (lengthShare * length) / average;
}

function nearest(lengths: readonly number[], length: number): number {
  return lengths.reduce((best, one) => (Math.abs(one - length) < Math.abs(best - length) ? one : best));
}

/** Returns the BM25F points of a term that is only in the body. */
export function bodyPointsOf(rarity: number, counted: number): number {
  return (counted >> fields.body) & 1 ? rarity * saturated(weightOf(fields.body) / 100) : 0;
}

function saturated(frequency: number, place = 1): number {
  return Math.round((impactUnit * place * (1 + saturation) * frequency) / (saturation + frequency));
}

/**
 * Returns the score of a document without the points of its tier.
 * @param cells best match of each word of the query
 * @param rarities rarity of each word
 */
export function scoreOf(
  document: SearchDocument,
  cells: readonly (Cell | undefined)[],
  rarities: readonly number[],
  { titleLength }: Words,
  query: Query,
): number {
  const positions = cells.map((cell) => cell?.position ?? -1);
  let score = cells.reduce((sum, cell) => sum + (cell?.points ?? 0), 0);
  positions.forEach((position, word) => {
    const before = positions[word - 1] ?? -1;
    const rarity = ((rarities[word - 1] ?? 0) + (rarities[word] ?? 0)) / 2;
    if (before >= 0 && position === before + 1) score += rarity * neighborShare * impactUnit;
  });
  const isInTitle = (position: number) => position >= 0 && position < titleLength;
  if (cells.length > 1 && titleLength > 0 && cells.length >= titleLength && positions.every(isInTitle))
    score += Math.round(rarities.reduce((sum, rarity) => sum + rarity, 0) * fullTitleShare * impactUnit);
  score += Math.round((document.popularity ?? 0) * 0xffff) / 0x10000;
  return query.unavailable === "last" && !document.available ? score + unavailablePoints : score;
}
