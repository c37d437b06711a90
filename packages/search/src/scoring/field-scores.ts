import {
  getNonTitleLengths,
  maxTitleLength,
  packLengths,
  phraseLengths,
  readTitleLength,
  textLengths,
} from "../index/doc-values.ts";
import {
  bodyFieldBit,
  fieldMaskShift,
  phraseEndBit,
  positionOf,
  purposeBitIndex,
  repeatedFieldMask,
} from "../index/postings.ts";
import { type Field, getPurposeField, type Schema } from "../schema.ts";
import { frequencySaturation, impactScale, phraseEndScore, titleStartBonus } from "./score.ts";

/**
 * Term frequencies of BM25F, precomputed for all combinations of fields that may contain a word, and for all field
 * lengths. The unit is a hundredth of an occurrence in a title of average length.
 */
export interface FieldScores {
  /** Frequencies in the title (see `computeTitleFrequencyIndex`). */
  readonly titleFrequencies: Uint16Array;
  /** Frequencies in the other primary fields (see `getFieldFrequencyIndex`). */
  readonly otherFieldFrequencies: Uint16Array;
  /** Frequency in the body field; 0 if the body is not searched. */
  readonly body: number;
  readonly includesAllFields: boolean;
}

/** Parameter b of BM25: how strongly the length of a field reduces the score points of a word, from 0 to 1. */
export const lengthNormStrength = 0.5;
/**
 * Average lengths in words: of a title, of all fields of kind `phrase`, and of all fields of kind `text`. They are
 * equal for all shops, so that term frequencies are known at indexing time.
 */
export const averageLengths = { title: 8, phrase: 3, text: 8 } as const;

/** Computes the term frequencies for the fields of a schema. */
export class SchemaScores {
  readonly #schema: Schema;
  readonly #titleFrequencies: Uint16Array;
  readonly #allFieldScores: FieldScores;
  readonly #primaryScores: FieldScores;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#titleFrequencies = computeTitleFrequencies(schema);
    this.#allFieldScores = { ...this.#computeScores(~0), includesAllFields: true };
    this.#primaryScores = this.#computeScores(~this.#bodyFieldMask);
  }

  /**
   * Returns the term frequencies for a search in some fields.
   * @param fieldMask searched fields (bit n: field n); default: all
   */
  getScoresForFields(fieldMask?: number): FieldScores {
    return fieldMask === undefined ? this.#allFieldScores : this.#computeScores(fieldMask);
  }

  /**
   * Returns the term frequencies for a search in some fields, without the body field. The body field is not searched if
   * every word may be misspelled, because long texts contain similar words by chance.
   */
  getScoresForPrimaryFields(fieldMask?: number): FieldScores {
    return fieldMask === undefined ? this.#primaryScores : this.#computeScores(fieldMask & ~this.#bodyFieldMask);
  }

  get #bodyFieldMask(): number {
    return 1 << (this.#schema.fields.length - 1);
  }

  #computeScores(fieldMask: number): FieldScores {
    const hasTitle = (fieldMask & 1) === 1;
    const body = (fieldMask & this.#bodyFieldMask) === 0 ? 0 : (this.#schema.fields.at(-1)?.weight ?? 0);
    return {
      titleFrequencies: hasTitle ? this.#titleFrequencies : new Uint16Array(this.#titleFrequencies.length),
      otherFieldFrequencies: computeFieldFrequencies(this.#schema, fieldMask),
      body,
      includesAllFields: false,
    };
  }
}

/** Returns the BM25 length norm of a field. */
function computeLengthNorm(length: number, averageLength: number): number {
  return 1 - lengthNormStrength + (lengthNormStrength * length) / averageLength;
}

/** Computes the term frequencies in the title and its purpose ("iPhone" in "case for iPhone"), by title length. */
function computeTitleFrequencies(schema: Schema): Uint16Array {
  const titleWeight = schema.fields[0]?.weight ?? 0;
  const purpose = getPurposeField(schema);
  const frequencies = new Uint16Array(computeTitleFrequencyIndex(repeatedFieldMask, maxTitleLength) + 1);
  for (let length = 0; length <= maxTitleLength; length += 1) {
    const norm = computeLengthNorm(Math.max(1, length), averageLengths.title);
    const setFrequency = (fieldBits: number, weight: number) => {
      frequencies[computeTitleFrequencyIndex(fieldBits, length)] = Math.round(weight / norm);
    };
    setFrequency(1, titleWeight);
    setFrequency(1 << purposeBitIndex, purpose.weight);
    setFrequency(repeatedFieldMask, titleWeight * 2);
  }
  return frequencies;
}

/**
 * Returns an index in `FieldScores.titleFrequencies`.
 * @param fieldBits fields that contain the word; only the bits of title and purpose count
 * @param titleLength number of words in the title
 */
