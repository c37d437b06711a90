/**
 * Maps each key to the first row that has it, in typed arrays. A `Map` is limited to sixteen million entries and needs
 * about a hundred bytes for each. Keys are compared by a hash of 64 bits: with thirty million keys, one of 40,000
 * imports has two different keys that count as one.
 */
export class KeyRows {
  #count = 0;
  /** Slots of three values: both halves of the hash, and the row number + 1, or 0 if the slot is free. */
  #slots = new Uint32Array(3 << 10);
  // High half of the hash of the last key.
  #high = 0;
  #low = 0;

  /** Returns the row of a key, or -1. */
  find(key: string): number {
    this.#hash(key);
    return (this.#slots[this.#slotOf(this.#high, this.#low) + 2] as number) - 1;
  }

  /** Adds a key unless it exists.  @returns the earlier row of the key, or -1 */
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

  /** Returns the slot of a key, or the free slot for it. */
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

  /**
   * Computes two independent hashes, so that keys with the same value in one rarely have the same value in the other.
   */
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
