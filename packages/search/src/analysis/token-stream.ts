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
