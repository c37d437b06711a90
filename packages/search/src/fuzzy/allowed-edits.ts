import { hasDigit } from "../analysis/chunks.ts";

/** Minimum number of letters in a word that allows one edit. */
export const minOneEditLetters = 4;
export const minTwoEditsLetters = 8;
/** Number that stands for one edit of a word or of another of its forms: "jakets" for "jacket". */
export const formEdits = 3;
/** Maximum number of letters in a word that allows edits. The automaton uses one bit of an integer for each letter. */
export const maxFuzzyLetters = 28;

/**
 * Returns the first letters that a word has in common with its misspelling in a description: three letters, or two of a
 * word of six letters or more. Short words resemble more words.
 */
export function getCommonStart(word: string): string {
  return word.slice(0, word.length < 6 ? 3 : 2);
}

/**
 * Returns the number of edits that a word allows. Words with digits allow none, because another number has another
 * meaning.
 */
export function countAllowedEdits(word: string): number {
  if (word.length < minOneEditLetters || word.length > maxFuzzyLetters || hasDigit(word)) return 0;
  return word.length >= minTwoEditsLetters ? 2 : 1;
}
