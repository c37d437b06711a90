import { chunks, isDecimalComma, isInchMark, isSilentApostrophe, joiner, maxTermLength } from "./analysis.ts";
import { digit, foldedUnits, kindOfFolded, letter, notAlone, several, severalOf, whiteSpace } from "./folded-units.ts";
import { widened } from "./shared-arrays.ts";

/** A text as chunks, and these as parts, which lie one after the other so that the joined form of a chunk lies there too:
 *
 *      units       . . . . t s h i r t . s n o w       two chunks: 2 parts, 1 part
 *      starts      4 5 11
 *      ends        5 10 15
 *      firstParts  0 2 3
 */
export class ChunkReader {
  units = new Uint16Array(1 << 10);
  /** By part. */
  starts = new Uint32Array(1 << 8);
  ends = new Uint32Array(1 << 8);
  /** By chunk: its first part, with one entry more than there are chunks; and its `traits`. */
  firstParts = new Uint32Array(1 << 8);
  traits = new Uint8Array(1 << 8);
  parts = 0;
  chunks = 0;
  /** The text as it came, twice the same memory. */
  #raw = new Uint16Array(1 << 10);
  #bytes = Buffer.from(this.#raw.buffer);

  constructor() {
    this.#write(inch, 0);
  }

  /** Reads a text in the chunks into which `chunks` cuts it; for most texts, no string is made of any word. */
  read(text: string): void {
    this.parts = 0;
    this.chunks = 0;
    const end = this.#fold(text);
    if (end < 0) this.#readCut(text);
    else this.#readFolded(end);
  }

  /** Puts the folded text behind the word that is always there. @returns where it ends; -1: it must be folded as a whole */
  #fold(text: string): number {
    const { length } = text;
    this.#makeRoom(textStart + length);
    this.#copy(text);
    const raw = this.#raw;
    let units = this.units;
    let end = textStart;
    for (let index = 0; index < length; index += 1) {
      const unit = raw[index] as number;
      const folded = foldedUnits[unit] as number;
      if (folded > several) {
        units[end] = folded;
        end += 1;
      } else if (folded === notAlone) return -1;
      else {
        const more = severalOf(unit);
        if (more === undefined) return -1;
        this.#makeRoom(end + more.length + length - index);
        units = this.units;
        end = this.#write(more, end);
      }
    }
    // Nothing of an earlier text is to be seen behind the end.
    units[end] = 0;
    units[end + 1] = 0;
    return end;
  }

  #copy(text: string): void {
    const { length } = text;
    if (length > this.#raw.length) {
      this.#raw = new Uint16Array(length * 2);
      this.#bytes = Buffer.from(this.#raw.buffer);
    }
    // Letters are read one by one more slowly out of a string, but a call takes time, too.
    if (length > shortText) this.#bytes.write(text, 0, "utf16le");
    else for (let index = 0; index < length; index += 1) this.#raw[index] = text.charCodeAt(index);
  }

  #readFolded(end: number): void {
    const { units } = this;
    let isBreak = false;
    let hasDigit = false;
    let from = textStart;
    // Parts are moved together where they stand: what is written lies before what is to be read.
    let to = from;
    let partStart = from;
    for (let at = from; at <= end; at += 1) {
      const unit = units[at] as number;
      const kind = at === end ? whiteSpace : kindOfFolded(unit);
      if (kind >= letter) {
        if (to - partStart === maxTermLength) continue;
        if (kind === digit) hasDigit = true;
        units[to] = unit;
        to += 1;
        continue;
      }
      const after = units[at + 1] as number;
      const isJoined = kind === joiner || isDecimalComma(units[at - 1] as number, unit, after);
      if (to > partStart && !(isJoined && isSilentApostrophe(unit, after, units[at + 2] as number))) {
        this.#addPart(partStart, to);
        partStart = to;
      }
      if (isJoined) {
        if (to === from) isBreak = true;
        continue;
      }
      if (to > from) {
        this.#endChunk((hasDigit ? withDigit : 0) | (isBreak ? afterBreak : 0));
        isBreak = false;
        hasDigit = false;
      }
      from = at + 1;
      to = from;
      partStart = from;
      if (isInchMark(units[at - 1] as number, unit, after)) {
        this.#addPart(0, inch.length);
        this.#endChunk(0);
      } else if (kind !== whiteSpace) isBreak = true;
    }
  }

  #readCut(text: string): void {
    let end = textStart;
    for (const chunk of chunks(text)) {
      let traits = chunk[0]?.isAfterBreak === true ? afterBreak : 0;
      for (const part of chunk) {
        const start = end;
        this.#makeRoom(start + part.text.length);
        end = this.#write(part.text, start);
        this.#addPart(start, end);
        traits |= (part.isGram ? ofGrams : 0) | (/\p{N}/u.test(part.text) ? withDigit : 0);
      }
      this.#endChunk(traits);
    }
  }

  #addPart(start: number, end: number): void {
    if (this.parts === this.ends.length) {
      this.starts = widened(this.starts);
      this.ends = widened(this.ends);
    }
    this.starts[this.parts] = start;
    this.ends[this.parts] = end;
    this.parts += 1;
  }

  #endChunk(traits: number): void {
    if (this.chunks + 1 === this.firstParts.length) {
      this.firstParts = widened(this.firstParts);
      this.traits = widened(this.traits);
    }
    this.traits[this.chunks] = traits;
    this.chunks += 1;
    this.firstParts[this.chunks] = this.parts;
  }

  /** @returns where the text ends */
  #write(text: string, at: number): number {
    for (let index = 0; index < text.length; index += 1) this.units[at + index] = text.charCodeAt(index);
    return at + text.length;
  }

  #makeRoom(end: number): void {
    // With room for what is looked at behind the end.
    while (end + 2 > this.units.length) this.units = widened(this.units);
  }
}

const shortText = 16;

/** Traits of a chunk. Its parts are grams, which have no joined form: */
export const ofGrams = 1;
export const withDigit = 2;
/** A comma, bracket, dash or the like stands before it. */
export const afterBreak = 4;

/** What a mark behind a number stands for; ready at the start of the units, since it is longer than the mark. */
const inch = "inch";
const textStart = inch.length;
