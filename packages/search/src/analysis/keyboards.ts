import { composeHangul, convertHangulToKeys } from "./hangul-keys.ts";
import { languageOf, languages } from "./languages/registry.ts";

/** Characters of a US keyboard, row by row. */
const latinKeys = "qwertyuiop[]asdfghjkl;'zxcvbnm,./";

/**
 * Returns what the same keys type in another keyboard layout: "rain" for "кфшт", and in Russian "дождь" for "lj;lm".
 * These texts help if a query has no results because the wrong layout was active.
 * @param locale language whose layout applies to a text in Latin letters
 * @returns usually one text; empty if the language has no such keyboard
 */
export function convertOtherLayouts(text: string, locale: string): readonly string[] {
  const typedText = text.normalize("NFC");
  if (latinTextPattern.test(typedText))
    return findLayouts(locale).map(({ fromLatinKeys: convertFromLatin }) => convertFromLatin(typedText));
  const convertedTexts = layouts
    .filter(({ letters }) => fitsKeyboardLayout(typedText, letters))
    .map(({ toLatinKeys: convertToLatin }) => convertToLatin(typedText));
  return [...new Set(convertedTexts)];
}

/** Pattern of texts whose only letters are ASCII letters. */
const latinTextPattern = /^[^\p{L}]*[a-z](?:[a-z]|[^\p{L}])*$/iu;

/** Keyboard layout of a non-Latin script. */
interface KeyboardLayout {
  readonly language: string;
  /** Letters that can be typed with the layout. */
  readonly letters: { has(letter: string): boolean };
  toLatinKeys(text: string): string;
  fromLatinKeys(text: string): string;
}

const layouts: readonly KeyboardLayout[] = [
  ...languages.flatMap(({ code, keyboard }) =>
    keyboard === undefined ? [] : [createKeyboardLayout(code, keyboard.join(""))],
  ),
  {
    language: "ko",
    letters: { has: (letter) => /[\p{Script=Hangul}]/u.test(letter) },
    toLatinKeys: convertHangulToKeys,
    fromLatinKeys: composeHangul,
  },
];

function findLayouts(locale: string): readonly KeyboardLayout[] {
  const code = languageOf(locale)?.code ?? locale.split("-", 1)[0];
  return layouts.filter(({ language }) => language === code);
}

function createKeyboardLayout(language: string, keys: string): KeyboardLayout {
  const keyLetters = Array.from(keys, (key) => key.normalize("NFKC"));
  const letterByLatinKey = new Map(Array.from(latinKeys, (key, index) => [key, keyLetters[index] as string]));
  const latinKeyByLetter = new Map(keyLetters.map((key, index) => [key, latinKeys.charAt(index)]));
  // Some keys type two letters at once ("لا"). The pattern matches them as one key.
  const keyPattern = new RegExp(`${keyLetters.filter((key) => key.length > 1).join("|") || "(?!)"}|[\\s\\S]`, "gu");
  const convertKeys = (text: string, conversions: ReadonlyMap<string, string>): string =>
    text.replace(keyPattern, (key) => conversions.get(key.toLowerCase()) ?? key);
  return {
    language,
    letters: new Set(keyLetters.flatMap((key) => Array.from(key))),
    toLatinKeys: (text) => convertKeys(text, latinKeyByLetter),
    fromLatinKeys: (text) => convertKeys(text, letterByLatinKey),
  };
}

/** Returns whether a text has non-Latin letters, and all of these letters are on the keyboard. */
function fitsKeyboardLayout(text: string, letters: KeyboardLayout["letters"]): boolean {
  const nonLatinLetters = text.match(/(?!\p{Script=Latin})\p{L}/gu) ?? [];
  return nonLatinLetters.length > 0 && nonLatinLetters.every((letter) => letters.has(letter.toLowerCase()));
}
