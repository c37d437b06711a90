/** Typed arrays over shared memory: posted to another thread they are not copied. */
export const sharedUint8 = (length: number): Uint8Array<SharedArrayBuffer> =>
  new Uint8Array(new SharedArrayBuffer(length));
export const sharedUint16 = (length: number): Uint16Array<SharedArrayBuffer> =>
  new Uint16Array(new SharedArrayBuffer(length * 2));
export const sharedUint32 = (length: number): Uint32Array<SharedArrayBuffer> =>
  new Uint32Array(new SharedArrayBuffer(length * 4));

/** A list of uint32 that grows; far smaller than an array of numbers. */
export class Uint32List {
  length = 0;
  #values = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const wider = new Uint32Array(this.length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  get(index: number): number {
    return this.#values[index] as number;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** What was pushed; a view that the next push may leave behind. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.length);
  }

  /** Lets go of what was pushed. */
  clear(): void {
    this.length = 0;
    this.#values = new Uint32Array(0);
  }
}
