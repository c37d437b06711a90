/** Matches a word of any script, with its combining marks. */
export const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** Returns the words of a text as written. */
export function listWords(text: string): readonly string[] {
  return text.match(wordPattern) ?? [];
}
