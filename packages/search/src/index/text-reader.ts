import { isDigit, maxJoinedTokens, maxTermLength } from "../analysis/chunks.ts";
import { isPhraseBreak, isPurpose } from "../analysis/particles.ts";
import { QuantityReader } from "../analysis/quantities.ts";
import { isIndexedTogether } from "../analysis/shingles.ts";
import { afterBreakFlag, digitFlag, gramChunkFlag, type Tokenizer } from "../analysis/tokenizer.ts";
import { isMeasureWord } from "../analysis/units.ts";
import { doubleCapacity } from "../arrays/shared-arrays.ts";
import type { Field } from "../schema.ts";
import { type TermTable, textOfUnits } from "../terms/term-table.ts";

/** In a place: the term is in the purpose that a title states. */
export const inPurpose = 1;
/** In a place: the term ends a phrase of the title. */
export const atPhraseEnd = 2;
/** In a place: lowest bit of the position, in words from the start of the text. */
export const positionShift = 2;

/** Converts texts of fields to terms: their words, joined words and quantities. */
export class TextReader {
  /** Result of the last `read`, in order: numbers of terms, and the place of each. */
  terms = new Uint32Array(1 << 8);
  places = new Uint32Array(1 << 8);
  count = 0;
  /** How long the text is, in words. */
  length = 0;
  /** By token of the text: its term. */
  ofTokens = new Uint32Array(1 << 8);
  readonly tokenizer: Tokenizer;
  readonly #table: TermTable;
  readonly #quantities: QuantityReader;
  /** The text has numbers, and `#quantities` read it. */
  #isMeasured = false;
  /** The first quantity that is not added yet. */
  #nextQuantity = 0;
  /** The token behind the quantities that are. */
  #quantityEnd = 0;
  /** By term: its `roles`; 0: not known yet. */
  #roles = new Uint8Array(1 << 11);
  /** By term: text of a word with a meaning next to a number. */
  readonly #measureWords = new Map<number, string>();
  /** The last word of the previous chunk, in the tokenizer's units; equal if it is missing. */
  #beforeFrom = 0;
  #beforeTo = 0;
  /** Scratch for two words in one. */
  readonly #joined = new Uint16Array(maxTermLength * 2);
  /** `inPurpose` inside the purpose of a title. */
  #purpose = 0;
  /** The last word of the title so far, as an index in `terms`; -1: none, or one of the purpose. */
  #lastWord = -1;

  /** @param tokenizer may be shared by readers of one thread  @param table receives new terms */
  constructor(tokenizer: Tokenizer, table: TermTable) {
    this.tokenizer = tokenizer;
    this.#table = table;
    this.#quantities = new QuantityReader(tokenizer, (token) => this.#measureWordAt(token), false);
  }

  /** Parses a text, replacing the previous one.  @param isFirst whether it is the first text of the document */
  read(text: string, kind: Field["kind"], isFirst: boolean): void {
    const { tokenizer } = this;
    this.count = 0;
    this.length = 0;
    this.#beforeTo = this.#beforeFrom;
    this.#nextQuantity = 0;
    this.#quantityEnd = 0;
    tokenizer.read(text);
    while (tokenizer.tokens > this.ofTokens.length) this.ofTokens = doubleCapacity(this.ofTokens);
    this.#table.addAll(tokenizer.units, tokenizer.starts, tokenizer.ends, tokenizer.tokens, this.ofTokens);
    // The numbers of a code are not quantities.
    this.#isMeasured = tokenizer.numberCount > 0 && kind !== "code";
    if (this.#isMeasured && kind === "body") this.#quantities.readNumbers();
    else if (this.#isMeasured) this.#quantities.read();
    if (kind === "title") this.#readTitle(isFirst);
    else if (kind === "body") this.#readBody();
    else for (let chunk = 0; chunk < tokenizer.chunks; chunk += 1) this.#readChunk(chunk);
    // After all words, so that it does not separate words.
    for (const emoji of tokenizer.emoji) this.#add(this.#table.addText(emoji), this.length);
  }

  /** The tokens of a body are only in `ofTokens`; places of its terms have no meaning. */
  #readBody(): void {
    const { chunks, tokens, firstTokens, flags } = this.tokenizer;
    this.length = tokens;
    if (tokens === chunks) return;
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      const first = firstTokens[chunk] as number;
      const count = (firstTokens[chunk + 1] as number) - first;
      if (count === 1 || count > maxJoinedTokens || ((flags[chunk] as number) & gramChunkFlag) > 0) continue;
      this.#joinChunk(first, first + count - 1, ((flags[chunk] as number) & digitFlag) > 0);
    }
  }

