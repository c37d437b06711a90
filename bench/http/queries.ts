import { wordsOfTitles } from "../../packages/search/bench/completions/query-lists.ts";
import { keystrokes, realQueries } from "../../packages/search/bench/keystrokes-typed.ts";
import { catalogueFile, flatFile } from "../catalogs.ts";
import { createRandom } from "../random.ts";

/** What is typed letter by letter, each text once. */
export interface TypedTexts {
  /** No server was asked one of them. */
  readonly measured: readonly string[];
  /** Of the same kind, to warm up with. */
  readonly others: readonly string[];
}

/** Half of the queries that shoppers typed in two shops, and words of titles of the catalogue, as who knows the thing would type them; the letters of a
 *  query one after the other, the queries by chance. There are so many that none has to be asked twice. */
export async function typedTexts(): Promise<TypedTexts> {
  const real = realQueries(realCount);
  const titles = wordsOfTitles(await flatFile(catalogueFile("products-100k")), titleCount);
  const random = createRandom(13);
  const mix = (some: readonly string[]): string[] => [...new Set(keystrokes(random.sample(some, some.length)))];
  const half = titles.length / 2;
  const measured = mix([...real.measured, ...titles.slice(0, half)]);
  const known = new Set(measured);
  return {
    measured,
    others: mix([...real.others, ...titles.slice(half)]).filter((text) => !known.has(text)),
  };
}

/** Half of what there is. */
const realCount = 397;
/** Queries made of titles, for both. */
const titleCount = 24_000;
