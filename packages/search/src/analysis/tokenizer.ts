import { doubleCapacity } from "../arrays/shared-arrays.ts";
import { writableBytes } from "../arrays/utf16.ts";
import { characterClass, characterClasses, gapWith } from "./character-classes.ts";
import { chunks, footToken, inchToken, isDigit, maxTermLength } from "./chunks.ts";
import { emojiTerms } from "./emoji.ts";
import { inContext, several, UnitFolding } from "./folded-units.ts";

/**
 * Splits texts into chunks and tokens like `chunks`, without creating a string for each word. The units of the tokens
 * are adjacent, so that a chunk's form as one term is adjacent too:
 *
 *     units       . . . . t s h i r t . s n o w       two chunks: 2 tokens, 1 token
 *     starts      4 5 11
 *     ends        5 10 15
 *     firstTokens  0 2 3
 */
export class Tokenizer {
  units = new Uint16Array(1 << 10);
  /** By token. */
  starts = new Uint32Array(1 << 8);
  ends = new Uint32Array(1 << 8);
  /** By token: characters before it (see `gapBits`); one additional entry for those after the last. */
  gaps = new Uint16Array(1 << 8);
  /** By chunk: its first token, with one entry more than there are chunks; and its `flags`. */
  firstTokens = new Uint32Array(1 << 8);
  flags = new Uint8Array(1 << 8);
  /** Tokens that begin with a digit. */
  numbers = new Uint32Array(1 << 8);
  tokens = 0;
  chunks = 0;
  numberCount = 0;
  /** Emoji of the text, as terms. They are not tokens: the words around them are neighbors. */
  emoji: readonly string[] = noEmoji;
  /** The original text; `#bytes` is the same memory. */
  readonly #folding = new UnitFolding();
  #raw = new Uint16Array(1 << 10);
  #bytes = writableBytes(this.#raw);

  constructor() {
    this.#write(marks, 0);
  }

  /** Parses a text, replacing the previous one. */
  read(text: string): void {
    this.tokens = 0;
    this.chunks = 0;
    this.numberCount = 0;
    this.emoji = noEmoji;
    const end = this.#fold(text);
    if (end < 0) this.#tokenizeWhole(text);
    else this.#tokenizeFolded(end);
  }

  /** Writes the folded text after the units of `marks`.  @returns its end; -1 if the text must be folded as a whole */
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
    // The tokenizer reads units after the end, which may be from a longer text before.
    for (let index = end; index < end + lookahead; index += 1) units[index] = 0;
    return end;
  }

  #copy(text: string): void {
    const { length } = text;
    if (length > this.#raw.length) {
      this.#raw = new Uint16Array(length * 2);
      this.#bytes = writableBytes(this.#raw);
    }
    // One call is faster for long texts, and a loop for short ones.
    const bytes = length > shortText ? this.#bytes : undefined;
    if (bytes !== undefined) bytes.write(text, 0, "utf16le");
    else for (let index = 0; index < length; index += 1) this.#raw[index] = text.charCodeAt(index);
  }

  #tokenizeFolded(end: number): void {
    const { units } = this;
    let isBreak = false;
    let hasDigit = false;
    let gap = 0;
    let from = textStart;
    // Tokens are moved together in place: the write position is never beyond the read position.
    let to = from;
    let tokenStart = from;
    for (let at = from; at <= end; at += 1) {
      const unit = units[at] as number;
      const kind = at === end ? blank : (characterClasses[unit] as number);
      if (kind >= letter) {
        if (to - tokenStart === maxTermLength) continue;
        if (kind === digit) hasDigit = true;
        units[to] = unit;
        to += 1;
        continue;
      }
      const isSilent = kind === apostrophe && isSilentApostrophe(units, at);
      const markLength = to > tokenStart && !isSilent && isMark(kind) ? markLengthAt(units, tokenStart, to, at) : 0;
      const isJoined = markLength === 0 && (kind >= point || (kind === comma && isDecimalComma(units, at)));
      if (to > tokenStart && !(isJoined && isSilent)) {
        this.#addToken(tokenStart, to, gap);
        gap = 0;
        tokenStart = to;
      } else if (to > tokenStart) continue;
      if (isJoined) {
        if (to === from) isBreak = true;
        gap = gapWith(gap, kind);
        continue;
      }
      if (to > from) {
        this.#endChunk((hasDigit ? withDigit : 0) | (isBreak ? afterBreak : 0));
        isBreak = false;
        hasDigit = false;
      }
      if (markLength > 0) {
        const isInch = markLength > 1 || kind === inchMark;
        this.#addToken(isInch ? 0 : inchToken.length, isInch ? inchToken.length : marks.length, 0);
        this.#endChunk(0);
        at += markLength - 1;
      } else {
        if (kind !== blank) isBreak = true;
        if (at < end) gap = gapWith(gap, kind);
      }
      from = at + 1;
      to = from;
      tokenStart = from;
    }
    this.gaps[this.tokens] = gap;
  }

  #tokenizeWhole(text: string): void {
    let end = textStart;
    this.gaps[0] = 0;
    this.emoji = emojiTerms(text);
    for (const chunk of chunks(text)) {
      let flags = chunk[0]?.isAfterBreak === true ? afterBreak : 0;
      for (const token of chunk) {
        const start = end;
        this.#makeRoom(start + token.text.length);
        end = this.#write(token.text, start);
        this.#addToken(start, end, token.before);
        this.gaps[this.tokens] = token.after;
        flags |= (token.isGram ? ofGrams : 0) | (/\p{N}/u.test(token.text) ? withDigit : 0);
      }
      this.#endChunk(flags);
    }
  }

  #addToken(start: number, end: number, gap: number): void {
    if (this.tokens + 1 === this.ends.length) {
      this.starts = doubleCapacity(this.starts);
      this.ends = doubleCapacity(this.ends);
      this.gaps = doubleCapacity(this.gaps);
      this.numbers = doubleCapacity(this.numbers);
    }
    this.starts[this.tokens] = start;
    this.ends[this.tokens] = end;
    this.gaps[this.tokens] = gap;
    if (isDigit(this.units[start] as number)) {
      this.numbers[this.numberCount] = this.tokens;
      this.numberCount += 1;
    }
    this.tokens += 1;
  }

  #endChunk(flags: number): void {
    if (this.chunks + 1 === this.firstTokens.length) {
      this.firstTokens = doubleCapacity(this.firstTokens);
      this.flags = doubleCapacity(this.flags);
    }
    this.flags[this.chunks] = flags;
    this.chunks += 1;
    this.firstTokens[this.chunks] = this.tokens;
  }

  /** @returns the end of the text */
  #write(text: string, at: number): number {
    for (let index = 0; index < text.length; index += 1) this.units[at + index] = text.charCodeAt(index);
    return at + text.length;
  }

  #makeRoom(end: number): void {
    while (end + lookahead > this.units.length) this.units = doubleCapacity(this.units);
  }
}

