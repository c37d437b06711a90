import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, type Random } from "../../../../bench/random.ts";
import { dataFolder } from "../../../../bench/store.ts";
import { canEdit, type EditKind, edit, editKinds, wordsOf } from "./edits.ts";

/** A query with one misspelled word. */
export interface Misspelt {
  /** Typed text. */
  readonly text: string;
  /** Intended words. */
  readonly meant: readonly string[];
  /** Title of the intended product. */
  readonly title: string;
}

/** Maximum number of typed words of a title, because shoppers rarely type more. */
const maxWords = 3;

/**
 * Returns the first words of random titles with one edit in one word. An edit never results in another word of the
 * catalog.
 * @param kinds kinds of edits, of which each query gets a random one
 */
export function randomEdits(
  titles: readonly string[],
  count: number,
  kinds: readonly EditKind[] = editKinds,
): Misspelt[] {
  const random = createRandom(11);
  const known = vocabulary(titles);
  return collect(titles, count, random, (word) => {
    if (!canEdit(word)) return undefined;
    const made = edit(word, random.pick(kinds), random);
    return known.has(made) ? undefined : made;
  });
}

/**
 * Like `randomEdits`, but with real misspellings. Transpositions of adjacent letters are excluded.
 * @returns fewer than `count` if the lists misspell few words of the catalog
 */
export function listedSpellings(titles: readonly string[], count: number): Misspelt[] {
  const random = createRandom(12);
  const known = vocabulary(titles);
  const wrong = readSpellings();
  return collect(titles, count, random, (word) => {
    const spellings = (wrong.get(word) ?? []).filter((spelling) => !known.has(spelling) && !isSwap(spelling, word));
    return canEdit(word) && spellings.length > 0 ? random.pick(spellings) : undefined;
  });
}

function collect(
  titles: readonly string[],
  count: number,
  random: Random,
  misspell: (word: string) => string | undefined,
): Misspelt[] {
  const found: Misspelt[] = [];
  for (const title of random.sample(titles, titles.length)) {
    if (found.length === count) break;
    const words = typedWords(title);
    const places = random.sample([...words.keys()], words.length);
    for (const place of places) {
      const spelling = misspell(words[place] ?? "");
      if (spelling === undefined) continue;
      const from = Math.max(0, Math.min(place - random.below(maxWords), words.length - maxWords));
      const right = words.slice(from, from + maxWords);
      const typed = right.map((word, index) => (from + index === place ? spelling : word));
      found.push({ text: typed.join(" "), meant: right.flatMap(wordsOf), title });
      break;
    }
  }
  return found;
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

/** Reads both lists of misspellings: wrong spellings by correct word. */
function readSpellings(): ReadonlyMap<string, readonly string[]> {
  const spellings = new Map<string, string[]>();
  const add = (right: string, wrong: string): void => {
    if (!/^\p{L}+$/u.test(wrong) || right === wrong) return;
    const list = spellings.get(right);
    if (list === undefined) spellings.set(right, [wrong]);
    else list.push(wrong);
  };
  const folder = join(dataFolder(), "misspellings");
  for (const line of readFileSync(join(folder, "codespell-dictionary.txt"), "utf8").split("\n")) {
    const [wrong = "", rights = ""] = line.toLowerCase().split("->");
    // A misspelling of several words is ambiguous.
    if (!rights.includes(",")) add(rights.trim(), wrong);
  }
  const seen = JSON.parse(readFileSync(join(folder, "nlaugmenter_spell_errors.json"), "utf8")) as Record<
    string,
    string[]
  >;
  for (const [right, wrongs] of Object.entries(seen)) for (const wrong of wrongs) add(right, wrong.toLowerCase());
  return spellings;
}

function isSwap(spelling: string, word: string): boolean {
  if (spelling.length !== word.length) return false;
  const at = [...word].findIndex((letter, index) => letter !== spelling[index]);
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === spelling;
}

/**
 * Returns whether a title contains all intended words, also as a prefix of a longer word or as the singular ("cell
 * phones").
 */
export function holdsAll(title: string, meant: readonly string[]): boolean {
  const words = wordsOf(title);
  return meant.every((word) => words.some((held) => held.startsWith(word) || isPluralOf(word, held)));
}

function isPluralOf(word: string, singular: string): boolean {
  return word.startsWith(singular) && pluralEndings.has(word.slice(singular.length));
}

/** Plural endings in the languages of the catalogs. */
const pluralEndings: ReadonlySet<string> = new Set(["s", "es", "e", "n", "en"]);
