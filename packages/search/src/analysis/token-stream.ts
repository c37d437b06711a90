import { isDigit, type Token } from "./chunks.ts";

/** Tokens of a text and the characters between them, as parsed by `Tokenizer`. */
export interface TokenStream {
  /** UTF-16 units of all tokens. Token n has the units from `starts[n]` to `ends[n]` (exclusive). */
  readonly units: ArrayLike<number>;
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  /** Bits of the characters before each token, with one additional entry at the end (see `gapBits`). */
  readonly gaps: ArrayLike<number>;
  readonly tokens: number;
  /**
   * Indices of the tokens that begin with a digit, in ascending order. Only the first `numberCount` entries are valid.
   */
  readonly numbers: ArrayLike<number>;
  readonly numberCount: number;
}

export function createTokenStream(tokens: readonly Token[]): TokenStream {
  const starts: number[] = [];
  const ends: number[] = [];
  const units: number[] = [];
  const gaps: number[] = [];
  const numbers: number[] = [];
  for (const { text, gapBefore } of tokens) {
    if (isDigit(text.charCodeAt(0))) numbers.push(starts.length);
    gaps.push(gapBefore);
    starts.push(units.length);
    for (let index = 0; index < text.length; index += 1) units.push(text.charCodeAt(index));
    ends.push(units.length);
  }
  gaps.push(tokens.at(-1)?.gapAfter ?? 0);
  return { units, starts, ends, gaps, tokens: tokens.length, numbers, numberCount: numbers.length };
}
