import { hasDigit } from "../analysis/chunks.ts";

/** Minimum number of letters in a word that allows one edit. */
export const minOneEditLetters = 4;
export const minTwoEditsLetters = 8;
/** Maximum number of letters in a word that allows edits, because each letter takes one bit of a number. */
export const maxFuzzyLetters = 28;

/**
 * Returns the number of edits that a word allows; 0 for words with digits, because another number has another meaning.
 */
export function allowedEdits(word: string): number {
  if (word.length < minOneEditLetters || word.length > maxFuzzyLetters || hasDigit(word)) return 0;
  return word.length >= minTwoEditsLetters ? 2 : 1;
}
