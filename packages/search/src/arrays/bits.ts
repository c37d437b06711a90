/** 32-bit words for a number of bits. */
export function wordsFor(docIds: number): number {
  return (docIds + 31) >>> 5;
}

/** @param from word at which the bits start */
export function hasBit(bits: Uint32Array, docId: number, from = 0): boolean {
  return (((bits[from + (docId >>> 5)] as number) >>> (docId & 31)) & 1) === 1;
}

export function setBit(bits: Uint32Array, docId: number, from = 0): void {
  const word = from + (docId >>> 5);
  bits[word] = (bits[word] as number) | (1 << (docId & 31));
}