const shortText = 16;
const noEmoji: readonly string[] = Object.freeze([]);

/** Flags of a chunk. Its tokens are grams; it has no joined form: */
export const ofGrams = 1;
export const withDigit = 2;
/** A comma, bracket, dash or similar precedes it. */
export const afterBreak = 4;

const { blank, comma, inchMark, prime, point, apostrophe, letter, digit } = characterClass;

/** Tokens for marks after a number. They are stored at the start of the units, since they are longer than the marks. */
const marks = `${inchToken}${footToken}`;
const textStart = marks.length;
/** Maximum units read beyond the end. */
const lookahead = 4;

// The conditions of chunks.ts, on units.
// @param at index of the character

function isDecimalComma(units: Uint16Array, at: number): boolean {
  return isDigit(units[at - 1] as number) && isDigit(units[at + 1] as number);
}

function isSilentApostrophe(units: Uint16Array, at: number): boolean {
  const after = units[at + 1] as number;
  return (after === 0x73 || after === 0x74) && !isLetterOrNumber(units[at + 2] as number);
}

function isMark(kind: number): boolean {
  return kind === apostrophe || kind === inchMark || kind === prime;
}

/**
 * Returns the number of characters that mean inch or foot after a token, which is `start` to `end` (exclusive); 0 for
 * none. One inch mark or two other marks are inches, one other mark is feet.
 */
function markLengthAt(units: Uint16Array, start: number, end: number, at: number): number {
  if (!endsInNumber(units, start, end)) return 0;
  const kind = characterClasses[units[at] as number] as number;
  const next = units[at + 1] as number;
  if (kind === inchMark) return isDigit(next) ? 0 : 1;
  if (characterClasses[next] === kind && !isDigit(units[at + 2] as number)) return 2;
  if (next === 0x78 && isDigit(units[at + 2] as number)) return 1;
  let behind = at + 1;
  while (behind < at + 3 && isDigit(units[behind] as number)) behind += 1;
  return isLetterOrNumber(units[behind] as number) ? 0 : 1;
}

function endsInNumber(units: Uint16Array, start: number, end: number): boolean {
  let from = end;
  while (from > start && isDigit(units[from - 1] as number)) from -= 1;
  if (from === end) return false;
  if (from === start) return true;
  if (units[from - 1] !== 0x78) return false;
  return from - 1 === start || isDigit(units[from - 2] as number);
}

function isLetterOrNumber(unit: number): boolean {
  return (characterClasses[unit] as number) >= letter;
}
