import { widened } from "../arrays/shared-arrays.ts";
import { chunks, isDecimalComma, isInchMark, isSilentApostrophe, joiner, maxTermLength } from "./chunks.ts";
import { digit, foldedKinds, inContext, letter, several, UnitFolding, whiteSpace } from "./folded-units.ts";

/** Cuts texts into chunks and tokens as `chunks` does, without making a string of each word. The units of the tokens lie one after the
 *  other, so that a chunk's form as one term lies there too:
 *
 *      units       . . . . t s h i r t . s n o w       two chunks: 2 tokens, 1 token
 *      starts      4 5 11
 *      ends        5 10 15
 *      firstTokens  0 2 3
 */
export class Tokenizer {
  units = new Uint16Array(1 << 10);
  /** By token. */
  starts = new Uint32Array(1 << 8);
  ends = new Uint32Array(1 << 8);
  /** By chunk: its first token, with one entry more than there are chunks; and its `flags`. */
  firstTokens = new Uint32Array(1 << 8);
  flags = new Uint8Array(1 << 8);
  tokens = 0;
  chunks = 0;
  /** The text as it came; `#bytes` is the same memory. */
  readonly #folding = new UnitFolding();
  #raw = new Uint16Array(1 << 10);
  #bytes = Buffer.from(this.#raw.buffer);

  constructor() {
    this.#write(inch, 0);
  }

  /** Reads a text, and replaces what was read before. */
  read(text: string): void {
    this.tokens = 0;
    this.chunks = 0;
    const end = this.#fold(text);
    if (end < 0) this.#tokenizeWhole(text);
    else this.#tokenizeFolded(end);
  }

  /** Puts the folded text behind the units of `inch`. @returns where it ends; -1: the text must be folded as a whole */
  #fold(text: string): number {
    const { length } = text;
    this.#makeRoom(textStart + length);
    this.#copy(text);
    const raw = this.#raw;
    const table = this.#folding.folded;
    let units = this.units;
    let end = textStart;
    for (let index = 0; index < length; index += 1) {
      const unit = raw[index] as number;
      const folded = table[unit] as number;
      if (folded > several) {
        units[end] = folded;
        end += 1;
      } else if (folded === inContext) return -1;
      else {
        const more = this.#folding.severalOf(unit);
        if (more === undefined) return -1;
        this.#makeRoom(end + more.length + length - index);
        units = this.units;
        end = this.#write(more, end);
      }
    }
    // Two units are looked at beyond the end; those of an earlier text must not be there.
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
    // One call copies long texts quicker; a loop, short ones.
    if (length > shortText) this.#bytes.write(text, 0, "utf16le");
    else for (let index = 0; index < length; index += 1) this.#raw[index] = text.charCodeAt(index);
  }

  #tokenizeFolded(end: number): void {
    const { units } = this;
    let isBreak = false;
    let hasDigit = false;
    let from = textStart;
    // Tokens are moved together in place: the write position is never beyond the read position.
    let to = from;
    let tokenStart = from;
    for (let at = from; at <= end; at += 1) {
      const unit = units[at] as number;
      const kind = at === end ? whiteSpace : (foldedKinds[unit] as number);
      if (kind >= letter) {
        if (to - tokenStart === maxTermLength) continue;
        if (kind === digit) hasDigit = true;
        units[to] = unit;
        to += 1;
        continue;
      }
      const after = units[at + 1] as number;
      const isJoined = kind === joiner || isDecimalComma(units[at - 1] as number, unit, after);
      if (to > tokenStart && !(isJoined && isSilentApostrophe(unit, after, units[at + 2] as number))) {
        this.#addToken(tokenStart, to);
        tokenStart = to;
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
      tokenStart = from;
      if (isInchMark(units[at - 1] as number, unit, after)) {
        this.#addToken(0, inch.length);
        this.#endChunk(0);
      } else if (kind !== whiteSpace) isBreak = true;
    }
  }

  #tokenizeWhole(text: string): void {
    let end = textStart;
    for (const chunk of chunks(text)) {
      let flags = chunk[0]?.isAfterBreak === true ? afterBreak : 0;
      for (const token of chunk) {
        const start = end;
        this.#makeRoom(start + token.text.length);
        end = this.#write(token.text, start);
        this.#addToken(start, end);
        flags |= (token.isGram ? ofGrams : 0) | (/\p{N}/u.test(token.text) ? withDigit : 0);
      }
      this.#endChunk(flags);
    }
  }

  #addToken(start: number, end: number): void {
    if (this.tokens === this.ends.length) {
      this.starts = widened(this.starts);
      this.ends = widened(this.ends);
    }
    this.starts[this.tokens] = start;
    this.ends[this.tokens] = end;
    this.tokens += 1;
  }

  #endChunk(flags: number): void {
    if (this.chunks + 1 === this.firstTokens.length) {
      this.firstTokens = widened(this.firstTokens);
      this.flags = widened(this.flags);
    }
    this.flags[this.chunks] = flags;
    this.chunks += 1;
    this.firstTokens[this.chunks] = this.tokens;
  }

  /** @returns where the text ends */
  #write(text: string, at: number): number {
    for (let index = 0; index < text.length; index += 1) this.units[at + index] = text.charCodeAt(index);
    return at + text.length;
  }

  #makeRoom(end: number): void {
    // Two units are looked at beyond the end.
    while (end + 2 > this.units.length) this.units = widened(this.units);
  }
}

const shortText = 16;

/** Flags of a chunk. Its tokens are grams; it has no form as one term: */
export const ofGrams = 1;
export const withDigit = 2;
/** A comma, bracket, dash or the like stands before it. */
export const afterBreak = 4;

/** The token for an inch mark behind a number. It lies ready at the start of the units, since it is longer than the mark. */
const inch = "inch";
const textStart = inch.length;
