import type { QueryWord } from "../query/parse.ts";
import { hasDigit } from "./chunks.ts";
import { languageOf, languages } from "./languages/registry.ts";

/**
 * Other spellings of a word or prefix: with and without words that its language attaches ("الحقيبة" for "حقيبة"), and
 * in other characters (電腦 for 电脑).
 * @param locale language of the word
 */
export function spellings({ text, isGram }: Pick<QueryWord, "text" | "isGram">, locale: string): readonly string[] {
  const language = languageOf(locale);
  if (isGram) return language?.variants === undefined ? none : variantsOf(text, language.variants);
  return language?.proclitics === undefined ? none : withOtherProclitics(text, language.proclitics);
}

function withOtherProclitics(text: string, proclitics: readonly string[]): string[] {
  if (text.length < shortestBeginning || hasDigit(text)) return [];
  const bare = proclitics.flatMap((one) => {
    const isLonger = text.length - one.length >= (one.length > 1 ? shortestBeginning : shortestStem);
    return isLonger && text.startsWith(one) ? [text.slice(one.length)] : [];
  });
  const found = new Set([text, ...bare].flatMap((word) => [word, ...proclitics.map((one) => one + word)]));
  found.delete(text);
  return [...found];
}

function variantsOf(text: string, variants: ReadonlyMap<string, readonly string[]>): string[] {
  let found = [""];
  for (const character of text) {
    const all = [character, ...(variants.get(character) ?? [])];
    found = found.flatMap((beginning) => all.map((one) => beginning + one));
  }
  return found.slice(1);
}

const none: readonly string[] = Object.freeze([]);

/**
 * Singular and plural forms of a word that follow from its spelling. Includes prefixes of plurals ("berri" for
 * "berry"), so that no letter on the way to a plural loses results.
 * @param locale language of the word
 */
export function forms(word: Pick<QueryWord, "text" | "isGram">, locale: string): string[] {
  const { text } = word;
  const language = languageOf(locale);
  const isArticle = (form: string): boolean => language?.articles?.includes(form) === true;
  // "dere" is not the plural of "der", but "deer" misspelt.
  if (word.isGram || text.length < 2 || hasDigit(text) || isArticle(text)) return [];
  // Few, and most are no words: a set would have each of them entered into V8's table of all strings.
  const found: string[] = [];
  const add = (form: string): void => {
    if (form !== text && !found.includes(form) && !isArticle(form)) found.push(form);
  };
  add(`${text}s`);
  add(`${text}es`);
  if (text.length > 3 && text.endsWith("s") && !text.endsWith("ss")) add(text.slice(0, -1));
  add(text.replace(/(?<=(?:s|x|z|ch|sh))es?$/, ""));
  add(text.replace(/(?<=..[^aeiou])i(?:es?)?$/, "y"));
  if (/..[^aeiou]y$/.test(text)) add(`${text.slice(0, -1)}ies`);
  for (const [singular, plural] of language?.plurals ?? []) {
    if (text.length <= shortestStem) continue;
    if (text.endsWith(singular)) add(text.slice(0, text.length - singular.length) + plural);
    if (text.endsWith(plural) && text.length - plural.length >= shortestStem)
      add(text.slice(0, text.length - plural.length) + singular);
  }
  return found;
}

/** Returns whether one of two words is the singular or plural of the other, by spelling. */
export function areForms(one: string, other: string, locale: string): boolean {
  // Fast path: most pairs need no forms.
  return haveEndings(one, other, locale) && (hasForm(one, other, locale) || hasForm(other, one, locale));
}

/** Returns whether a word is a form of another. */
export function isFormOf(form: string, text: string, locale: string): boolean {
  return haveEndings(form, text, locale) && hasForm(text, form, locale);
}

function hasForm(text: string, form: string, locale: string): boolean {
  return forms({ text, isGram: false }, locale).includes(form);
}

/** Returns whether two words differ only by endings that forms have. */
function haveEndings(one: string, other: string, locale: string): boolean {
  const maxShared = Math.min(one.length, other.length);
  let common = 0;
  while (common < maxShared && one.charCodeAt(common) === other.charCodeAt(common)) common += 1;
  if (Math.max(one.length, other.length) - common > longestEnding) return false;
  const endings = pairsOfEndings.get(languageOf(locale)?.code ?? "") ?? commonPairs;
  return endings.some(([left, right]) => isRest(one, common, left) && isRest(other, common, right));
}

/** Returns whether `rest` follows the first letters of a text. */
function isRest(text: string, letters: number, rest: string): boolean {
  return text.length - letters === rest.length && text.endsWith(rest);
}

/** Maximum letters by which a singular and its plural differ, in any language. */
export const longestEnding = 5;

/** Endings of two forms after their common letters. */
type Endings = readonly (readonly [one: string, other: string])[];

/** As `forms` makes them in any language. */
const commonPairs: Endings = bothWays([
  ["", "s"],
  ["", "es"],
  ["", "e"],
  ["y", "i"],
  ["y", "ie"],
  ["y", "ies"],
]);

/** The same by language, with its plurals. */
const pairsOfEndings: ReadonlyMap<string, Endings> = new Map(
  languages.map(({ code, plurals = [] }) => [code, [...commonPairs, ...bothWays(plurals)]]),
);

function bothWays(pairs: Endings): Endings {
  return pairs.flatMap(([one, other]): Endings => {
    let common = 0;
    while (common < one.length && one[common] === other[common]) common += 1;
    const [left, right] = [one.slice(common), other.slice(common)];
    return [
      [left, right],
      [right, left],
    ];
  });
}

/** Minimum letters that remain if the ending of a plural or a leading letter is removed. */
const shortestStem = 3;
/** Minimum letters of a word that gets prefixed letters, or from which more than one is removed. */
const shortestBeginning = 2;
