/** Set of numbers such as row positions, stored with one bit per number. */
export type Bitmap = Uint32Array;

export function createBitmap(size: number): Bitmap {
  return new Uint32Array((size + 31) >>> 5);
}

export function setBit(bitmap: Bitmap, position: number): void {
  bitmap[position >>> 5] = (bitmap[position >>> 5] as number) | (1 << (position & 31));
}

export function hasBit(bitmap: Bitmap, position: number): boolean {
  return (((bitmap[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1;
}

export function forEachBit(bitmap: Bitmap, visit: (position: number) => void): void {
  for (let word = 0; word < bitmap.length; word += 1)
    for (let remainingBits = bitmap[word] as number; remainingBits !== 0; remainingBits &= remainingBits - 1)
      visit(word * 32 + 31 - Math.clz32(remainingBits & -remainingBits));
}
