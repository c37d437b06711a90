/** Maps each key to the row that first had it, in typed arrays: a `Map` has at most sixteen million entries of a hundred bytes each. Keys are compared by 64 bits of hash: among thirty million keys, two collide once in 40,000 imports and count as one. */
export class KeyRows {
  #count = 0;
  /** Three values per slot, read together: both halves of the hash, and the row + 1; 0 if free. */
  #slots = new Uint32Array(3 << 10);
  // The hash of the last key.
  #high = 0;
  #low = 0;

  /** The row of a key, or -1. */
  find(key: string): number {
    this.#hash(key);
    return (this.#slots[this.#slotOf(this.#high, this.#low) + 2] as number) - 1;
  }

  /** Adds a key unless it exists. @returns its earlier row, or -1 */
  add(key: string, row: number): number {
    this.#hash(key);
    const slot = this.#slotOf(this.#high, this.#low);
    const before = this.#slots[slot + 2] as number;
    if (before > 0) return before - 1;
    this.#put(slot, this.#high, this.#low, row + 1);
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length / 3) this.#widen();
    return -1;
  }

  #put(slot: number, high: number, low: number, place: number): void {
    this.#slots[slot] = high;
    this.#slots[slot + 1] = low;
    this.#slots[slot + 2] = place;
  }

  /** The slot of the key, or the free slot for it. */
  #slotOf(high: number, low: number): number {
    const slots = this.#slots;
    const count = slots.length / 3;
    let slot = Math.floor((high / 0x100000000) * count) * 3;
    while (slots[slot + 2] !== 0 && (slots[slot] !== high || slots[slot + 1] !== low))
      slot = slot + 3 === slots.length ? 0 : slot + 3;
    return slot;
  }

  #widen(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let slot = 0; slot < before.length; slot += 3) {
      const [high, low, place] = [before[slot] as number, before[slot + 1] as number, before[slot + 2] as number];
      if (place > 0) this.#put(this.#slotOf(high, low), high, low, place);
    }
  }

  /** Two hashes of different structure, mixed: keys that share one rarely share the other. */
  #hash(key: string): void {
    let one = 0x9747b28c;
    let other = 0x3c6ef372 ^ key.length;
    for (let at = 0; at < key.length; at += 1) {
      const unit = key.charCodeAt(at);
      one = Math.imul(one ^ unit, 0x01000193);
      one ^= one >>> 15;
      other = Math.imul(((other << 7) | (other >>> 25)) + unit, 0x2c1b3c6d);
    }
    one = scatter(one ^ Math.imul(other, 0x297a2d39));
    other = scatter(other + one);
    this.#high = one >>> 0;
    this.#low = other >>> 0;
  }
}

function scatter(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const again = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return again ^ (again >>> 16);
}
