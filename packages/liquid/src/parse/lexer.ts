import { LiquidError } from "../errors.ts";

export type LexemeKind = "word" | "text" | "number" | "comparison" | "sign" | "end";

/** Splits the markup of a tag or output into words, quoted strings, numbers, and signs. */
export class Lexer {
  kind: LexemeKind = "end";
  /** Source text of the lexeme. For a string, the text between the quotes. */
  value = "";
  /** Start and end of the lexeme in the source. */
  at: number;
  end: number;
  readonly #markup: string;
  readonly #offset: number;
  #position = 0;

  /**
   * Creates a lexer and reads the first lexeme.
   * @param offset offset of the markup in the source
   * @throws LiquidError at an unknown character
   */
  constructor(markup: string, offset: number) {
    this.#markup = markup;
    this.#offset = offset;
    this.at = offset;
    this.end = offset;
    this.advance();
  }

  /** Reads the next lexeme.  @throws LiquidError at an unknown character */
  advance(): void {
    const isAfterDot = this.kind === "sign" && this.value === ".";
    this.end = this.#offset + this.#position;
    lexemePattern.lastIndex = this.#position;
    const match = lexemePattern.exec(this.#markup);
    if (match === null) this.#throwUnexpectedToken();
    const [matchText, sign, comparison, text, number, word] = match as RegExpExecArray;
    this.#position += matchText.length;
    this.at = this.#offset + this.#position - matchText.trimStart().length;
    this.value = sign ?? comparison ?? text?.slice(1, -1) ?? number ?? word ?? "";
    if (sign !== undefined) this.kind = "sign";
    else if (comparison !== undefined) this.kind = "comparison";
    else if (text !== undefined) this.kind = "text";
    else if (number !== undefined) this.kind = "number";
    else if (word === undefined) this.kind = "end";
    else this.kind = word === "contains" && !isAfterDot ? "comparison" : "word";
  }

  isSign(sign: string): boolean {
    return this.kind === "sign" && this.value === sign;
  }

  isWord(word: string): boolean {
    return this.kind === "word" && this.value === word;
  }

  /** Skips the given sign if it is the current lexeme.  @returns whether it was skipped */
  skipSign(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.advance();
    return true;
  }

  skipWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.advance();
    return true;
  }

  /** Reads a word.  @throws LiquidError if the current lexeme is not a word */
  readWord(): string {
    if (this.kind !== "word") throw this.createSyntaxError("a name");
    const { value } = this;
    this.advance();
    return value;
  }

  expectSign(sign: string): void {
    if (!this.skipSign(sign)) throw this.createSyntaxError(`"${sign}"`);
  }

  /** Returns whether the next lexeme is a colon. */
  isFollowedByColon(): boolean {
    return this.#markup.slice(this.#position).trimStart().startsWith(":");
  }

  /** Checks that the markup ends here.  @throws LiquidError if it does not */
  expectEnd(): void {
    if (this.kind !== "end") throw this.createSyntaxError("the end");
  }

  createSyntaxError(expectedSyntax: string): LiquidError {
    const actualToken = this.kind === "end" ? "the end" : `"${this.value}"`;
    return new LiquidError(
      "syntax",
      `Expected ${expectedSyntax} but found ${actualToken} in "${this.#markup.trim()}"`,
      this.at,
    );
  }

  #throwUnexpectedToken(): never {
    const start = this.#markup.slice(this.#position).search(/\S/) + this.#position;
    const character = String.fromCodePoint(this.#markup.codePointAt(start) ?? 32);
    throw new LiquidError(
      "syntax",
      `Unexpected character ${character} in "${this.#markup.trim()}"`,
      this.#offset + start,
    );
  }
}

const lexemePattern =
  /\s*(?:(\.\.|[|.:,[\]()?]|-(?!\d))|(==|!=|<>|<=|>=|<|>)|("[^"]*"|'[^']*')|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w-]*\??)|$)/y;
