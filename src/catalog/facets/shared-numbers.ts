/** An array of integers. Amounts in minor units rarely exceed 32 bits. */
export type IntegerArray = Uint32Array | Float64Array;

const MAX_UINT32 = 0xffffffff;

/** Copies integers to a typed array in shared memory, of the narrowest sufficient type. */
export function createSharedIntegers(values: readonly number[]): IntegerArray {
  if (values.every((value) => value <= MAX_UINT32)) return createSharedIds(values);
  const array = createSharedFloats(values.length);
  array.set(values);
  return array;
}

export function createSharedFloats(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * 8));
}

export function createSharedIds(values: ArrayLike<number>): Uint32Array {
  const ids = createSharedUint32s(values.length);
  ids.set(values);
  return ids;
}

/** Creates an array of unsigned integers of 32 bits, which are 0. */
export function createSharedUint32s(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * 4));
}
