import { wordsOfTitles } from "../../packages/search/bench/completions/query-lists.ts";
import { keystrokes, realQueries } from "../../packages/search/bench/keystrokes-typed.ts";
import { catalogueFile, flatFile } from "../catalogs.ts";
import { createRandom } from "../random.ts";

/** Texts typed letter by letter, each once. */
export interface TypedTexts {
  /** Not sent to any server before. */
  readonly measured: readonly string[];
  /** Texts of the same kind to warm up with. */
  readonly others: readonly string[];
}

/**
 * Half are queries that shoppers typed in two shops, half words of the catalog's titles; the prefixes of each query in
 * sequence, the queries in random order. There are enough that none repeats.
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

/** Half of the available ones. */
const realCount = 397;
/** Queries from titles, for both halves. */
const titleCount = 24_000;
