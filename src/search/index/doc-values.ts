/** Packs what scoring reads of a document.
 *  @param popularity in 65,536ths  @param few see `fewTermsPoints`  @param titleLength words of the title, at most 255 */
export function packDocValues(popularity: number, few: number, titleLength: number): number {
  return ((popularity << 16) | (few << 8) | titleLength) >>> 0;
}

/** From 0 up to, not including, 1. */
export function popularityOf(docValues: number): number {
  return (docValues >>> 16) / 0x10000;
}

export function fewTermsPointsOf(docValues: number): number {
  return (docValues >>> 8) & 0xff;
}

export function titleLengthOf(docValues: number): number {
  return docValues & 0xff;
}
