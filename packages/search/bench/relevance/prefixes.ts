import { createRandom } from "../../../../bench/random.ts";
import type { Answer } from "../run-engine.ts";

/** Maximum number of typed letters of a title. */
const maxLetters = 40;
const targetRank = 3;

/** Returns random titles to type letter by letter. */
export function sampleTitles(titles: readonly string[], count: number): string[] {
  return createRandom(13).sample(titles, count);
}

/** Returns all typed prefixes of a title. */
export function prefixesOf(title: string): string[] {
  const letters = [...title.replace(/\s+/g, " ").trim()].slice(0, maxLetters);
  return letters.map((_, prefixIndex) => letters.slice(0, prefixIndex + 1).join(""));
}

/**
 * Returns the number of typed letters until a product with the title is among the first three results. Returns the
 * number of prefixes + 1 if it never is.
 * @param answers results of each prefix
 */
export function countNeededLetters(title: string, answers: readonly Answer[], titles: readonly string[]): number {
  const prefixIndex = answers.findIndex(({ hits }) =>
    hits.slice(0, targetRank).some((number) => titles[number] === title),
  );
  return prefixIndex < 0 ? answers.length + 1 : prefixIndex + 1;
}
