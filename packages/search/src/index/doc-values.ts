/** Lengths of a document's primary fields, in words. */
export interface FieldLengths {
  title: number;
  /** Fields of kind `phrase`, all together. */
  phrase: number;
  /** Fields of kind `text`, all together. */
  text: number;
}

/** Maximum counted words of a title. */
export const maxTitleLength = 255;
/**
 * Lengths are grouped in steps, since one word more or less of many means little. By step: its representative length; a
 * length belongs to the step whose value is nearest.
 */
export const phraseLengths: readonly number[] = [2, 4, 6, 9];
export const textLengths: readonly number[] = [4, 6, 9, 13, 18, 25, 36, 50];
/** Upper bound (exclusive) of lengths encoded as one number. */
export const lengthsCount = (maxTitleLength + 1) * phraseLengths.length * textLengths.length;
const lengthsMask = lengthsCount - 1;

/**
 * Packs the values that scoring reads of a document:
 *
 *     bit   31 ... 16     15 ... 13   12 ... 10   9 ... 8    7 ... 0
 *           popularity    (none)      text        phrase     title
 *
 * @param popularity in 65,536ths
 * @param lengths see `packLengths`
 */
export function packDocValues(popularity: number, lengths: number): number {
  return ((popularity << 16) | lengths) >>> 0;
}

export function packLengths({ title, phrase, text }: FieldLengths): number {
  const steps = stepOf(textLengths, text) * phraseLengths.length + stepOf(phraseLengths, phrase);
  return (steps << 8) | Math.min(title, maxTitleLength);
}

/** The step nearest to a length; of two as near, the shorter. */
function stepOf(lengths: readonly number[], length: number): number {
  let step = 0;
  while (step + 1 < lengths.length && length * 2 > (lengths[step] as number) + (lengths[step + 1] as number)) step += 1;
  return step;
}

/** From 0 up to, not including, 1. */
export function popularityOf(docValues: number): number {
  return (docValues >>> 16) / 0x10000;
}

/** See `packLengths`. */
export function lengthsOf(docValues: number): number {
  return docValues & lengthsMask;
}

export function titleLengthOf(lengths: number): number {
  return lengths & maxTitleLength;
}

/** Steps of all fields except the title, in one number below 32. */
export function otherStepsOf(lengths: number): number {
  return lengths >>> 8;
}
