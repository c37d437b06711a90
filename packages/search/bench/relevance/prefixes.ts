import { createRandom } from "../../../../bench/random.ts";
import type { Answer } from "../run-engine.ts";

/** Maximum number of typed letters of a title. */
const maxLetters = 40;
const targetRank = 3;

/** Returns random titles to type letter by letter. */
export function drawTitles(titles: readonly string[], count: number): string[] {
  return createRandom(13).sample(titles, count);
}

/** Returns all typed prefixes of a title. */
export function beginnings(title: string): string[] {
  const letters = [...title.replace(/\s+/g, " ").trim()].slice(0, maxLetters);
  return letters.map((_, at) => letters.slice(0, at + 1).join(""));
}

/**
 * Returns the number of letters until a product with the title is among the first three, or one more than the typed
 * letters if it never is.
 * @param answers one per prefix
 */
export function lettersNeeded(title: string, answers: readonly Answer[], titles: readonly string[]): number {
  const at = answers.findIndex(({ hits }) => hits.slice(0, targetRank).some((number) => titles[number] === title));
  return at < 0 ? answers.length + 1 : at + 1;
}
