/** Lengths of a document's fields except the body, in words. */
export interface FieldLengths {
  title: number;
  /** Total length of the fields of kind `phrase`. */
  phrase: number;
  /** Total length of the fields of kind `text`. */
  text: number;
}

/** Maximum stored length of a title, in words. Longer titles are stored with this length. */
export const maxTitleLength = 255;
/** Lengths in words to which field lengths are rounded, because small differences between long fields mean little. */
export const phraseLengths: readonly number[] = [2, 4, 6, 9];
export const textLengths: readonly number[] = [4, 6, 9, 13, 18, 25, 36, 50];
/** Number of possible packed field lengths (see `packLengths`). */
export const lengthCodeCount = (maxTitleLength + 1) * phraseLengths.length * textLengths.length;
const lengthCodeMask = lengthCodeCount - 1;

/**
 * Packs the values of a document that scoring reads:
 *
 *     bit   31 ... 16     15 ... 13   12 ... 10   9 ... 8    7 ... 0
 *           popularity    (none)      text        phrase     title
 *
 * @param popularity popularity in units of 1/65,536
 * @param lengths packed field lengths (see `packLengths`)
 */
export function packDocValues(popularity: number, lengths: number): number {
  return ((popularity << 16) | lengths) >>> 0;
}

export function packLengths({ title, phrase, text }: FieldLengths): number {
  const roundedLengths =
    quantizeLength(textLengths, text) * phraseLengths.length + quantizeLength(phraseLengths, phrase);
  return (roundedLengths << 8) | Math.min(title, maxTitleLength);
}

/**
 * Returns the index in `lengths` of the value nearest to `length`. If two values are equally near, the smaller one
 * counts.
 */
function quantizeLength(lengths: readonly number[], length: number): number {
  let step = 0;
  while (step + 1 < lengths.length && length * 2 > (lengths[step] as number) + (lengths[step + 1] as number)) step += 1;
  return step;
}

/** Returns the popularity, from 0 to 1 (exclusive). */
export function popularityOf(docValues: number): number {
  return (docValues >>> 16) / 0x10000;
}

/** Returns the packed field lengths (see `packLengths`). */
export function readLengths(docValues: number): number {
  return docValues & lengthCodeMask;
}

export function readTitleLength(lengths: number): number {
  return lengths & maxTitleLength;
}

/** Returns the rounded lengths of all fields except the title, packed into a number below 32. */
export function getNonTitleLengths(lengths: number): number {
  return lengths >>> 8;
}
