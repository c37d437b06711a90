import { createRandom } from "../../../../bench/random.ts";
import type { Answer } from "../run-engine.ts";

/** Letters of a title that are typed at most. */
const mostLetters = 40;
const wantedAmong = 3;

/** Titles by chance, to be typed letter by letter. */
export function drawTitles(titles: readonly string[], count: number): string[] {
  return createRandom(13).sample(titles, count);
}

/** All the beginnings of a title that are typed. */
export function beginnings(title: string): string[] {
  const letters = [...title.replace(/\s+/g, " ").trim()].slice(0, mostLetters);
  return letters.map((_, at) => letters.slice(0, at + 1).join(""));
}

/** Letters until a product of that title is among the first three; one more than were typed where it never is.
 *  @param answers one a beginning */
export function lettersNeeded(title: string, answers: readonly Answer[], titles: readonly string[]): number {
  const at = answers.findIndex(({ hits }) => hits.slice(0, wantedAmong).some((number) => titles[number] === title));
  return at < 0 ? answers.length + 1 : at + 1;
}
