import { growArray, releaseBuffer } from "../arrays/shared-arrays.ts";
import { decodeUtf16 } from "../arrays/utf16.ts";
import type { TextTable } from "./dictionary.ts";

/**
 * Assigns numbers to terms in order of first occurrence. The table is an open-addressing hash table over one array of
 * UTF-16 units. A map of strings would allocate a string for each word of each document.
 */
export class TermTable {
  #units = new Uint16Array(1 << 12);
  #starts = new Uint32Array(1 << 12);
  #size = 0;
  /**
   * Hash slots, indexed by the low bits of a hash. A free slot is 0. In other slots, the low bits are the number of a
   * term plus one, and the high bits are those of the term's hash. Most terms can be distinguished by these bits alone.
   */
  #slots = new Uint32Array(1 << 13);
  /** Buffer for the UTF-16 units of the text that `addText` looks up. */
  #text = new Uint16Array(64);
  readonly #maxTerms: number;

  /** @param maxTerms maximum number of terms */
  constructor(maxTerms = Number.POSITIVE_INFINITY) {
    this.#maxTerms = maxTerms;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Returns the number of the term in units `from` to `to` (exclusive), and adds the term if it is missing. Returns -1
   * if the table is full.
   */
  add(units: Uint16Array, from: number, to: number): number {
    const hash = hashCodeUnits(units, from, to);
    const slots = this.#slots;
    const slotMask = slots.length - 1;
    for (let slot = hash & slotMask; ; slot = (slot + 1) & slotMask) {
      const slotValue = slots[slot] as number;
      if (slotValue === 0) return this.#insert(units, from, to, hash, slot);
      const term = (slotValue & slotMask) - 1;
      if (((slotValue ^ hash) & ~slotMask) === 0 && this.#isEqual(term, units, from, to)) return term;
    }
  }

  /**
   * Adds many terms in one call, which is faster than a call for each term.
   * @param numbers receives the numbers of the terms
   */
  addAll(units: Uint16Array, starts: Uint32Array, ends: Uint32Array, count: number, numbers: Uint32Array): void {
    for (let index = 0; index < count; index += 1)
      numbers[index] = this.add(units, starts[index] as number, ends[index] as number);
  }

  addText(text: string): number {
    if (text.length > this.#text.length) this.#text = new Uint16Array(text.length * 2);
    for (let index = 0; index < text.length; index += 1) this.#text[index] = text.charCodeAt(index);
    return this.add(this.#text, 0, text.length);
  }

  /** Returns the texts of all terms by term number. */
  listTexts(): string[] {
    const end = this.#starts[this.#size] as number;
    // Slicing one long string is faster than decoding a million short strings.
    const joinedText = decodeUtf16(this.#units.subarray(0, end));
    const texts: string[] = [];
    for (let term = 0; term < this.#size; term += 1)
      texts.push(joinedText.slice(this.#starts[term], this.#starts[term + 1]));
    return texts;
  }

  /** Returns all terms, concatenated by term number. The view is valid until the next term is added. */
  view(): TextTable {
    const end = this.#starts[this.#size] as number;
    return { units: this.#units.subarray(0, end), starts: this.#starts.subarray(0, this.#size + 1) };
  }

  textAt(term: number): string {
    return decodeText(this.#units, this.#starts[term] as number, this.#starts[term + 1] as number);
  }

  #isEqual(term: number, units: Uint16Array, from: number, to: number): boolean {
    const storedUnits = this.#units;
    const start = this.#starts[term] as number;
    const length = to - from;
    if ((this.#starts[term + 1] as number) - start !== length) return false;
    for (let index = 0; index < length; index += 1)
      if (storedUnits[start + index] !== units[from + index]) return false;
    return true;
  }

  #insert(units: Uint16Array, from: number, to: number, hash: number, slot: number): number {
    const term = this.#size;
    if (term === this.#maxTerms) return -1;
    const end = this.#starts[term] as number;
    while (end + to - from > this.#units.length) this.#units = growArray(this.#units);
    if (term + 1 === this.#starts.length) this.#starts = growArray(this.#starts);
    for (let index = from; index < to; index += 1) this.#units[end + index - from] = units[index] as number;
    this.#starts[term + 1] = end + to - from;
    const slotMask = this.#slots.length - 1;
    this.#slots[slot] = (hash & ~slotMask) | (term + 1);
    this.#size += 1;
    // Keep at least 30% of the slots free.
    if (this.#size > this.#slots.length * 0.7) this.#growTable();
    return term;
  }

  #growTable(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const slotMask = slots.length - 1;
    for (let term = 0; term < this.#size; term += 1) {
      const hash = hashCodeUnits(this.#units, this.#starts[term] as number, this.#starts[term + 1] as number);
      let slot = hash & slotMask;
      while (slots[slot] !== 0) slot = (slot + 1) & slotMask;
      slots[slot] = (hash & ~slotMask) | (term + 1);
    }
    releaseBuffer(this.#slots);
    this.#slots = slots;
  }
}

function hashCodeUnits(units: Uint16Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ (units[index] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Decodes the UTF-16 units from `from` to `to` (exclusive). */
export function decodeText(units: ArrayLike<number>, from: number, to: number): string {
  let text = "";
  for (let index = from; index < to; index += 1) text += String.fromCharCode(units[index] as number);
  return text;
}
