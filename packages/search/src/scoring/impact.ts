import { furtherStepsOf, titleLengthOf } from "../index/doc-values.ts";
import { alsoDescribed, payloadMaskShift, phraseEnd, positionOf } from "../index/postings.ts";
import { type FieldPoints, furtherFrequencyAt, titleFrequencyAt } from "./field-points.ts";
import { impactUnit, phraseEndPoints, saturation, startShare } from "./score.ts";

/**
 * Points of an exact match of a complete word in a document: by term frequency, fields and their lengths, and whether
 * the word starts the title or ends a phrase of it. 0 if no counted field contains it.
 * @param rarity of the word, see `rarityOf`
 * @param value a payload
 * @param lengths see `packLengths`
 */
export function pointsOf(rarity: number, value: number, lengths: number, fields: FieldPoints): number {
  const mask = value >>> payloadMaskShift;
  const inTitle = fields.inTitle[titleFrequencyAt(mask, titleLengthOf(lengths))] as number;
  let frequency = inTitle + (fields.inFurther[furtherFrequencyAt(mask, furtherStepsOf(lengths))] as number);
  if (frequency === 0) return 0;
  if (fields.body > 0 && (value & alsoDescribed) !== 0) frequency += fields.body;
  if (frequency > maxFrequency) frequency = maxFrequency;
  // The title is field 0.
  if ((mask & 1) === 0 || inTitle === 0) return rarity * (impacts[frequency] as number);
  const impact = impacts[positionOf(value) === 0 ? frequency + maxFrequency + 1 : frequency] as number;
  return rarity * impact + ((value & phraseEnd) === 0 ? 0 : phraseEndPoints);
}

/** The same for a word in the body only. */
export function bodyPointsOf(rarity: number, { body }: FieldPoints): number {
  return rarity * (impacts[body] as number);
}

/** Maximum distinguished term frequency, in hundredths of an occurrence. */
const maxFrequency = 1023;
/** By term frequency: the impact, first of words that do not start the title, then of those that do. */
const impacts: ArrayLike<number> = Uint16Array.from({ length: 2 * (maxFrequency + 1) }, (_, at) => {
  const frequency = (at & maxFrequency) / 100;
  const place = at > maxFrequency ? 1 + startShare : 1;
  return Math.round((impactUnit * place * (1 + saturation) * frequency) / (saturation + frequency));
});
