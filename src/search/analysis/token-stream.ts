import type { Token } from "./chunks.ts";

/** The tokens of a text with what stands between them, as `Tokenizer` reads them. */
export interface TokenStream {
  /** Token n is units `starts[n]` up to, not including, `ends[n]`. */
  readonly units: ArrayLike<number>;
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  /** By token: what stands before it; one entry more. See `gapBits`. */
  readonly gaps: ArrayLike<number>;
  readonly tokens: number;
}

export function streamOf(tokens: readonly Token[]): TokenStream {
  const starts: number[] = [];
  const ends: number[] = [];
  const units: number[] = [];
  for (const { text } of tokens) {
    starts.push(units.length);
    for (let index = 0; index < text.length; index += 1) units.push(text.charCodeAt(index));
    ends.push(units.length);
  }
  const gaps = [...tokens.map(({ before }) => before), tokens.at(-1)?.after ?? 0];
  return { units, starts, ends, gaps, tokens: tokens.length };
}
