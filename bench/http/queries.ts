import { wordsOfTitles } from "../../packages/search/bench/completions/query-lists.ts";
import { keystrokes, realQueries } from "../../packages/search/bench/keystrokes-typed.ts";
import { catalogueFile, flatFile } from "../catalogs.ts";
import { createRandom } from "../random.ts";

/** Texts that are typed letter by letter, without repetitions. */
export interface TypedTexts {
  /** Texts that no server received before. */
  readonly measured: readonly string[];
  /** Texts of the same kind to warm up with. */
  readonly others: readonly string[];
}

/**
 * Returns queries that shoppers typed in two shops, and as many queries of words from titles of the catalog. Queries
 * are in random order, and the prefixes of each are consecutive. There are enough queries that none repeats.
 */
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

/** Number of real queries to measure, which is half of all real queries. */
const realCount = 397;
/** Number of queries from titles, for both halves. */
const titleCount = 24_000;
