/** A growing list of integers that is copied to shared memory at the end. */
export class NumberColumn {
  #values = new Float64Array(1_024);
  #length = 0;
  #maxValue = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const largerArray = new Float64Array(this.#length * 2);
      largerArray.set(this.#values);
      this.#values = largerArray;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
    if (value > this.#maxValue) this.#maxValue = value;
  }

  /** Copies the integers to a typed array of the narrowest sufficient type. */
  finish(): IntegerArray {
    const values = this.#values.subarray(0, this.#length);
    const array =
      this.#maxValue > MAX_UINT32
        ? createSharedFloats(values.length)
        : new Uint32Array(new SharedArrayBuffer(values.length * 4));
    array.set(values);
    return array;
  }
}

/** An array of integers. Amounts in minor units rarely exceed 32 bits. */
export type IntegerArray = Uint32Array | Float64Array;

const MAX_UINT32 = 0xffffffff;

export function createSharedFloats(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * 8));
}

export function createSharedIds(values: ArrayLike<number>): Uint32Array {
  const ids = new Uint32Array(new SharedArrayBuffer(values.length * 4));
  ids.set(values);
  return ids;
}
