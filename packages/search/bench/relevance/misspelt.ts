import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, type Random } from "../../../../bench/random.ts";
import { dataFolder } from "../../../../bench/store.ts";
import { getOrCreate } from "../../../../src/runtime/cache.ts";
import { canEdit, type EditKind, edit, editKinds, wordsOf } from "./edits.ts";

/** A query with one misspelled word. */
export interface MisspelledQuery {
  /** Query as typed, with the misspelling. */
  readonly text: string;
  /** Words of the query in the correct spelling. */
  readonly intendedWords: readonly string[];
  /** Title of the intended product. */
  readonly title: string;
}

/** Maximum number of words of a title that are typed, because shoppers rarely type more. */
const maxWords = 3;

/**
 * Returns queries of the first words of random titles, with one random typing mistake each. The misspelled word is
 * never another word of the catalog.
 * @param kinds kinds of mistakes from which one is chosen at random for each query
 */
export function randomEdits(
  titles: readonly string[],
  count: number,
  kinds: readonly EditKind[] = editKinds,
): MisspelledQuery[] {
  const random = createRandom(11);
  const vocabularyWords = vocabulary(titles);
  return collectQueries(titles, count, random, (word) => {
    if (!canEdit(word)) return undefined;
    const editedWord = edit(word, random.pick(kinds), random);
    return vocabularyWords.has(editedWord) ? undefined : editedWord;
  });
}

/**
 * Returns queries of the first words of random titles, with one common misspelling each. Swaps of two adjacent letters
 * are excluded.
 * @returns fewer than `count` queries if the lists contain misspellings of only a few words of the catalog
 */
export function listedSpellings(titles: readonly string[], count: number): MisspelledQuery[] {
  const random = createRandom(12);
  const vocabularyWords = vocabulary(titles);
  const spellingsByWord = readSpellings();
  return collectQueries(titles, count, random, (word) => {
    const spellings = (spellingsByWord.get(word) ?? []).filter(
      (spelling) => !vocabularyWords.has(spelling) && !isSwap(spelling, word),
    );
    return canEdit(word) && spellings.length > 0 ? random.pick(spellings) : undefined;
  });
}

function collectQueries(
  titles: readonly string[],
  count: number,
  random: Random,
  misspell: (word: string) => string | undefined,
): MisspelledQuery[] {
  const queries: MisspelledQuery[] = [];
  for (const title of random.sample(titles, titles.length)) {
    if (queries.length === count) break;
    const words = typedWords(title);
    const wordIndexes = random.sample([...words.keys()], words.length);
    for (const wordIndex of wordIndexes) {
      const spelling = misspell(words[wordIndex] ?? "");
      if (spelling === undefined) continue;
      const from = Math.max(0, Math.min(wordIndex - random.below(maxWords), words.length - maxWords));
      const correctWords = words.slice(from, from + maxWords);
      const typedText = correctWords.map((word, index) => (from + index === wordIndex ? spelling : word));
      queries.push({ text: typedText.join(" "), intendedWords: correctWords.flatMap(wordsOf), title });
      break;
    }
  }
  return queries;
}

/**
 * Returns the words of a title as shoppers type them: separated by spaces, in lower case, without surrounding
 * punctuation.
 */
function typedWords(title: string): string[] {
  return title
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((word) => word !== "");
}

function vocabulary(titles: readonly string[]): ReadonlySet<string> {
  return new Set(titles.flatMap(wordsOf));
}

/** Reads both lists of misspellings. Returns the wrong spellings of each word. */
function readSpellings(): ReadonlyMap<string, readonly string[]> {
  const spellings = new Map<string, string[]>();
  const add = (correctWord: string, spelling: string): void => {
    if (!/^\p{L}+$/u.test(spelling) || correctWord === spelling) return;
    getOrCreate(spellings, correctWord, () => []).push(spelling);
  };
  const folder = join(dataFolder(), "misspellings");
  for (const line of readFileSync(join(folder, "codespell-dictionary.txt"), "utf8").split("\n")) {
    const [wrong = "", correctWords = ""] = line.toLowerCase().split("->");
    // A misspelling with several possible corrections is ambiguous.
    if (!correctWords.includes(",")) add(correctWords.trim(), wrong);
  }
  const errorList = JSON.parse(readFileSync(join(folder, "nlaugmenter_spell_errors.json"), "utf8")) as Record<
    string,
    string[]
  >;
  for (const [right, wrongs] of Object.entries(errorList)) for (const wrong of wrongs) add(right, wrong.toLowerCase());
  return spellings;
}

function isSwap(spelling: string, word: string): boolean {
  if (spelling.length !== word.length) return false;
  const index = [...word].findIndex((letter, index) => letter !== spelling[index]);
  return word.slice(0, index) + word[index + 1] + word[index] + word.slice(index + 2) === spelling;
}

/**
 * Returns whether a title contains all intended words. A word may also be the start of a longer word, or match its
 * singular form.
 */
export function hasAllWords(title: string, intendedWords: readonly string[]): boolean {
  const words = wordsOf(title);
  return intendedWords.every((word) =>
    words.some((titleWord) => titleWord.startsWith(word) || isPluralOf(word, titleWord)),
  );
}

function isPluralOf(word: string, singular: string): boolean {
  return word.startsWith(singular) && pluralEndings.has(word.slice(singular.length));
}

/** Plural endings in the languages of the catalogs. */
const pluralEndings: ReadonlySet<string> = new Set(["s", "es", "e", "n", "en"]);
