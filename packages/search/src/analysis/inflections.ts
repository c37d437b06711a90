import type { QueryWord } from "../query/parse.ts";
import { hasDigit } from "./chunks.ts";
import { languageOf, languages } from "./languages/registry.ts";

/** Returns a word and its possible singular and plural forms. */
export function listWordForms(text: string, locale: string): string[] {
  return [text, ...listForms({ text, isGram: false }, locale)];
}

/**
 * Returns the possible singular and plural forms of a word. The list includes incomplete plurals such as "berri" for
 * "berry", so that no result disappears while a user types "berries".
 * @param locale language of the word
 */
export function listForms(word: Pick<QueryWord, "text" | "isGram">, locale: string): string[] {
  const { text } = word;
  const language = languageOf(locale);
  const isArticle = (form: string): boolean => language?.articles?.includes(form) === true;
  // Articles have no plural. "dere" is a misspelling of "deer", not a plural of "der".
  if (word.isGram || text.length < 2 || hasDigit(text) || isArticle(text)) return [];
  // A short array instead of a set, because V8 adds each string of a set to its string table.
  const results: string[] = [];
  const addWordForm = (form: string): void => {
    if (form !== text && !results.includes(form) && !isArticle(form)) results.push(form);
  };
  addWordForm(`${text}s`);
  addWordForm(`${text}es`);
  if (text.length > 3 && text.endsWith("s") && !text.endsWith("ss")) addWordForm(text.slice(0, -1));
  addWordForm(text.replace(/(?<=(?:s|x|z|ch|sh))es?$/, ""));
  addWordForm(text.replace(/(?<=..[^aeiou])i(?:es?)?$/, "y"));
  if (/..[^aeiou]y$/.test(text)) addWordForm(`${text.slice(0, -1)}ies`);
  const omitsVowels = language?.proclitics !== undefined;
  const minLetters = omitsVowels ? minConsonantStemLetters : minStemLetters;
  for (const [singular, plural] of language?.plurals ?? []) {
    if (text.length <= minStemLetters && !omitsVowels) continue;
    if (text.endsWith(singular)) addWordForm(text.slice(0, text.length - singular.length) + plural);
    if (!text.endsWith(plural)) continue;
    const stem = text.slice(0, text.length - plural.length);
    if (
      stem.length + countCommonLetters(singular, plural) >= minLetters ||
      (plural.length >= longEndingLetters && stem.length + singular.length > minStemLetters)
    )
      addWordForm(stem + singular);
  }
  return results;
}

/** Returns whether one word is the singular or plural of the other, judged by spelling. */
export function areWordForms(word: string, otherWord: string, locale: string): boolean {
  // Fast path: most pairs of words do not end like a singular and its plural.
  return (
    differOnlyInEnding(word, otherWord, locale) &&
    (hasWordForm(word, otherWord, locale) || hasWordForm(otherWord, word, locale))
  );
}

/** Returns whether `form` is a singular or plural form of `text`. */
export function isInflection(form: string, text: string, locale: string): boolean {
  return differOnlyInEnding(form, text, locale) && hasWordForm(text, form, locale);
}

function hasWordForm(text: string, form: string, locale: string): boolean {
  return listForms({ text, isGram: false }, locale).includes(form);
}

/** Returns whether two words differ only by a known pair of singular and plural endings. */
function differOnlyInEnding(word: string, otherWord: string, locale: string): boolean {
  const commonPrefixLength = countCommonLetters(word, otherWord);
  if (Math.max(word.length, otherWord.length) - commonPrefixLength > maxEndingLetters) return false;
  const endings = endingsByLanguage.get(languageOf(locale)?.code ?? "") ?? commonEndings;
  return endings.some(
    ([left, right]) => hasEnding(word, commonPrefixLength, left) && hasEnding(otherWord, commonPrefixLength, right),
  );
}

/** Returns the number of letters with which two texts begin. */
function countCommonLetters(text: string, otherText: string): number {
  const maxCount = Math.min(text.length, otherText.length);
  let count = 0;
  while (count < maxCount && text.charCodeAt(count) === otherText.charCodeAt(count)) count += 1;
  return count;
}

/** Returns whether a text consists of a stem of `letters` letters and the ending `ending`. */
function hasEnding(text: string, letters: number, ending: string): boolean {
  return text.length - letters === ending.length && text.endsWith(ending);
}

/** Maximum number of letters in a singular or plural ending, in any language. */
export const maxEndingLetters = 5;

/** Pairs of endings by which two forms of a word can differ, such as "y" and "ies". */
type EndingPairs = readonly (readonly [one: string, other: string])[];

/** Pairs of singular and plural endings that apply to every language. */
const commonEndings: EndingPairs = addReversedPairs([
  ["", "s"],
  ["", "es"],
  ["", "e"],
  ["y", "i"],
  ["y", "ie"],
  ["y", "ies"],
]);

/** Pairs of singular and plural endings, by language code. */
const endingsByLanguage: ReadonlyMap<string, EndingPairs> = new Map(
  languages.map(({ code, plurals = [] }) => [code, [...commonEndings, ...addReversedPairs(plurals)]]),
);

function addReversedPairs(pairs: EndingPairs): EndingPairs {
  return pairs.flatMap(([word, otherWord]): EndingPairs => {
    const commonPrefixLength = countCommonLetters(word, otherWord);
    const [left, right] = [word.slice(commonPrefixLength), otherWord.slice(commonPrefixLength)];
    return [
      [left, right],
      [right, left],
    ];
  });
}

/** Minimum number of letters that must remain after a plural ending is removed. */
const minStemLetters = 3;
/** The same in Arabic and Hebrew, which write few vowels: "ספה" and "ספות". */
const minConsonantStemLetters = 2;
/** Number of letters from which a plural ending is also removed from a short word: "dozen" for "doos" in Dutch. */
const longEndingLetters = 4;
