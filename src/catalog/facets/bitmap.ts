/** Set of positions in a base, with one bit per position. */
export type Bitmap = Uint32Array;

export function emptySet(places: number): Bitmap {
  return new Uint32Array((places + 31) >>> 5);
}

/** Returns a bitmap with the first `places` bits set. */
export function fullSet(places: number): Bitmap {
  const set = emptySet(places).fill(0xffffffff);
  if ((places & 31) !== 0) set[set.length - 1] = 0xffffffff >>> (32 - (places & 31));
  return set;
}

export function addPlace(set: Bitmap, place: number): void {
  set[place >>> 5] = (set[place >>> 5] as number) | (1 << (place & 31));
}

export function hasPlace(set: Bitmap, place: number): boolean {
  return (((set[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1;
}

export function eachPlace(set: Bitmap, take: (place: number) => void): void {
  for (let word = 0; word < set.length; word += 1)
    for (let left = set[word] as number; left !== 0; left &= left - 1) take(word * 32 + 31 - Math.clz32(left & -left));
}

export function sizeOf(set: Bitmap): number {
  let size = 0;
  for (let word = 0; word < set.length; word += 1) {
    let bits = set[word] as number;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    size += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return size;
}

/** Returns the intersection of bitmaps.  @param sets at least one bitmap, all of equal length */
export function intersection([first, ...others]: readonly Bitmap[]): Bitmap {
  const common = (first as Bitmap).slice();
  for (const other of others)
    for (let word = 0; word < common.length; word += 1)
      common[word] = (common[word] as number) & (other[word] as number);
  return common;
}

export function union(one: Bitmap, other: Bitmap): Bitmap {
  return one.map((bits, word) => bits | (other[word] as number));
}

export function difference(one: Bitmap, other: Bitmap): Bitmap {
  return one.map((bits, word) => bits & ~(other[word] as number));
}
