/** Typed arrays in shared memory. Other threads can use them without a copy. */
export const createSharedUint8 = (length: number): Uint8Array => new Uint8Array(allocateSharedMemory(length));
export const createSharedUint16 = (length: number): Uint16Array => new Uint16Array(allocateSharedMemory(length * 2));
export const createSharedUint32 = (length: number): Uint32Array => new Uint32Array(allocateSharedMemory(length * 4));

/**
 * Allocates shared memory, or an `ArrayBuffer` if the platform has no shared memory. A web page has shared memory only
 * if it is cross-origin isolated.
 */
export function allocateSharedMemory(bytes: number): SharedArrayBuffer | ArrayBuffer {
  return typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
}

/** A growing list of numbers in a typed array. */
abstract class NumberList<Numbers extends Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>> {
  length = 0;
  protected values: Numbers;

  protected constructor(values: Numbers) {
    this.values = values;
  }

  get(index: number): number {
    return this.values[index] as number;
  }

  set(index: number, value: number): void {
    this.values[index] = value;
  }

  /** Returns all numbers as a view. The view is invalid after the next push. */
  view(): Numbers {
    return this.values.subarray(0, this.length) as Numbers;
  }

  clear(): void {
    this.length = 0;
    this.replace(0);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.replace(this.length * 2);
    this.values[this.length] = value;
    this.length += 1;
  }

  /** Appends the first `count` numbers of `values`. */
  pushAll(values: Numbers, count: number): void {
    while (this.length + count > this.values.length) this.replace(this.values.length * 2);
    for (let index = 0; index < count; index += 1) this.values[this.length + index] = values[index] as number;
    this.length += count;
  }

  private replace(length: number): void {
    const { values } = this;
    this.values = this.createArray(length);
    this.values.set(values.subarray(0, length));
    releaseBuffer(values);
  }

  protected abstract createArray(length: number): Numbers;
}

export class Uint32List extends NumberList<Uint32Array<ArrayBuffer>> {
  constructor() {
    super(new Uint32Array(1024));
  }

  protected createArray(length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(length);
  }
}

export class Uint16List extends NumberList<Uint16Array<ArrayBuffer>> {
  constructor() {
    super(new Uint16Array(1024));
  }

  protected createArray(length: number): Uint16Array<ArrayBuffer> {
    return new Uint16Array(length);
  }
}

/** Copies an array to an array of twice the length, and releases the memory of the original. */
export function growArray<
  Numbers extends Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
>(values: Numbers): Numbers {
  const largerArray = new (values.constructor as new (length: number) => Numbers)(values.length * 2);
  largerArray.set(values);
  releaseBuffer(values);
  return largerArray;
}

/**
 * Releases the memory of an array immediately. The garbage collector considers only the size of the heap, so it frees
 * large buffers late.
 */
export function releaseBuffer({ buffer }: { readonly buffer: ArrayBuffer }): void {
  buffer.transfer(0);
}
