import { hangulOf, keysOfHangul } from "./hangul-keys.ts";
import { languageOf, languages } from "./languages/registry.ts";

/** Latin letters of the keys; `Language.keyboard` has the same keys. */
const latinKeys = "qwertyuiop[]asdfghjkl;'zxcvbnm,./";

/** Converts a text to what the same keys type on a keyboard of another script: "кфшт" is "rain", and in Russian "lj;lm" is "дождь". Search for
 *  these if a query finds nothing.
 *  @param locale the language whose script a text in Latin letters may be meant in  @returns mostly one text; none if there is no such script */
export function otherLayouts(text: string, locale: string): readonly string[] {
  const typed = text.normalize("NFC");
  if (isLatin.test(typed)) return layoutsOf(locale).map(({ fromLatin }) => fromLatin(typed));
  const found = layouts.filter(({ letters }) => isTypedBy(typed, letters)).map(({ toLatin }) => toLatin(typed));
  return [...new Set(found)];
}

/** ASCII letters, with any other characters that are not letters. */
const isLatin = /^[^\p{L}]*[a-z](?:[a-z]|[^\p{L}])*$/iu;

/** Keyboard of a non-Latin script. */
interface Layout {
  readonly language: string;
  /** Letters that its keys type. */
  readonly letters: { has(letter: string): boolean };
  toLatin(text: string): string;
  fromLatin(text: string): string;
}

const layouts: readonly Layout[] = [
  ...languages.flatMap(({ code, keyboard }) => (keyboard === undefined ? [] : [layoutOf(code, keyboard.join(""))])),
  {
    language: "ko",
    letters: { has: (letter) => /[\p{Script=Hangul}]/u.test(letter) },
    toLatin: keysOfHangul,
    fromLatin: hangulOf,
  },
];

function layoutsOf(locale: string): readonly Layout[] {
  const code = languageOf(locale)?.code ?? locale.split("-", 1)[0];
  return layouts.filter(({ language }) => language === code);
}

function layoutOf(language: string, keys: string): Layout {
  const typed = Array.from(keys, (key) => key.normalize("NFKC"));
  const fromLatin = new Map(Array.from(latinKeys, (key, at) => [key, typed[at] as string]));
  const toLatin = new Map(typed.map((key, at) => [key, latinKeys.charAt(at)]));
  // Few keys type two letters ("لا"); they cannot be distinguished from the letters typed separately.
  const longest = new RegExp(`${typed.filter((key) => key.length > 1).join("|") || "(?!)"}|[\\s\\S]`, "gu");
  const change = (text: string, keysOf: ReadonlyMap<string, string>): string =>
    text.replace(longest, (key) => keysOf.get(key.toLowerCase()) ?? key);
  return {
    language,
    letters: new Set(typed.flatMap((key) => Array.from(key))),
    toLatin: (text) => change(text, toLatin),
    fromLatin: (text) => change(text, fromLatin),
  };
}

/** Whether a text has letters that are not Latin, and keys type each of them. */
function isTypedBy(text: string, letters: Layout["letters"]): boolean {
  const nonLatin = text.match(/(?!\p{Script=Latin})\p{L}/gu) ?? [];
  return nonLatin.length > 0 && nonLatin.every((letter) => letters.has(letter.toLowerCase()));
}
