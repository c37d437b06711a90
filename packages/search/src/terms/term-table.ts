import { release, widened } from "../arrays/shared-arrays.ts";
import { decodeUnits } from "../arrays/utf16.ts";
import type { Texts } from "./dictionary.ts";

/**
 * Numbers terms in order of first occurrence: an open-addressing hash table over one array of UTF-16 units. A map of
 * strings would allocate a string for each word of each document.
 */
export class TermTable {
  #units = new Uint16Array(1 << 16);
  #starts = new Uint32Array(1 << 12);
  #size = 0;
  /**
   * By the low bits of a hash: the number of a term plus one in as many low bits, and above them the high bits of its
   * hash, which distinguish most terms without comparing units; 0 for a free slot.
   */
  #slots = new Uint32Array(1 << 13);
  /** Units of a string for a lookup. */
  #text = new Uint16Array(64);
  readonly #mostTerms: number;

  /** @param maxTerms terms it takes at most */
  constructor(maxTerms = Number.POSITIVE_INFINITY) {
    this.#mostTerms = maxTerms;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Number of the term in units `from` up to `to` (exclusive), new for a new term; -1 if the table already has
   * `mostTerms`.
   */
  add(units: Uint16Array, from: number, to: number): number {
    const hash = hashOf(units, from, to);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = slots[slot] as number;
      if (known === 0) return this.#insert(units, from, to, hash, slot);
      const term = (known & mask) - 1;
      if (((known ^ hash) & ~mask) === 0 && this.#isSame(term, units, from, to)) return term;
    }
  }

  /** Numbers many terms in one call, which is faster than a call for each.  @param into receives the numbers */
  addAll(units: Uint16Array, starts: Uint32Array, ends: Uint32Array, count: number, into: Uint32Array): void {
    for (let index = 0; index < count; index += 1)
      into[index] = this.add(units, starts[index] as number, ends[index] as number);
  }

  addText(text: string): number {
    if (text.length > this.#text.length) this.#text = new Uint16Array(text.length * 2);
    for (let index = 0; index < text.length; index += 1) this.#text[index] = text.charCodeAt(index);
    return this.add(this.#text, 0, text.length);
  }

  /** All terms, by number. */
  texts(): string[] {
    const end = this.#starts[this.#size] as number;
    // Slicing one long string is faster than building a million.
    const all = decodeUnits(this.#units.subarray(0, end));
    const texts: string[] = [];
    for (let term = 0; term < this.#size; term += 1) texts.push(all.slice(this.#starts[term], this.#starts[term + 1]));
    return texts;
  }

  /** All terms, concatenated by number; valid until the next one is added. */
  view(): Texts {
    const end = this.#starts[this.#size] as number;
    return { units: this.#units.subarray(0, end), starts: this.#starts.subarray(0, this.#size + 1) };
  }

  textOf(term: number): string {
    return textOfUnits(this.#units, this.#starts[term] as number, this.#starts[term + 1] as number);
  }

  /** In UTF-16 units. */
  lengthOf(term: number): number {
    return (this.#starts[term + 1] as number) - (this.#starts[term] as number);
  }

  #isSame(term: number, units: Uint16Array, from: number, to: number): boolean {
    const known = this.#units;
    const start = this.#starts[term] as number;
    const length = to - from;
    if ((this.#starts[term + 1] as number) - start !== length) return false;
    for (let index = 0; index < length; index += 1) if (known[start + index] !== units[from + index]) return false;
    return true;
  }

  #insert(units: Uint16Array, from: number, to: number, hash: number, slot: number): number {
    const term = this.#size;
    if (term === this.#mostTerms) return -1;
    const end = this.#starts[term] as number;
    while (end + to - from > this.#units.length) this.#units = widened(this.#units);
    if (term + 1 === this.#starts.length) this.#starts = widened(this.#starts);
    for (let index = from; index < to; index += 1) this.#units[end + index - from] = units[index] as number;
    this.#starts[term + 1] = end + to - from;
    const mask = this.#slots.length - 1;
    this.#slots[slot] = (hash & ~mask) | (term + 1);
    this.#size += 1;
    // At least three slots in ten are free.
    if (this.#size > this.#slots.length * 0.7) this.#widenSlots();
    return term;
  }

  #widenSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let term = 0; term < this.#size; term += 1) {
      const hash = hashOf(this.#units, this.#starts[term] as number, this.#starts[term + 1] as number);
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = (hash & ~mask) | (term + 1);
    }
    release(this.#slots);
    this.#slots = slots;
  }
}

function hashOf(units: Uint16Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ (units[index] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Units `from` up to, not including, `to` as a text. */
export function textOfUnits(units: Uint16Array, from: number, to: number): string {
  let text = "";
  for (let index = from; index < to; index += 1) text += String.fromCharCode(units[index] as number);
  return text;
}
