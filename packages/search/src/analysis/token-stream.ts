import { isDigit, type Token } from "./chunks.ts";

/** The tokens of a text, and the kinds of characters between them, as parallel arrays. */
export interface TokenStream {
  /** UTF-16 units of all tokens. Token n has the units from `starts[n]` to `ends[n]` (exclusive). */
  readonly units: ArrayLike<number>;
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  /**
   * Bits for the kinds of characters before each token (see `delimiters`). The last entry describes the characters after
   * the last token.
   */
  readonly separatorSets: ArrayLike<number>;
  readonly tokenCount: number;
  /**
   * Indices of the tokens that begin with a digit, in ascending order. Only the first `numberCount` entries are valid.
   */
  readonly numberTokens: ArrayLike<number>;
  readonly numberCount: number;
}

export function createTokenStream(tokens: readonly Token[]): TokenStream {
  const starts: number[] = [];
  const tokenEnds: number[] = [];
  const units: number[] = [];
  const separatorBits: number[] = [];
  const numbers: number[] = [];
  for (const { text, separatorBefore: precedingSeparators } of tokens) {
    if (isDigit(text.charCodeAt(0))) numbers.push(starts.length);
    separatorBits.push(precedingSeparators);
    starts.push(units.length);
    for (let index = 0; index < text.length; index += 1) units.push(text.charCodeAt(index));
    tokenEnds.push(units.length);
  }
  separatorBits.push(tokens.at(-1)?.separatorAfter ?? 0);
  return {
    units,
    starts,
    ends: tokenEnds,
    separatorSets: separatorBits,
    tokenCount: tokens.length,
    numberTokens: numbers,
    numberCount: numbers.length,
  };
}
