import type { QueryWord } from "../query/parse.ts";
import { hasDigit } from "./chunks.ts";
import { languageOf, languages } from "./languages/registry.ts";

/**
 * Returns other spellings of a word or prefix: with and without proclitics ("الحقيبة" for "حقيبة"), and in other
 * characters (電腦 for 电脑).
 * @param locale language of the word
 */
export function listSpellings({ text, isGram }: Pick<QueryWord, "text" | "isGram">, locale: string): readonly string[] {
  const language = languageOf(locale);
  if (isGram) return language?.variants === undefined ? noSpellings : listVariants(text, language.variants);
  return language?.proclitics === undefined ? noSpellings : addProclitics(text, language.proclitics);
}

function addProclitics(text: string, proclitics: readonly string[]): string[] {
  if (text.length < minPrefixedLetters || hasDigit(text)) return [];
  const stems = proclitics.flatMap((proclitic) => {
    const isLonger = text.length - proclitic.length >= (proclitic.length > 1 ? minPrefixedLetters : minStemLetters);
    return isLonger && text.startsWith(proclitic) ? [text.slice(proclitic.length)] : [];
  });
  const results = new Set(
    [text, ...stems].flatMap((word) => [word, ...proclitics.map((proclitic) => proclitic + word)]),
  );
  results.delete(text);
  return [...results];
}

function listVariants(text: string, variants: ReadonlyMap<string, readonly string[]>): string[] {
  let variantTexts = [""];
  for (const character of text) {
    const alternatives = [character, ...(variants.get(character) ?? [])];
    variantTexts = variantTexts.flatMap((prefix) => alternatives.map((alternative) => prefix + alternative));
  }
  return variantTexts.slice(1);
}

const noSpellings: readonly string[] = Object.freeze([]);

/**
 * Returns the singular and plural forms of a word that follow from its spelling. The list includes prefixes of plurals
 * ("berri" for "berry"), so that typing a plural never loses results on the way.
 * @param locale language of the word
 */
export function listForms(word: Pick<QueryWord, "text" | "isGram">, locale: string): string[] {
  const { text } = word;
  const language = languageOf(locale);
  const isArticle = (form: string): boolean => language?.articles?.includes(form) === true;
  // "dere" is not the plural of "der", but a misspelling of "deer".
  if (word.isGram || text.length < 2 || hasDigit(text) || isArticle(text)) return [];
  // The list is short, and most forms are not words. A set would add each of them to V8's table of strings.
  const results: string[] = [];
  const add = (form: string): void => {
    if (form !== text && !results.includes(form) && !isArticle(form)) results.push(form);
  };
  add(`${text}s`);
  add(`${text}es`);
  if (text.length > 3 && text.endsWith("s") && !text.endsWith("ss")) add(text.slice(0, -1));
  add(text.replace(/(?<=(?:s|x|z|ch|sh))es?$/, ""));
  add(text.replace(/(?<=..[^aeiou])i(?:es?)?$/, "y"));
  if (/..[^aeiou]y$/.test(text)) add(`${text.slice(0, -1)}ies`);
  for (const [singular, plural] of language?.plurals ?? []) {
    if (text.length <= minStemLetters) continue;
    if (text.endsWith(singular)) add(text.slice(0, text.length - singular.length) + plural);
    if (text.endsWith(plural) && text.length - plural.length >= minStemLetters)
      add(text.slice(0, text.length - plural.length) + singular);
  }
  return results;
}

/** Returns whether one of two words is the singular or plural of the other, by spelling. */
export function areForms(word: string, otherWord: string, locale: string): boolean {
  // Fast path: most pairs of words cannot be forms of each other.
  return (
    differByEndings(word, otherWord, locale) && (hasForm(word, otherWord, locale) || hasForm(otherWord, word, locale))
  );
}

/** Returns whether a word is a form of another word. */
export function isFormOf(form: string, text: string, locale: string): boolean {
  return differByEndings(form, text, locale) && hasForm(text, form, locale);
}

function hasForm(text: string, form: string, locale: string): boolean {
  return listForms({ text, isGram: false }, locale).includes(form);
}

/** Returns whether two words differ only by endings that inflected forms have. */
function differByEndings(word: string, otherWord: string, locale: string): boolean {
  const maxCommonLength = Math.min(word.length, otherWord.length);
  let commonLength = 0;
  while (commonLength < maxCommonLength && word.charCodeAt(commonLength) === otherWord.charCodeAt(commonLength))
    commonLength += 1;
  if (Math.max(word.length, otherWord.length) - commonLength > maxEndingLetters) return false;
  const endings = endingsByLanguage.get(languageOf(locale)?.code ?? "") ?? commonEndings;
  return endings.some(
    ([left, right]) => hasEnding(word, commonLength, left) && hasEnding(otherWord, commonLength, right),
  );
}

/** Returns whether a text consists of some first letters and `ending`. */
function hasEnding(text: string, letters: number, ending: string): boolean {
  return text.length - letters === ending.length && text.endsWith(ending);
}

/** Maximum number of letters in which a singular and its plural differ, in any language. */
export const maxEndingLetters = 5;

/** Pairs of endings of two forms, after their common letters. */
type Endings = readonly (readonly [one: string, other: string])[];

/** Pairs of endings that `forms` creates in any language. */
const commonEndings: Endings = addReversedPairs([
  ["", "s"],
  ["", "es"],
  ["", "e"],
  ["y", "i"],
  ["y", "ie"],
  ["y", "ies"],
]);

/** Pairs of endings by language, including the plurals of the language. */
const endingsByLanguage: ReadonlyMap<string, Endings> = new Map(
  languages.map(({ code, plurals = [] }) => [code, [...commonEndings, ...addReversedPairs(plurals)]]),
);

function addReversedPairs(pairs: Endings): Endings {
  return pairs.flatMap(([word, otherWord]): Endings => {
    let commonLength = 0;
    while (commonLength < word.length && word[commonLength] === otherWord[commonLength]) commonLength += 1;
    const [left, right] = [word.slice(commonLength), otherWord.slice(commonLength)];
    return [
      [left, right],
      [right, left],
    ];
  });
}

/** Minimum number of letters that remain if the ending of a plural, or a single leading letter, is removed. */
const minStemLetters = 3;
/** Minimum number of letters of a word that gets a proclitic, or from which a longer proclitic is removed. */
const minPrefixedLetters = 2;
