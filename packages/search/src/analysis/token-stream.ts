import { isDigit, type Token } from "./chunks.ts";

/** Tokens of a text and the characters between them, as parsed by `Tokenizer`. */
export interface TokenStream {
  /** Token n is units `starts[n]` up to, not including, `ends[n]`. */
  readonly units: ArrayLike<number>;
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  /** By token: characters before it; one additional entry at the end. See `gapBits`. */
  readonly gaps: ArrayLike<number>;
  readonly tokens: number;
  /** The tokens that begin with a digit, ascending: entries below `numberCount`. */
  readonly numbers: ArrayLike<number>;
  readonly numberCount: number;
}

export function streamOf(tokens: readonly Token[]): TokenStream {
  const starts: number[] = [];
  const ends: number[] = [];
  const units: number[] = [];
  const gaps: number[] = [];
  const numbers: number[] = [];
  for (const { text, before } of tokens) {
    if (isDigit(text.charCodeAt(0))) numbers.push(starts.length);
    gaps.push(before);
    starts.push(units.length);
    for (let index = 0; index < text.length; index += 1) units.push(text.charCodeAt(index));
    ends.push(units.length);
  }
  gaps.push(tokens.at(-1)?.after ?? 0);
  return { units, starts, ends, gaps, tokens: tokens.length, numbers, numberCount: numbers.length };
}
