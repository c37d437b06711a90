import { hasDigit } from "./chunks.ts";
import { listSimilarSyllables } from "./hangul-keys.ts";
import type { SearchLanguage } from "./languages/language.ts";
import { languageOf } from "./languages/registry.ts";

/** A word, or with `isGram` a gram of a script without spaces. */
interface SpelledWord {
  readonly text: string;
  readonly isGram: boolean;
}

/**
 * Returns other spellings of a word or prefix:
 * - Arabic and Hebrew words with and without attached particles such as "the": "الحقيبة" for "حقيبة"
 * - Chinese words in simplified and traditional characters: 電腦 for 电脑
 * - Korean words with vowels that sound alike: 헤드셋 for 해드셋
 * - German and Nordic words in ASCII: "oel" for "öl"
 * - codes with letters of another alphabet that look alike: Cyrillic "е27" for "e27"
 * @param locale language of the word
 */
export function listSpellings({ text, isGram }: SpelledWord, locale: string): readonly string[] {
  const language = languageOf(locale);
  // Fast path: most words are Latin, in a language without other spellings.
  if (text.charCodeAt(0) < firstNonLatinUnit && language !== undefined && !hasSpellings(language))
    return emptySpellings;
  const variants = language?.variants;
  if (isGram) return replaceCharacters(text, (one) => (variants ? variants.get(one) : listSimilarSyllables(one)));
  if (hasDigit(text))
    // Titles in other languages have Latin letters only.
    return language?.keyboard === undefined && isAscii(text) ? emptySpellings : listCodeSpellings(text);
  const spelling = replaceDigraphs(text, locale);
  if (spelling !== text) return [spelling];
  return language?.proclitics === undefined ? emptySpellings : addProclitics(text, language.proclitics);
}

/** First UTF-16 unit after the Latin letters. */
const firstNonLatinUnit = 0x250;

function hasSpellings({ digraphs, proclitics, keyboard }: SearchLanguage): boolean {
  return digraphs !== undefined || proclitics !== undefined || keyboard !== undefined;
}

function addProclitics(text: string, proclitics: readonly string[]): string[] {
  if (text.length < minPrefixedLetters) return [];
  const stems = proclitics.flatMap((proclitic) => {
    const isStemLongEnough =
      text.length - proclitic.length >= (proclitic.length > 1 ? minPrefixedLetters : minStemLetters);
    return isStemLongEnough && text.startsWith(proclitic) ? [text.slice(proclitic.length)] : [];
  });
  const spellings = new Set(
    [text, ...stems].flatMap((word) => [word, ...proclitics.map((proclitic) => proclitic + word)]),
  );
  spellings.delete(text);
  return [...spellings];
}

/**
 * Minimum number of letters in a word to which a proclitic (an attached word, such as "the" in Arabic) is added. Also
 * the minimum that must remain after a proclitic of several letters is removed.
 */
const minPrefixedLetters = 2;
/** Minimum number of letters that must remain after a proclitic of one letter is removed. */
const minStemLetters = 3;

/** Returns all texts in which other characters replace one or more of the characters of a text. */
function replaceCharacters(text: string, listOthers: (character: string) => readonly string[] | undefined): string[] {
  let texts = [""];
  for (const character of text) {
    const alternatives = [character, ...(listOthers(character) ?? [])];
    texts = texts.flatMap((prefix) => alternatives.map((alternative) => prefix + alternative));
  }
  return texts.slice(1);
}

/**
 * Replaces the ASCII spelling of letters in a word: "kuehler" by "kuhler", because "ü" is folded to "u". The second
 * letter of a diphthong is not replaced: "neue" remains.
 */
export function replaceDigraphs(text: string, locale: string): string {
  const digraphs = languageOf(locale)?.digraphs;
  if (digraphs === undefined) return text;
  return text.replace(/(?<![aeioq])(?:aa|ae|oe|ue)/g, (digraph) => digraphs.get(digraph) ?? digraph);
}

/**
 * Returns a code of letters and digits in the Latin, Cyrillic, and Greek alphabet, if each of its letters looks like a
 * letter of that alphabet.
 */
function listCodeSpellings(text: string): readonly string[] {
  const latinText = text.replace(/[^0-9]/g, (letter) => latinLookalikes.get(letter) ?? letter);
  if (!/^[0-9]*[a-z][a-z0-9]*$/.test(latinText)) return emptySpellings;
  const spellings = alphabets.map((alphabet) =>
    latinText.replace(/[a-z]/g, (letter) => alphabet[latinAlphabet.indexOf(letter)] ?? " "),
  );
  return [latinText, ...spellings].filter((spelling) => spelling !== text && !spelling.includes(" "));
}

/** Latin letters whose capitals look like letters of another alphabet. */
const latinAlphabet = "abcehikmnoptxyz";
/** Cyrillic and Greek letters that look like the Latin letter at the same index. A blank stands for no such letter. */
const alphabets: readonly string[] = ["авсенікм ортху ", "αβ εηικμνορτχυζ"];
const latinLookalikes: ReadonlyMap<string, string> = new Map(
  alphabets.flatMap((alphabet) =>
    Array.from(alphabet, (letter, index): [string, string] => [letter, latinAlphabet.charAt(index)]),
  ),
);

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

const emptySpellings: readonly string[] = Object.freeze([]);
