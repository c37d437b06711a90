/** Words that a list of so many bits has. */
export function wordsFor(places: number): number {
  return (places + 31) >>> 5;
}

/** Whether a place is set in a list of bits, 32 a word. @param from word with which the list begins */
export function hasBit(bits: Uint32Array, place: number, from = 0): boolean {
  return (((bits[from + (place >>> 5)] as number) >>> (place & 31)) & 1) === 1;
}

export function setBit(bits: Uint32Array, place: number, from = 0): void {
  const word = from + (place >>> 5);
  bits[word] = (bits[word] as number) | (1 << (place & 31));
}
