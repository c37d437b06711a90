import { mixHash } from "../runtime/hash.ts";

/**
 * Maps each key to the first row that has it, in typed arrays. A `Map` is limited to sixteen million entries and needs
 * about a hundred bytes per entry. Keys are compared by a 64-bit hash. At thirty million keys, a hash collision occurs
 * in one of 40,000 imports.
 */
export class RowsByKey {
  #count = 0;
  /**
   * Slots of three numbers: both halves of the hash, and the row number plus 1. The third number is 0 if the slot is
   * free.
   */
  #slots = new Uint32Array(3 << 10);
  // Upper half of the most recently computed hash.
  #highHashBits = 0;
  #lowHashBits = 0;

  /** Returns the row of a key, or -1. */
  find(key: string): number {
    this.#computeHash(key);
    return (this.#slots[this.#findSlot(this.#highHashBits, this.#lowHashBits) + 2] as number) - 1;
  }

  /** Adds a key unless it exists.  @returns the earlier row of the key, or -1 */
  add(key: string, row: number): number {
    this.#computeHash(key);
    const slot = this.#findSlot(this.#highHashBits, this.#lowHashBits);
    const earlierRow = this.#slots[slot + 2] as number;
    if (earlierRow > 0) return earlierRow - 1;
    this.#writeSlot(slot, this.#highHashBits, this.#lowHashBits, row + 1);
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length / 3) this.#growTable();
    return -1;
  }

  #writeSlot(slot: number, highBits: number, lowBits: number, row: number): void {
    this.#slots[slot] = highBits;
    this.#slots[slot + 1] = lowBits;
    this.#slots[slot + 2] = row;
  }

  /** Returns the slot of a key, or the free slot for it. */
  #findSlot(highBits: number, lowBits: number): number {
    const slots = this.#slots;
    const count = slots.length / 3;
    let slot = Math.floor((highBits / 0x100000000) * count) * 3;
    while (slots[slot + 2] !== 0 && (slots[slot] !== highBits || slots[slot + 1] !== lowBits))
      slot = slot + 3 === slots.length ? 0 : slot + 3;
    return slot;
  }

  #growTable(): void {
    const oldSlots = this.#slots;
    this.#slots = new Uint32Array(oldSlots.length * 2);
    for (let slot = 0; slot < oldSlots.length; slot += 3) {
      const [highBits, lowBits, row] = [
        oldSlots[slot] as number,
        oldSlots[slot + 1] as number,
        oldSlots[slot + 2] as number,
      ];
      if (row > 0) this.#writeSlot(this.#findSlot(highBits, lowBits), highBits, lowBits, row);
    }
  }

  /** Computes two independent 32-bit hashes of a key. Two different keys rarely have both hashes in common. */
  #computeHash(key: string): void {
    let firstHash = 0x9747b28c;
    let secondHash = 0x3c6ef372 ^ key.length;
    for (let index = 0; index < key.length; index += 1) {
      const codeUnit = key.charCodeAt(index);
      firstHash = Math.imul(firstHash ^ codeUnit, 0x01000193);
      firstHash ^= firstHash >>> 15;
      secondHash = Math.imul(((secondHash << 7) | (secondHash >>> 25)) + codeUnit, 0x2c1b3c6d);
    }
    this.#highHashBits = mixHash(firstHash ^ Math.imul(secondHash, 0x297a2d39));
    this.#lowHashBits = mixHash(secondHash + this.#highHashBits);
  }
}
