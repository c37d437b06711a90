/**
 * Returns the start of a text. A character that is two code units long, such as an emoji, is never cut in half, because
 * a half character cannot be stored or sent.
 * @param maxLength in UTF-16 code units
 */
export function truncateText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** Returns a text, or its start and an ellipsis.  @param maxLength with the ellipsis, in UTF-16 code units */
export function truncateWithEllipsis(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${truncateText(text, maxLength - 1).trimEnd()}…`;
}
