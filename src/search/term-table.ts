/** Numbers for terms in the order in which they are met first: an open hash table over one array of UTF-16 units, since a map of
 *  strings would make a string of every word of every document. */
export class TermTable {
  #units = new Uint16Array(1 << 16);
  #starts = new Uint32Array(1 << 12);
  #hashes = new Uint32Array(1 << 12);
  #size = 0;
  /** By hash: the number of a term and one; 0: free. */
  #slots = new Uint32Array(1 << 13);

  get size(): number {
    return this.#size;
  }

  /** The number of the term in `units`, from `from` up to, not including, `to`; a new one where it was not met before. */
  add(units: Uint16Array, from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ (units[index] as number), 0x01000193);
    hash = (hash ^ (hash >>> 15)) >>> 0;
    const slots = this.#slots;
    const hashes = this.#hashes;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const term = (slots[slot] as number) - 1;
      if (term < 0) return this.#insert(units, from, to, hash, slot);
      if (hashes[term] === hash && this.#isSame(term, units, from, to)) return term;
    }
  }

  addText(text: string): number {
    const units = new Uint16Array(text.length);
    for (let index = 0; index < text.length; index += 1) units[index] = text.charCodeAt(index);
    return this.add(units, 0, text.length);
  }

  /** All terms, by number. */
  texts(): string[] {
    const { buffer, byteOffset } = this.#units;
    const end = this.#starts[this.#size] as number;
    // Cutting one long text is quicker than putting a million together; UTF-16 of our own, halves of pairs included.
    const all = Buffer.from(buffer, byteOffset, end * 2).toString("utf16le");
    const texts: string[] = [];
    for (let term = 0; term < this.#size; term += 1) texts.push(all.slice(this.#starts[term], this.#starts[term + 1]));
    return texts;
  }

  textOf(term: number): string {
    return textOfUnits(this.#units, this.#starts[term] as number, this.#starts[term + 1] as number);
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
    const end = this.#starts[term] as number;
    if (end + to - from > this.#units.length) {
      const wider = new Uint16Array((end + to - from) * 2);
      wider.set(this.#units);
      this.#units = wider;
    }
    if (term + 1 === this.#starts.length) {
      this.#starts = widened(this.#starts);
      this.#hashes = widened(this.#hashes);
    }
    for (let index = from; index < to; index += 1) this.#units[end + index - from] = units[index] as number;
    this.#starts[term + 1] = end + to - from;
    this.#hashes[term] = hash;
    this.#slots[slot] = term + 1;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#widenSlots();
    return term;
  }

  #widenSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let term = 0; term < this.#size; term += 1) {
      let slot = (this.#hashes[term] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = term + 1;
    }
    this.#slots = slots;
  }
}

/** Units `from` up to, not including, `to` as a text. */
export function textOfUnits(units: Uint16Array, from: number, to: number): string {
  let text = "";
  for (let index = from; index < to; index += 1) text += String.fromCharCode(units[index] as number);
  return text;
}

/** The same values, with room for as many more. */
export function widened(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(values.length * 2);
  wider.set(values);
  return wider;
}
