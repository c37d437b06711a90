import { chunks, isDecimalComma, isInchMark, isSilentApostrophe, maxTermLength } from "./analysis.ts";

/** One chunk of a text at a time, its parts one after the other so that their joined form lies there too:
 *
 *      units  t s h i r t       parts 2
 *      ends   1         6
 */
export class ChunkReader {
  units = new Uint16Array(1 << 10);
  readonly ends = new Uint32Array(1 << 15);
  parts = 0;
  /** Parts are grams: they have no joined form. */
  isGrams = false;
  hasDigit = false;
  /** A comma, bracket, dash or the like stands before the chunk. */
  isAfterBreak = false;
  #isBreak = false;
  #length = 0;
  #partStart = 0;

  /** Calls back with each chunk of a text, as `chunks` cuts it; texts of ASCII are read without making a string of any word. */
  read(text: string, onChunk: () => void): void {
    if (!/^[\x00-\x7f]*$/.test(text)) {
      this.#readCut(text, onChunk);
      return;
    }
    this.#begin();
    this.#isBreak = false;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      const kind = asciiKinds[unit] as number;
      if (kind >= letter) {
        if (kind === digit) this.hasDigit = true;
        this.#push(kind === capital ? unit | 0x20 : unit);
      } else if (kind === joiner || (unit === 44 && isDecimalComma(text, index))) {
        if (unit !== 39 || !isSilentApostrophe(text.slice(index, index + 3).toLowerCase(), 0)) this.#endPart();
        if (this.#length === 0) this.#isBreak = true;
      } else {
        this.#endChunk(onChunk);
        if (unit === 34 && isInchMark(text, index)) this.#readCut("inch", onChunk);
        else if (unit !== 32 && (unit < 9 || unit > 13)) this.#isBreak = true;
      }
    }
    this.#endChunk(onChunk);
  }

  #readCut(text: string, onChunk: () => void): void {
    for (const chunk of chunks(text)) {
      this.#begin();
      this.#isBreak = chunk[0]?.isAfterBreak === true;
      for (const part of chunk) {
        this.isGrams = part.isGram;
        for (let index = 0; index < part.text.length; index += 1) this.#push(part.text.charCodeAt(index));
        if (/\p{N}/u.test(part.text)) this.hasDigit = true;
        this.#endPart();
      }
      this.#endChunk(onChunk);
    }
  }

  #begin(): void {
    this.#length = 0;
    this.#partStart = 0;
    this.parts = 0;
    this.isGrams = false;
    this.hasDigit = false;
  }

  #push(unit: number): void {
    if (this.#length - this.#partStart >= maxTermLength) return;
    if (this.#length === this.units.length) {
      const wider = new Uint16Array(this.#length * 2);
      wider.set(this.units);
      this.units = wider;
    }
    this.units[this.#length] = unit;
    this.#length += 1;
  }

  #endPart(): void {
    if (this.#length === this.#partStart) return;
    this.ends[this.parts] = this.#length;
    this.parts += 1;
    this.#partStart = this.#length;
  }

  #endChunk(onChunk: () => void): void {
    this.#endPart();
    if (this.parts > 0) {
      this.isAfterBreak = this.#isBreak;
      this.#isBreak = false;
      onChunk();
    }
    this.#begin();
  }
}

const joiner = 1;
const letter = 2;
const digit = 3;
const capital = 4;
const asciiKinds = new Uint8Array(128);
for (const character of "-'._/&+") asciiKinds[character.charCodeAt(0)] = joiner;
for (let unit = 48; unit < 58; unit += 1) asciiKinds[unit] = digit;
for (let unit = 65; unit < 91; unit += 1) asciiKinds[unit] = capital;
for (let unit = 97; unit < 123; unit += 1) asciiKinds[unit] = letter;
