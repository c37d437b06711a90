import { Uint32List } from "./shared-arrays.ts";

/** Numbers for terms in the order in which they are met first: an open hash table over one array of UTF-16 units, since a map of
 *  strings would make a string of every word of every document. */
export class TermTable {
  #units = new Uint16Array(1 << 16);
  #length = 0;
  readonly #starts = new Uint32List();
  readonly #hashes = new Uint32List();
  /** By hash: the number of a term and one; 0: free. */
  #slots = new Uint32Array(1 << 12);

  constructor() {
    this.#starts.push(0);
  }

  get size(): number {
    return this.#hashes.length;
  }

  /** The number of the term in `units`, from `from` up to, not including, `to`; a new one where it was not met before. */
  add(units: Uint16Array, from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ (units[index] as number), 0x01000193);
    hash = (hash ^ (hash >>> 15)) >>> 0;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const term = (this.#slots[slot] as number) - 1;
      if (term < 0) return this.#insert(units, from, to, hash, slot);
      if (this.#hashes.get(term) === hash && this.#isSame(term, units, from, to)) return term;
    }
  }

  addText(text: string): number {
    const units = new Uint16Array(text.length);
    for (let index = 0; index < text.length; index += 1) units[index] = text.charCodeAt(index);
    return this.add(units, 0, text.length);
  }

  textOf(term: number): string {
    return String.fromCharCode(...this.#units.subarray(this.#starts.get(term), this.#starts.get(term + 1)));
  }

  #isSame(term: number, units: Uint16Array, from: number, to: number): boolean {
    const start = this.#starts.get(term);
    if (this.#starts.get(term + 1) - start !== to - from) return false;
    for (let index = from; index < to; index += 1)
      if (this.#units[start + index - from] !== units[index]) return false;
    return true;
  }

  #insert(units: Uint16Array, from: number, to: number, hash: number, slot: number): number {
    if (this.#length + to - from > this.#units.length) {
      const wider = new Uint16Array((this.#length + to - from) * 2);
      wider.set(this.#units);
      this.#units = wider;
    }
    for (let index = from; index < to; index += 1) this.#units[this.#length++] = units[index] as number;
    const term = this.#hashes.length;
    this.#starts.push(this.#length);
    this.#hashes.push(hash);
    this.#slots[slot] = term + 1;
    if (this.#hashes.length * 2 > this.#slots.length) this.#widen();
    return term;
  }

  #widen(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let term = 0; term < this.#hashes.length; term += 1) {
      let slot = this.#hashes.get(term) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = term + 1;
    }
    this.#slots = slots;
  }
}
