import { furtherStepsOf, maxTitleLength, phraseLengths, textLengths, titleLengthOf } from "../index/doc-values.ts";
import { alsoDescribed, payloadMaskShift, phraseEnd, positionOf, purposeBit } from "../index/postings.ts";
import { type Field, purposeOf, type Schema } from "../schema.ts";
import { impactUnit, phraseEndPoints, saturation, startShare } from "./score.ts";

/**
 * Term frequency of BM25F: occurrences of a word in a document, in hundredths of an occurrence in a title of average
 * length, by the fields that contain it and count, and by their lengths.
 */
export interface FieldPoints {
  /** In the title, see `titleFrequencyAt`. */
  readonly inTitle: Uint16Array;
  /** In the other primary fields, see `furtherFrequencyAt`. */
  readonly inFurther: Uint16Array;
  /** In the body; 0: the body does not count. */
  readonly body: number;
  /** All fields count. */
  readonly isAll: boolean;
}

/** b of BM25: the part of an occurrence that is divided by the field's length. */
export const lengthShare = 0.5;
/**
 * Average lengths in words: of a title, of all fields of kind `phrase`, of all of kind `text`. Constant for all shops,
 * so that the term frequencies are known at indexing time.
 */
export const averageLengths = { title: 8, phrase: 3, text: 8 } as const;

/** The points that a schema gives. */
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

  /** @param fields fields that count (bit n: field n). Default: all */
  of(fields?: number): FieldPoints {
    return fields === undefined ? this.#all : this.#make(fields);
  }

  /** The same without the body: if every word may be misspelled, some body matches by chance. */
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

/** Divisor of an occurrence in a field of some length. */
function normOf(length: number, average: number): number {
  return 1 - lengthShare + (lengthShare * length) / average;
}

/** The title contains the word more than once. */
const repeatedMask = 1 | (1 << purposeBit);

/** The purpose is part of the title. */
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

/** Index in `FieldPoints.inTitle`: the bits of title and purpose, and the title's length. */
export function titleFrequencyAt(mask: number, titleLength: number): number {
  return ((mask & 1) << 8) | ((mask & 256) << 1) | titleLength;
}

/** @param counted fields that count, as bits */
function furtherFrequencies({ fields }: Schema, counted: number): Uint16Array {
  const frequencies = new Uint16Array(furtherFrequencyAt(purposeMask - 1, stepCount - 1) + 1);
  for (let steps = 0; steps < stepCount; steps += 1) {
    const phrase = normOf(phraseLengths[steps % phraseLengths.length] as number, averageLengths.phrase);
    const text = normOf(textLengths[Math.floor(steps / phraseLengths.length)] as number, averageLengths.text);
    for (let field = 1; field < fields.length - 1; field += 1) {
      const { kind, weight } = fields[field] as Field;
      const norm = kind === "phrase" ? phrase : kind === "text" ? text : 1;
      const frequency = (counted & (1 << field)) === 0 ? 0 : Math.round(weight / norm);
      // Masks with this field are those of earlier fields plus this one.
      for (let mask = 1 << field; mask < 2 << field; mask += 2)
        frequencies[furtherFrequencyAt(mask, steps)] =
          (frequencies[furtherFrequencyAt(mask ^ (1 << field), steps)] as number) + frequency;
    }
  }
  return frequencies;
}

const purposeMask = 1 << purposeBit;
const stepCount = phraseLengths.length * textLengths.length;

/** Index in `FieldPoints.inFurther`: field bits and lengths.  @param steps see `furtherStepsOf` */
export function furtherFrequencyAt(mask: number, steps: number): number {
  return ((mask & (purposeMask - 2)) << 4) | steps;
}

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
