import { isDigit, maxJoinedTokens, maxTermLength } from "../analysis/chunks.ts";
import { introducesAddition, introducesPurpose, isPhraseBreak, startsWithNoun } from "../analysis/particles.ts";
import { QuantityReader } from "../analysis/quantities.ts";
import { isIndexedAsShingle } from "../analysis/shingles.ts";
import { afterSeparatorFlag, digitFlag, gramFlag, type Tokenizer } from "../analysis/tokenizer.ts";
import { isMeasureWord } from "../analysis/units.ts";
import { growArray } from "../arrays/shared-arrays.ts";
import type { Field } from "../schema.ts";
import { decodeText, type TermTable } from "../terms/term-table.ts";

/** Bit of a packed position: the term is in the purpose that a title states, such as "iphone" in "case for iPhone". */
export const purposeWordFlag = 1;
/** Bit of a packed position: the term is the last word of a phrase of the title, or its first (`startsWithNoun`). */
export const phraseEndFlag = 2;
/** Number of flag bits below the position in a packed position, which counts words from the start of the text. */
export const positionShift = 2;

/** Converts texts of fields to terms: words, joined words and quantities. */
export class TextReader {
  /** Term numbers of the text that was read last, in order. */
  terms = new Uint32Array(1 << 8);
  packedPositions = new Uint32Array(1 << 8);
  count = 0;
  /** Length of the text in words. */
  length = 0;
  /** Term of each token of the text. */
  termsByToken = new Uint32Array(1 << 8);
  readonly tokenizer: Tokenizer;
  readonly #termTable: TermTable;
  readonly #locale: string;
  readonly #quantities: QuantityReader;
  /** Whether the text contains numbers that may be part of quantities. */
  #hasQuantities = false;
  /** Index of the next quantity of the text to add to `terms`. */
  #quantityIndex = 0;
  /** Index of the token after the last quantity in `terms`. */
  #lastQuantityEnd = 0;
  /** Role bits of each term (see `wordRoles`); 0 if not computed yet. */
  #rolesByTerm = new Uint8Array(1 << 11);
  /** Texts of the words that have a meaning next to a number, such as "kg" or "pack", by term number. */
  readonly #quantityWords = new Map<number, string>();
  /**
   * Start and end of the last word before the current chunk (characters without a space), in UTF-16 units. They are
   * equal if there is no such word.
   */
  #previousWordStart = 0;
  #previousWordEnd = 0;
  /** Scratch memory for two joined words. */
  readonly #joinedCodeUnits = new Uint16Array(maxTermLength * 2);
  /** `purposeWordFlag` while the words of the title state its purpose, for example after "for"; otherwise 0. */
  #activePurposeFlag = 0;
  /** Whether the words of the title state an addition, for example after "with". */
  #isInAddition = false;
  /**
   * Index in `terms` of the last word of the title that was read; -1 if there is none, or if that word belongs to a
   * quantity, to the purpose ("for iPhone"), or to an addition ("with lid").
   */
  #lastWordIndex = -1;

  /**
   * @param tokenizer tokenizer, which other readers of the thread may share
   * @param table table to which new terms are added
   * @param locale language of the texts
   */
  constructor(tokenizer: Tokenizer, table: TermTable, locale: string) {
    this.tokenizer = tokenizer;
    this.#termTable = table;
    this.#locale = locale;
    this.#quantities = new QuantityReader(tokenizer, (token) => this.#getQuantityWord(token), false);
  }

