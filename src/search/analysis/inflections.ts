import type { QueryWord } from "../query/parse.ts";
import { hasDigit } from "./chunks.ts";

/** Singular and plural of a word, where one is written by the other. The beginnings of plurals are in it too ("berri" for
 *  "berry"), so that no letter typed on the kind to one loses what was found.
 *  @param locale whose words they are */
export function forms(word: Pick<QueryWord, "text" | "isGram">, locale: string): string[] {
  const { text } = word;
  const language = locale.slice(0, 2).toLowerCase();
  if (word.isGram || text.length < 2 || hasDigit(text) || isArticle(text, language)) return [];
  const found = new Set([`${text}s`, `${text}es`]);
  if (text.length > 3 && text.endsWith("s") && !text.endsWith("ss")) found.add(text.slice(0, -1));
  found.add(text.replace(/(?<=(?:s|x|z|ch|sh))es?$/, ""));
  found.add(text.replace(/(?<=..[^aeiou])i(?:es?)?$/, "y"));
  if (/..[^aeiou]y$/.test(text)) found.add(`${text.slice(0, -1)}ies`);
  for (const [singular, plural] of endings.get(language) ?? []) {
    if (text.length <= shortestStem) continue;
    if (text.endsWith(singular)) found.add(text.slice(0, text.length - singular.length) + plural);
    if (text.endsWith(plural) && text.length - plural.length >= shortestStem)
      found.add(text.slice(0, text.length - plural.length) + singular);
  }
  found.delete(text);
  return [...found].filter((form) => !isArticle(form, language));
}

/** Articles have no plural: "dere" is no "der", but "deer" misspelt. */
function isArticle(text: string, language: string): boolean {
  return articles.get(language)?.has(text) === true;
}

const articles: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["en", new Set(["a", "an", "the"])],
  ["de", new Set(["der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines"])],
  ["nl", new Set(["de", "het", "een"])],
  ["fr", new Set(["le", "la", "les", "un", "une", "des", "du"])],
  ["es", new Set(["el", "la", "los", "las", "un", "una", "unos", "unas"])],
  ["pt", new Set(["o", "a", "os", "as", "um", "uma", "uns", "umas"])],
  ["it", new Set(["il", "lo", "la", "i", "gli", "le", "un", "uno", "una"])],
  ["sv", new Set(["en", "ett"])],
  ["da", new Set(["en", "et"])],
  ["nb", new Set(["en", "ei", "et"])],
]);

/** Letters that stay when a plural ending is cut. */
const shortestStem = 3;
/** By language: endings of the singular and of the plural, without accents. */
const endings: ReadonlyMap<string, readonly (readonly [string, string])[]> = new Map([
  [
    "de",
    [
      ["", "e"],
      ["", "en"],
      // "Lampen", "Gabeln", "Federn"; "brow" is no "brown".
      ["e", "en"],
      ["el", "eln"],
      ["er", "ern"],
      ["", "er"],
      ["in", "innen"],
    ],
  ],
  [
    "nl",
    [
      ["", "en"],
      ["e", "en"],
      ["", "eren"],
    ],
  ],
  [
    "fr",
    [
      ["", "x"],
      ["al", "aux"],
      ["ail", "aux"],
      ["f", "ves"],
    ],
  ],
  ["es", [["z", "ces"]]],
  [
    "pt",
    [
      ["ao", "oes"],
      ["l", "is"],
      ["m", "ns"],
    ],
  ],
  [
    "it",
    [
      ["o", "i"],
      ["a", "e"],
      ["e", "i"],
      ["ca", "che"],
      ["co", "chi"],
      ["go", "ghi"],
      ["ga", "ghe"],
    ],
  ],
  [
    "sv",
    [
      ["", "ar"],
      ["", "or"],
      ["", "er"],
      ["e", "en"],
      ["a", "an"],
      ["o", "on"],
      ["a", "or"],
    ],
  ],
  [
    "da",
    [
      ["", "e"],
      ["", "er"],
      ["e", "er"],
    ],
  ],
  [
    "nb",
    [
      ["", "e"],
      ["", "er"],
      ["e", "er"],
    ],
  ],
  [
    "pl",
    [
      ["", "y"],
      ["", "i"],
      ["a", "y"],
      ["a", "i"],
    ],
  ],
]);