  #readTitle(isFirst: boolean): void {
    const { chunks, firstTokens } = this.tokenizer;
    this.#purpose = 0;
    this.#lastWord = -1;
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      const first = firstTokens[chunk] as number;
      this.#beginPhrase(chunk, isFirst && chunk === 0);
      const lastWord = this.count + (firstTokens[chunk + 1] as number) - first - 1;
      this.#lastWord = this.#purpose > 0 || this.#isInQuantity(first) ? -1 : lastWord;
      this.#readChunk(chunk);
    }
    this.#endPhrase();
    this.#purpose = 0;
  }

  #readChunk(chunk: number): void {
    const { starts, ends, firstTokens, flags } = this.tokenizer;
    const first = firstTokens[chunk] as number;
    const end = firstTokens[chunk + 1] as number;
    const tokens = end - first;
    const last = end - 1;
    this.#makeRoom(tokens);
    for (let token = first; token < end; token += 1)
      this.#push(this.ofTokens[token] as number, this.length + token - first);
    const isGrams = ((flags[chunk] as number) & gramChunkFlag) > 0;
    const hasDigit = ((flags[chunk] as number) & digitFlag) > 0;
    if (!isGrams) {
      if (this.#beforeTo > this.#beforeFrom) this.#joinWithBefore(first);
      if (tokens > 1 && tokens <= maxJoinedTokens) this.#joinChunk(first, last, hasDigit);
      if (hasDigit && this.#isMeasured) this.#addQuantities(first, end);
    }
    this.#beforeFrom = starts[last] as number;
    this.#beforeTo = isGrams ? this.#beforeFrom : (ends[last] as number);
    this.length += tokens;
  }

  /** Records where a phrase of the title ends, and where the purpose starts. */
  #beginPhrase(chunk: number, isFirst: boolean): void {
    const { units, starts, firstTokens, flags } = this.tokenizer;
    const first = firstTokens[chunk] as number;
    const isAfterBreak = ((flags[chunk] as number) & afterBreakFlag) > 0;
    const role = firstTokens[chunk + 1] === first + 1 ? this.#rolesOf(first) : 0;
    if (isAfterBreak || isDigit(units[starts[first] as number] as number) || (role & roles.phraseBreak) > 0)
      this.#endPhrase();
    if (isAfterBreak) this.#purpose = 0;
    else if (!isFirst && (role & roles.purpose) > 0) this.#purpose = inPurpose;
  }

  #endPhrase(): void {
    if (this.#lastWord >= 0) this.places[this.#lastWord] = (this.places[this.#lastWord] as number) | atPhraseEnd;
  }

  /** Adds a chunk of several tokens as a single term, and its suffixes if it has digits. */
  #joinChunk(first: number, last: number, hasDigit: boolean): void {
    const from = hasDigit && this.#isMeasured ? this.#firstJoined(first, last) : first;
    if (from === first) this.#addJoined(first, last, 0);
    for (let token = Math.max(from, first + 1); hasDigit && token < last; token += 1)
      this.#addJoined(token, last, token - first);
  }

  /** Adds tokens of a chunk as a single term.  @param offset position of the first in the chunk */
  #addJoined(first: number, last: number, offset: number): void {
    const { units, starts, ends } = this.tokenizer;
    const from = starts[first] as number;
    const to = Math.min(ends[last] as number, from + maxTermLength);
    this.#add(this.#table.add(units, from, to), this.length + offset);
  }

  /**
   * Adds two neighbors as a single term: `t shirt` as `tshirt`, `27 inch` as `27inch`.
   * @param token the first of the chunk
   */
  #joinWithBefore(token: number): void {
    const { units, starts, ends } = this.tokenizer;
    const from = starts[token] as number;
    const before = this.#beforeTo - this.#beforeFrom;
    const after = (ends[token] as number) - from;
    if (!isIndexedTogether(units, this.#beforeFrom, before, from, after)) return;
    const length = Math.min(before + after, maxTermLength);
    const joined = this.#joined;
    for (let index = 0; index < before; index += 1) joined[index] = units[this.#beforeFrom + index] as number;
    for (let index = before; index < length; index += 1) joined[index] = units[from + index - before] as number;
    this.#add(this.#table.add(joined, 0, length), this.length - 1);
  }

  /** First token from which a chunk is also indexed as a single term: after the last number of several tokens. */
  #firstJoined(first: number, last: number): number {
    for (let token = last; token > first; token -= 1) if (this.#quantities.isContinuation(token)) return token + 1;
    return first;
  }

  /** Returns whether a token is part of a quantity, which does not name the product. */
  #isInQuantity(token: number): boolean {
    if (!this.#isMeasured) return false;
    return token < this.#quantityEnd || this.#quantities.quantities[this.#nextQuantity]?.from === token;
  }

  /** Adds the quantities that begin in tokens `first` up to, not including, `end`. */
  #addQuantities(first: number, end: number): void {
    const { quantities: found } = this.#quantities;
    for (; this.#nextQuantity < found.length; this.#nextQuantity += 1) {
      const { term, from, to } = found[this.#nextQuantity] as (typeof found)[number];
      if (from >= end) return;
      this.#quantityEnd = Math.max(this.#quantityEnd, to);
      this.#add(this.#table.addText(term), this.length + from - first);
    }
  }

  #measureWordAt(token: number): string {
    if ((this.#rolesOf(token) & roles.measure) === 0) return "";
    return this.#measureWords.get(this.ofTokens[token] as number) ?? "";
  }

  #rolesOf(token: number): number {
    const term = this.ofTokens[token] as number;
    while (term >= this.#roles.length) this.#roles = doubleCapacity(this.#roles);
    const known = this.#roles[term] as number;
    if (known > 0) return known;
    const { units, starts, ends } = this.tokenizer;
    const from = starts[token] as number;
    const to = ends[token] as number;
    let found: number = roles.known;
    // Most tokens that end in a digit are met once: they are not looked up, unless they may be "m2".
    if (!isDigit(units[to - 1] as number) || (to - from <= 3 && !isDigit(units[from] as number))) {
      const text = textOfUnits(units, from, to);
      if (isPhraseBreak(text)) found |= roles.phraseBreak;
      if (isPurpose(text)) found |= roles.purpose;
      if (isMeasureWord(text)) {
        found |= roles.measure;
        this.#measureWords.set(term, text);
      }
    }
    this.#roles[term] = found;
    return found;
  }

  #add(term: number, position: number): void {
    this.#makeRoom(1);
    this.#push(term, position);
  }

  #push(term: number, position: number): void {
    this.terms[this.count] = term;
    this.places[this.count] = (position << positionShift) | this.#purpose;
    this.count += 1;
  }

  #makeRoom(count: number): void {
    while (this.count + count > this.terms.length) {
      this.terms = doubleCapacity(this.terms);
      this.places = doubleCapacity(this.places);
    }
  }
}

/** Roles of a word in titles and quantities, as bits. */
const roles = { known: 1, phraseBreak: 2, purpose: 4, measure: 8 } as const;