  /** Parses a text, replacing the previous one.  @param startsDocument whether it is the first text of the document */
  read(text: string, kind: Field["kind"], startsDocument: boolean): void {
    const { tokenizer } = this;
    this.count = 0;
    this.length = 0;
    this.#previousWordEnd = this.#previousWordStart;
    this.#quantityIndex = 0;
    this.#lastQuantityEnd = 0;
    tokenizer.read(text);
    while (tokenizer.tokenCount > this.termsByToken.length) this.termsByToken = growArray(this.termsByToken);
    this.#termTable.addAll(tokenizer.units, tokenizer.starts, tokenizer.ends, tokenizer.tokenCount, this.termsByToken);
    // The numbers of a code, such as an SKU, are not quantities.
    this.#hasQuantities = tokenizer.numberCount > 0 && kind !== "code";
    if (this.#hasQuantities && kind === "body") this.#quantities.readNumbers();
    else if (this.#hasQuantities) this.#quantities.read();
    if (kind === "title") this.#readTitle(startsDocument);
    else if (kind === "body") this.#readBody();
    else for (let chunk = 0; chunk < tokenizer.chunkCount; chunk += 1) this.#readChunk(chunk);
    // Emoji are added after all words, so that they do not separate words.
    for (const emoji of tokenizer.emoji) this.#add(this.#termTable.addText(emoji), this.length);
  }

  /**
   * Parses a body. The words are only stored in `termsByToken`. `terms` contains only joined words, and their positions
   * have no meaning.
   */
  #readBody(): void {
    const { chunkCount, tokenCount, chunkStartTokens, chunkFlags: flagsByChunk } = this.tokenizer;
    this.length = tokenCount;
    if (tokenCount === chunkCount) return;
    for (let chunk = 0; chunk < chunkCount; chunk += 1) {
      const firstToken = chunkStartTokens[chunk] as number;
      const count = (chunkStartTokens[chunk + 1] as number) - firstToken;
      if (count === 1 || count > maxJoinedTokens || ((flagsByChunk[chunk] as number) & gramFlag) > 0) continue;
      this.#joinChunk(firstToken, firstToken + count - 1, ((flagsByChunk[chunk] as number) & digitFlag) > 0);
    }
  }

  #readTitle(startsDocument: boolean): void {
    const { chunkCount, chunkStartTokens } = this.tokenizer;
    this.#activePurposeFlag = 0;
    this.#isInAddition = false;
    this.#lastWordIndex = -1;
    for (let chunk = 0; chunk < chunkCount; chunk += 1) {
      const firstToken = chunkStartTokens[chunk] as number;
      this.#beginPhrase(chunk, startsDocument && chunk === 0);
      const lastWordIndex = this.count + (chunkStartTokens[chunk + 1] as number) - firstToken - 1;
      const isOutsideName = this.#activePurposeFlag > 0 || this.#isInAddition || this.#isTokenInQuantity(firstToken);
      this.#lastWordIndex = isOutsideName ? -1 : lastWordIndex;
      this.#readChunk(chunk);
      if (chunk === 0 && startsWithNoun(this.#locale)) this.#endPhrase();
    }
    this.#endPhrase();
    this.#activePurposeFlag = 0;
  }

  #readChunk(chunk: number): void {
    const { starts, ends, chunkStartTokens, chunkFlags: flagsByChunk } = this.tokenizer;
    const firstToken = chunkStartTokens[chunk] as number;
    const end = chunkStartTokens[chunk + 1] as number;
    const tokenCount = end - firstToken;
    const lastToken = end - 1;
    this.#ensureCapacity(tokenCount);
    for (let token = firstToken; token < end; token += 1)
      this.#push(this.termsByToken[token] as number, this.length + token - firstToken);
    const hasGrams = ((flagsByChunk[chunk] as number) & gramFlag) > 0;
    const hasDigit = ((flagsByChunk[chunk] as number) & digitFlag) > 0;
    if (!hasGrams) {
      if (this.#previousWordEnd > this.#previousWordStart) this.#joinWithPreviousWord(firstToken);
      if (tokenCount > 1 && tokenCount <= maxJoinedTokens) this.#joinChunk(firstToken, lastToken, hasDigit);
      if (hasDigit && this.#hasQuantities) this.#addQuantities(firstToken, end);
    }
    this.#previousWordStart = starts[lastToken] as number;
    this.#previousWordEnd = hasGrams ? this.#previousWordStart : (ends[lastToken] as number);
    this.length += tokenCount;
  }

  /**
   * Ends the current phrase of the title if the chunk (characters without a space) starts a new one. Records whether
   * the chunk belongs to the purpose that the title states ("for iPhone"), or to an addition ("with lid").
   */
  #beginPhrase(chunk: number, isFirstPhrase: boolean): void {
    const { units, starts, chunkStartTokens, chunkFlags: flagsByChunk } = this.tokenizer;
    const firstToken = chunkStartTokens[chunk] as number;
    const isAfterSeparator = ((flagsByChunk[chunk] as number) & afterSeparatorFlag) > 0;
    const startsWithDigit = isDigit(units[starts[firstToken] as number] as number);
    const wordRoleBits = chunkStartTokens[chunk + 1] === firstToken + 1 ? this.#getRoles(firstToken) : 0;
    const breaksPhrase = isAfterSeparator || startsWithDigit || (wordRoleBits & wordRoles.phraseBreak) > 0;
    if (breaksPhrase || this.#isModelCode(chunk)) this.#endPhrase();
    if (isAfterSeparator) this.#activePurposeFlag = 0;
    else if (!isFirstPhrase && (wordRoleBits & wordRoles.purpose) > 0) this.#activePurposeFlag = purposeWordFlag;
    if (!isFirstPhrase && (wordRoleBits & wordRoles.addition) > 0) this.#isInAddition = true;
    else if (isAfterSeparator || startsWithDigit) this.#isInAddition = false;
  }

  /** Returns whether a chunk is the code of a model, such as "HR2094/00". It follows the word that names the product. */
  #isModelCode(chunk: number): boolean {
    const { units, starts, ends, chunkStartTokens, chunkFlags: flagsByChunk } = this.tokenizer;
    if (((flagsByChunk[chunk] as number) & digitFlag) === 0) return false;
    const end = ends[(chunkStartTokens[chunk + 1] as number) - 1] as number;
    let digitCount = 0;
    for (let index = starts[chunkStartTokens[chunk] as number] as number; index < end; index += 1)
      if (isDigit(units[index] as number)) digitCount += 1;
    return digitCount >= minModelCodeDigits;
  }

  #endPhrase(): void {
    if (this.#lastWordIndex >= 0)
      this.packedPositions[this.#lastWordIndex] = (this.packedPositions[this.#lastWordIndex] as number) | phraseEndFlag;
  }

  /**
   * Adds the tokens of a chunk (characters without a space) as a single term. If the chunk contains digits, also adds
   * the parts of the chunk that start at a later token: `070760` for `NOR.0707-60`.
   */
  #joinChunk(firstToken: number, lastToken: number, hasDigit: boolean): void {
    const from = hasDigit && this.#hasQuantities ? this.#findFirstJoinedToken(firstToken, lastToken) : firstToken;
    if (from === firstToken) this.#addJoinedTokens(firstToken, lastToken, 0);
    for (let token = Math.max(from, firstToken + 1); hasDigit && token < lastToken; token += 1)
      this.#addJoinedTokens(token, lastToken, token - firstToken);
  }

  /** Adds several tokens of a chunk as a single term.  @param offset position of the first token in the chunk */
  #addJoinedTokens(firstToken: number, lastToken: number, offset: number): void {
    const { units, starts, ends } = this.tokenizer;
    const from = starts[firstToken] as number;
    const end = Math.min(ends[lastToken] as number, from + maxTermLength);
    this.#add(this.#termTable.add(units, from, end), this.length + offset);
  }

  /**
   * Adds a token and the word before it as a single term: `t shirt` as `tshirt`, `27 inch` as `27inch`.
   * @param token first token of its chunk
   */
  #joinWithPreviousWord(token: number): void {
    const { units, starts, ends } = this.tokenizer;
    const from = starts[token] as number;
    const previousLength = this.#previousWordEnd - this.#previousWordStart;
    const nextLength = (ends[token] as number) - from;
    if (!isIndexedAsShingle(units, this.#previousWordStart, previousLength, from, nextLength)) return;
    const length = Math.min(previousLength + nextLength, maxTermLength);
    const joinedUnits = this.#joinedCodeUnits;
    for (let index = 0; index < previousLength; index += 1)
      joinedUnits[index] = units[this.#previousWordStart + index] as number;
    for (let index = previousLength; index < length; index += 1)
      joinedUnits[index] = units[from + index - previousLength] as number;
    this.#add(this.#termTable.add(joinedUnits, 0, length), this.length - 1);
  }

  /**
   * Returns the first token of a chunk that may be joined with the tokens after it. If the chunk contains a number of
   * several tokens, such as "1.5", returns the token after the last such number.
   */
  #findFirstJoinedToken(firstToken: number, lastToken: number): number {
    for (let token = lastToken; token > firstToken; token -= 1)
      if (this.#quantities.isContinuation(token)) return token + 1;
    return firstToken;
  }

  /** Returns whether a token is part of a quantity, such as "5 kg", and therefore not the name of a product. */
  #isTokenInQuantity(token: number): boolean {
    if (!this.#hasQuantities) return false;
    return token < this.#lastQuantityEnd || this.#quantities.quantities[this.#quantityIndex]?.from === token;
  }

  /** Adds the quantities that begin at a token from `firstToken` to `end` (exclusive). */
  #addQuantities(firstToken: number, end: number): void {
    const { quantities } = this.#quantities;
    for (; this.#quantityIndex < quantities.length; this.#quantityIndex += 1) {
      const { term, from, to } = quantities[this.#quantityIndex] as (typeof quantities)[number];
      if (from >= end) return;
      this.#lastQuantityEnd = Math.max(this.#lastQuantityEnd, to);
      this.#add(this.#termTable.addText(term), this.length + from - firstToken);
    }
  }

  #getQuantityWord(token: number): string {
    if ((this.#getRoles(token) & wordRoles.measure) === 0) return "";
    return this.#quantityWords.get(this.termsByToken[token] as number) ?? "";
  }

  #getRoles(token: number): number {
    const term = this.termsByToken[token] as number;
    while (term >= this.#rolesByTerm.length) this.#rolesByTerm = growArray(this.#rolesByTerm);
    const cachedRoles = this.#rolesByTerm[term] as number;
    if (cachedRoles > 0) return cachedRoles;
    const { units, starts, ends } = this.tokenizer;
    const from = starts[token] as number;
    const end = ends[token] as number;
    let wordRoleBits: number = wordRoles.known;
    // Most tokens that end in a digit occur once, so they are not looked up unless they may be a unit like "m2".
    if (!isDigit(units[end - 1] as number) || (end - from <= 3 && !isDigit(units[from] as number))) {
      const text = decodeText(units, from, end);
      if (isPhraseBreak(text, this.#locale)) wordRoleBits |= wordRoles.phraseBreak;
      if (introducesPurpose(text, this.#locale)) wordRoleBits |= wordRoles.purpose;
      if (introducesAddition(text)) wordRoleBits |= wordRoles.addition;
      if (isMeasureWord(text)) {
        wordRoleBits |= wordRoles.measure;
        this.#quantityWords.set(term, text);
      }
    }
    this.#rolesByTerm[term] = wordRoleBits;
    return wordRoleBits;
  }

  #add(term: number, position: number): void {
    this.#ensureCapacity(1);
    this.#push(term, position);
  }

  #push(term: number, position: number): void {
    this.terms[this.count] = term;
    this.packedPositions[this.count] = (position << positionShift) | this.#activePurposeFlag;
    this.count += 1;
  }

  #ensureCapacity(count: number): void {
    while (this.count + count > this.terms.length) {
      this.terms = growArray(this.terms);
      this.packedPositions = growArray(this.packedPositions);
    }
  }
}

/** Minimum number of digits in the code of a model. Shorter ones are often part of a name: "S2", "pH5", "MP3". */
export const minModelCodeDigits = 3;

/** Bits for the possible roles of a word in titles and quantities. */
const wordRoles = { known: 1, phraseBreak: 2, purpose: 4, measure: 8, addition: 16 } as const;
