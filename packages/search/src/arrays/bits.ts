/** Returns the number of 32-bit words that are needed to store `bitCount` bits. */
export function countWords(bitCount: number): number {
  return (bitCount + 31) >>> 5;
}

/** Returns whether the bit of a document is set.  @param from index of the first word of the bit set in `bits` */
export function hasBit(bits: Uint32Array, docId: number, from = 0): boolean {
  return (((bits[from + (docId >>> 5)] as number) >>> (docId & 31)) & 1) === 1;
}

export function setBit(bits: Uint32Array, docId: number, from = 0): void {
  const word = from + (docId >>> 5);
  bits[word] = (bits[word] as number) | (1 << (docId & 31));
}
