/** Set of numbers such as row positions, stored with one bit per number. */
export type Bitmap = Uint32Array;

export function createBitmap(size: number): Bitmap {
  return new Uint32Array((size + 31) >>> 5);
}

/** Returns a bitmap with the first `size` bits set. */
export function createFullBitmap(size: number): Bitmap {
  const bitmap = createBitmap(size).fill(0xffffffff);
  if ((size & 31) !== 0) bitmap[bitmap.length - 1] = 0xffffffff >>> (32 - (size & 31));
  return bitmap;
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

export function countBits(bitmap: Bitmap): number {
  let size = 0;
  for (let word = 0; word < bitmap.length; word += 1) {
    let bits = bitmap[word] as number;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    size += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return size;
}

/** Returns the intersection of bitmaps, which must have equal length. */
export function intersectBitmaps([firstBitmap, ...operands]: readonly Bitmap[]): Bitmap {
  const result = (firstBitmap as Bitmap).slice();
  for (const operand of operands)
    for (let word = 0; word < result.length; word += 1)
      result[word] = (result[word] as number) & (operand[word] as number);
  return result;
}

export function uniteBitmaps(a: Bitmap, b: Bitmap): Bitmap {
  return a.map((bits, word) => bits | (b[word] as number));
}

export function subtractBitmap(a: Bitmap, b: Bitmap): Bitmap {
  return a.map((bits, word) => bits & ~(b[word] as number));
}
