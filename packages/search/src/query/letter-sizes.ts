import { isDigit } from "../analysis/chunks.ts";
import { languageOf } from "../analysis/languages/registry.ts";
import { isSizeWord } from "../analysis/units.ts";
import type { QueryWord } from "./parse.ts";

/** Equal names of each letter size. */
const letterSizes: readonly (readonly string[])[] = [
  ["xxs", "2xs", "xx small"],
  ["xs", "x small", "extra small"],
  ["s", "small"],
  ["m", "medium"],
  ["l", "large"],
  ["xl", "x large", "extra large"],
  ["xxl", "2xl", "xx large"],
  ["xxxl", "3xl", "xxx large"],
  ["xxxxl", "4xl"],
];
const namesByName: ReadonlyMap<string, readonly string[]> = new Map(
  letterSizes.flatMap((names) => names.map((name) => [name, names] as const)),
);
/** Last words of the names. Most words of a query are none of them. */
const lastNameWords: ReadonlySet<string> = new Set(
  letterSizes.flat().map((name) => name.slice(name.lastIndexOf(" ") + 1)),
);

/** A letter size in a query, with the word before it that means "size". */
interface LetterSize {
  readonly from: number;
  readonly to: number;
  /** Other phrases for the size: "gr m" and "size medium" for "größe m". */
  readonly phrases: readonly (readonly string[])[];
  /** Names of the size: "m" and "medium" for "größe m". */
  readonly names: readonly (readonly string[])[];
}

/** Finds the letter sizes of a query after a word such as "size".  @param locale language of the documents */
export function findLetterSizes(words: readonly QueryWord[], locale: string): LetterSize[] {
  const sizes: LetterSize[] = [];
  words.forEach((_, last) => {
    const names = findNames(words, last);
    if (names === undefined) return;
    const first = namesByName.has(joinWithPrevious(words, last)) ? last - 1 : last;
    const from = first - 1;
    if (!isSizeWord(words[from]?.text ?? "", false)) return;
    const typedText = words
      .slice(from, last + 1)
      .map(({ text }) => text)
      .join(" ");
    const phrases = listSizeWords(locale).flatMap((sizeWord) => names.map((name) => `${sizeWord} ${name}`));
    sizes.push({
      from,
      to: last + 1,
      phrases: phrases.filter((phrase) => !phrase.endsWith(typedText)).map(splitWords),
      names: names.map(splitWords),
    });
  });
  return sizes;
}

/** Returns whether a word means "size" and a size follows, such as "größe" in "größe m" and "size" in "size 42". */
export function isSizeLabel(words: readonly QueryWord[], index: number): boolean {
  const nextWord = words[index + 1];
  if (nextWord === undefined || !isSizeWord(words[index]?.text ?? "", false)) return false;
  return (
    isDigit(nextWord.text.charCodeAt(0)) ||
    findNames(words, index + 1) !== undefined ||
    namesByName.has(joinWithPrevious(words, index + 2))
  );
}

/** Returns the equal names of the letter size that ends with a word. */
function findNames(words: readonly QueryWord[], last: number): readonly string[] | undefined {
  const text = words[last]?.text ?? "";
  if (!lastNameWords.has(text)) return undefined;
  return namesByName.get(joinWithPrevious(words, last)) ?? namesByName.get(text);
}

function joinWithPrevious(words: readonly QueryWord[], index: number): string {
  return `${words[index - 1]?.text} ${words[index]?.text}`;
}

function splitWords(phrase: string): string[] {
  return phrase.split(" ");
}

function listSizeWords(locale: string): string[] {
  const sizeWords = languageOf(locale)?.sizes?.filter((word) => !word.endsWith(".")) ?? [];
  return [...new Set([...sizeWords, "size"])];
}
