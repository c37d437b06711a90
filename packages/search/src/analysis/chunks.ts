/** Maximum number of UTF-16 units in a term. Longer words are truncated. */
export const maxTermLength = 60;
/** Maximum number of code points in a query. Further characters are ignored. */
const maxQueryLength = 256;
/** Maximum number of tokens that are also indexed as one joined term, like `tshirt` for `t-shirt`. */
export const maxJoinedTokens = 6;

/** Truncates a query to `maxQueryLength` code points. */
export function truncateQuery(text: string): string {
  if (text.length <= maxQueryLength) return text;
  // A code point has at most two UTF-16 units.
  return Array.from(text.slice(0, maxQueryLength * 2))
    .slice(0, maxQueryLength)
    .join("");
}

export function hasDigit(text: string): boolean {
  return /\p{N}/u.test(text);
}

/** Returns whether a UTF-16 unit is a digit from 0 to 9. */
export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