export function computeTitleFrequencyIndex(fieldBits: number, titleLength: number): number {
  return ((fieldBits & 1) << 8) | ((fieldBits & 256) << 1) | titleLength;
}

/** Computes term frequencies in fields except title and body.  @param fieldMask searched fields (bit n: field n) */
function computeFieldFrequencies({ fields }: Schema, fieldMask: number): Uint16Array {
  const frequencies = new Uint16Array(getFieldFrequencyIndex(purposeFieldMask - 1, roundedLengthCount - 1) + 1);
  for (let steps = 0; steps < roundedLengthCount; steps += 1) {
    const phraseNorm = computeLengthNorm(phraseLengths[steps % phraseLengths.length] as number, averageLengths.phrase);
    const textNorm = computeLengthNorm(
      textLengths[Math.floor(steps / phraseLengths.length)] as number,
      averageLengths.text,
    );
    for (let field = 1; field < fields.length - 1; field += 1) {
      const { kind, weight } = fields[field] as Field;
      const norm = kind === "phrase" ? phraseNorm : kind === "text" ? textNorm : 1;
      const frequency = (fieldMask & (1 << field)) === 0 ? 0 : Math.round(weight / norm);
      // Each of these masks contains this field and a combination of earlier fields.
      for (let fieldBits = 1 << field; fieldBits < 2 << field; fieldBits += 2)
        frequencies[getFieldFrequencyIndex(fieldBits, steps)] =
          (frequencies[getFieldFrequencyIndex(fieldBits ^ (1 << field), steps)] as number) + frequency;
    }
  }
  return frequencies;
}

const purposeFieldMask = 1 << purposeBitIndex;
const roundedLengthCount = phraseLengths.length * textLengths.length;

/**
 * Returns an index in `FieldScores.otherFieldFrequencies`.
 * @param fieldBits fields that contain the word
 * @param steps packed field lengths (see `getNonTitleLengths`)
 */
export function getFieldFrequencyIndex(fieldBits: number, steps: number): number {
  return ((fieldBits & (purposeFieldMask - 2)) << 4) | steps;
}

/**
 * Returns the score points of an exact match of a complete word in a document. They depend on the term frequency, and
 * on whether the word starts the title or ends a phrase of the title. Returns 0 if no searched field contains the word.
 * @param rarity rarity of the word (see `computeRarity`)
 * @param value fields and position of the word in the document (see `packPayload`)
 * @param lengths packed field lengths (see `packLengths`)
 * @param endScore score points of a word that ends a phrase of the title
 */
export function computeTermScore(
  rarity: number,
  value: number,
  lengths: number,
  fields: FieldScores,
  endScore: number = phraseEndScore,
): number {
  const fieldBits = value >>> fieldMaskShift;
  const titleFrequency = fields.titleFrequencies[
    computeTitleFrequencyIndex(fieldBits, readTitleLength(lengths))
  ] as number;
  let frequency =
    titleFrequency +
    (fields.otherFieldFrequencies[getFieldFrequencyIndex(fieldBits, getNonTitleLengths(lengths))] as number);
  if (frequency === 0) return 0;
  if (fields.body > 0 && (value & bodyFieldBit) !== 0) frequency += fields.body;
  if (frequency > maxFrequency) frequency = maxFrequency;
  // Bit 0 stands for the title.
  if ((fieldBits & 1) === 0 || titleFrequency === 0) return rarity * (impacts[frequency] as number);
  const impact = impacts[positionOf(value) === 0 ? frequency + maxFrequency + 1 : frequency] as number;
  return rarity * impact + ((value & phraseEndBit) === 0 ? 0 : endScore);
}

const averageLengthCode = packLengths(averageLengths);

/**
 * Returns the score points of a term that begins with the word, before the boost. The fields have average lengths, and
 * the end of a phrase gets no points: a short title is probably about a word that it contains, but not about each word
 * that starts with the typed letters.
 * @see computeTermScore
 */
export function computePrefixScore(rarity: number, value: number, fields: FieldScores): number {
  return computeTermScore(rarity, value, averageLengthCode, fields, 0);
}

/** Returns the score points of a word that is only in the body field and matches exactly. */
export function computeBodyScore(rarity: number, { body }: FieldScores): number {
  return rarity * (impacts[body] as number);
}

/** Maximum term frequency, in hundredths of an occurrence. */
const maxFrequency = 1023;
/**
 * BM25 impact (saturated term frequency) by term frequency, first for words that do not start the title, then for words
 * that start it.
 */
const impacts: ArrayLike<number> = Uint16Array.from({ length: 2 * (maxFrequency + 1) }, (_, index) => {
  const frequency = (index & maxFrequency) / 100;
  const positionFactor = index > maxFrequency ? 1 + titleStartBonus : 1;
  return Math.round(
    (impactScale * positionFactor * (1 + frequencySaturation) * frequency) / (frequencySaturation + frequency),
  );
});
