import { wordsOfTitles } from "../../packages/search/bench/completions/query-lists.ts";
import { misspell, prefixesOf, realQueries } from "../../packages/search/bench/keystrokes-typed.ts";
import { catalogueFile, flatFile } from "../catalogs.ts";
import { createRandom } from "../random.ts";

/** Texts that are typed letter by letter, without repetitions. */
export interface TypedTexts {
  /** Texts that no server received before. */
  readonly measuredTexts: readonly string[];
  /** Texts of the same kind to warm up with. */
  readonly warmUpTexts: readonly string[];
}

/**
 * Returns queries that shoppers typed in two shops, and as many queries of words from titles of the catalog. Queries
 * are in random order, and the prefixes of each are consecutive. There are enough queries that none repeats.
 * @param isMisspelled whether each query has one typing mistake
 */
export async function typedTexts(isMisspelled = false): Promise<TypedTexts> {
  const shopQueries = realQueries(realQueryCount);
  const titles = wordsOfTitles(await flatFile(catalogueFile("products-100k")), titleQueryCount);
  const random = createRandom(13);
  const correctOrMisspelled = isMisspelled ? misspell : (queries: readonly string[]) => queries;
  const shufflePrefixes = (queries: readonly string[]): string[] => [
    ...new Set(correctOrMisspelled(random.sample(queries, queries.length)).flatMap(prefixesOf)),
  ];
  const halfCount = titles.length / 2;
  const measuredTexts = shufflePrefixes([...shopQueries.measuredQueries, ...titles.slice(0, halfCount)]);
  const measuredSet = new Set(measuredTexts);
  return {
    measuredTexts,
    warmUpTexts: shufflePrefixes([...shopQueries.warmUpQueries, ...titles.slice(halfCount)]).filter(
      (text) => !measuredSet.has(text),
    ),
  };
}

/** Number of real queries to measure, which is half of all real queries. */
const realQueryCount = 397;
/** Number of queries from titles, for both halves. */
const titleQueryCount = 24_000;
