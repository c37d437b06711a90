import { createRandom } from "../../../../bench/random.ts";
import type { Answer } from "../run-engine.ts";

/** Maximum typed letters of a title. */
const maxLetters = 40;
const targetRank = 3;

/** Titles by chance, to be typed letter by letter. */
export function drawTitles(titles: readonly string[], count: number): string[] {
  return createRandom(13).sample(titles, count);
}

/** All typed prefixes of a title. */
export function beginnings(title: string): string[] {
  const letters = [...title.replace(/\s+/g, " ").trim()].slice(0, maxLetters);
  return letters.map((_, at) => letters.slice(0, at + 1).join(""));
}

/**
 * Number of letters until a product with that title is among the first three; one more than typed if it never is.
 * @param answers one per prefix
 */
export function lettersNeeded(title: string, answers: readonly Answer[], titles: readonly string[]): number {
  const at = answers.findIndex(({ hits }) => hits.slice(0, targetRank).some((number) => titles[number] === title));
  return at < 0 ? answers.length + 1 : at + 1;
}
