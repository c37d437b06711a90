import { furtherStepsOf, maxTitleLength, phraseLengths, textLengths, titleLengthOf } from "../index/doc-values.ts";
import { alsoDescribed, payloadMaskShift, phraseEnd, positionOf, purposeBit } from "../index/postings.ts";
import { type Field, purposeOf, type Schema } from "../schema.ts";
import { impactUnit, phraseEndPoints, saturation, startShare } from "./score.ts";

/**
 * Term frequencies of BM25F: occurrences of a word in a document by the searched fields that contain the word and by
 * field lengths. The unit is a hundredth of an occurrence in a title of average length.
 */
export interface FieldPoints {
  /** Frequencies in the title (see `titleFrequencyIndex`). */
  readonly inTitle: Uint16Array;
  /** Frequencies in the other primary fields (see `otherFrequencyIndex`). */
  readonly inFurther: Uint16Array;
  /** Frequency in the body; 0 if the body is not searched. */
  readonly body: number;
  /** Whether all fields are searched. */
  readonly isAll: boolean;
}

/** Parameter b of BM25: the share of an occurrence that is divided by the field's length. */
export const lengthShare = 0.5;
/**
 * Average lengths in words: of a title, of all fields of kind `phrase`, and of all fields of kind `text`. They are
 * equal for all shops, so that term frequencies are known at indexing time.
 */
export const averageLengths = { title: 8, phrase: 3, text: 8 } as const;

/** The field points of a schema. */
export class SchemaPoints {
  readonly #schema: Schema;
  readonly #inTitle: Uint16Array;
  readonly #all: FieldPoints;
  readonly #primary: FieldPoints;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#inTitle = titleFrequencies(schema);
    this.#all = { ...this.#make(~0), isAll: true };
    this.#primary = this.#make(~this.#bodyBit);
  }

  /** Returns the points of some fields.  @param fieldMask searched fields (bit n: field n); default: all */
  of(fields?: number): FieldPoints {
    return fields === undefined ? this.#all : this.#make(fields);
  }

  /**
   * Returns the points of some fields without the body. If every word may be misspelled, some bodies match by chance.
   */
  ofPrimary(fields?: number): FieldPoints {
    return fields === undefined ? this.#primary : this.#make(fields & ~this.#bodyBit);
  }

  get #bodyBit(): number {
    return 1 << (this.#schema.fields.length - 1);
  }

  #make(fields: number): FieldPoints {
    const hasTitle = (fields & 1) === 1;
    const body = (fields & this.#bodyBit) === 0 ? 0 : (this.#schema.fields.at(-1)?.weight ?? 0);
    return {
      inTitle: hasTitle ? this.#inTitle : new Uint16Array(this.#inTitle.length),
      inFurther: furtherFrequencies(this.#schema, fields),
      body,
      isAll: false,
    };
  }
}

/** Returns the BM25 length norm of a field. */
function normOf(length: number, average: number): number {
  return 1 - lengthShare + (lengthShare * length) / average;
}

/** Field mask of a word that the title contains more than once. */
const repeatedMask = 1 | (1 << purposeBit);

/** Computes the frequencies in the title, of which the purpose is a part. */
function titleFrequencies(schema: Schema): Uint16Array {
  const title = schema.fields[0]?.weight ?? 0;
  const purpose = purposeOf(schema);
  const frequencies = new Uint16Array(titleFrequencyAt(repeatedMask, maxTitleLength) + 1);
  for (let length = 0; length <= maxTitleLength; length += 1) {
    const norm = normOf(Math.max(1, length), averageLengths.title);
    const set = (mask: number, weight: number) => {
      frequencies[titleFrequencyAt(mask, length)] = Math.round(weight / norm);
    };
    set(1, title);
    set(1 << purposeBit, purpose.weight);
    set(repeatedMask, title * 2);
  }
  return frequencies;
}

/** Returns an index in `FieldPoints.inTitle` for the bits of title and purpose, and the title's length. */
export function titleFrequencyAt(mask: number, titleLength: number): number {
  return ((mask & 1) << 8) | ((mask & 256) << 1) | titleLength;
}

/** @param fieldMask searched fields (bit n: field n) */
function furtherFrequencies({ fields }: Schema, counted: number): Uint16Array {
  const frequencies = new Uint16Array(furtherFrequencyAt(purposeMask - 1, stepCount - 1) + 1);
  for (let steps = 0; steps < stepCount; steps += 1) {
    const phrase = normOf(phraseLengths[steps % phraseLengths.length] as number, averageLengths.phrase);
    const text = normOf(textLengths[Math.floor(steps / phraseLengths.length)] as number, averageLengths.text);
    for (let field = 1; field < fields.length - 1; field += 1) {
      const { kind, weight } = fields[field] as Field;
      const norm = kind === "phrase" ? phrase : kind === "text" ? text : 1;
      const frequency = (counted & (1 << field)) === 0 ? 0 : Math.round(weight / norm);
      // Masks whose highest bit is this field are those of earlier fields plus this field.
      for (let mask = 1 << field; mask < 2 << field; mask += 2)
        frequencies[furtherFrequencyAt(mask, steps)] =
          (frequencies[furtherFrequencyAt(mask ^ (1 << field), steps)] as number) + frequency;
    }
  }
  return frequencies;
}

const purposeMask = 1 << purposeBit;
const stepCount = phraseLengths.length * textLengths.length;

/**
 * Returns an index in `FieldPoints.inOtherFields` for field bits and lengths.
 * @param steps length steps (see `otherStepsOf`)
 */
export function furtherFrequencyAt(mask: number, steps: number): number {
  return ((mask & (purposeMask - 2)) << 4) | steps;
}

/**
 * Returns the points of an exact match of a complete word in a document. They depend on the term frequency, and on
 * whether the word starts the title or ends a phrase of the title. Returns 0 if no searched field contains the word.
 * @param rarity rarity of the word (see `rarityOf`)
 * @param value payload of the word in the document
 * @param lengths packed field lengths (see `packLengths`)
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

/** Returns the points of an exact match of a word only in the body. */
export function bodyPointsOf(rarity: number, { body }: FieldPoints): number {
  return rarity * (impacts[body] as number);
}

/** Maximum term frequency, in hundredths of an occurrence. */
const maxFrequency = 1023;
/** Impacts by term frequency, first for words that do not start the title, then for words that start it. */
const impacts: ArrayLike<number> = Uint16Array.from({ length: 2 * (maxFrequency + 1) }, (_, at) => {
  const frequency = (at & maxFrequency) / 100;
  const place = at > maxFrequency ? 1 + startShare : 1;
  return Math.round((impactUnit * place * (1 + saturation) * frequency) / (saturation + frequency));
});
