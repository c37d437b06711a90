import { isDeepStrictEqual } from "node:util";
import { predictiveHits } from "../predictive-search/predictive-search.ts";
import type { SearchContext } from "../predictive-search/search-context.ts";

/** A search that is made again. */
export interface ReplayedSearch {
  readonly q: string;
  readonly locale: string;
  /** How many made it; 0: nobody, it comes from the catalogue. */
  readonly searched: number;
}

/** The first results of a search. */
export interface FirstResults {
  /** Document numbers of products, best first. */
  readonly products: readonly number[];
  readonly redirect?: string;
}

export interface ReplayChange extends ReplayedSearch {
  readonly before: FirstResults;
  readonly after: FirstResults;
}

export interface ReplayReport {
  readonly searches: number;
  /** Searches whose first results differ. */
  readonly changed: number;
  /** Of these the ones that most made, most first. */
  readonly changes: readonly ReplayChange[];
  readonly ms: number;
}

/** Products that are compared. */
export const firstResults = 5;
/** Changes that are told of. */
const MOST_TOLD = 100;
/** Milliseconds after which others come in between. */
const SHARE_MS = 4;

/** Makes searches under two sets of rules, and tells where the first results differ.
 *  @param options.hasSameSynonyms the others of their rules differ alone: a search for which these say the same finds the same
 *  @param options.turn waits until others were let in */
export async function replay(
  searches: Iterable<ReplayedSearch>,
  before: Omit<SearchContext, "locale">,
  after: Omit<SearchContext, "locale">,
  { hasSameSynonyms, turn }: { readonly hasSameSynonyms: boolean; readonly turn: () => Promise<void> },
): Promise<ReplayReport> {
  const start = performance.now();
  const changes: ReplayChange[] = [];
  let [made, until] = [0, start + SHARE_MS];
  for (const search of searches) {
    made += 1;
    const { q, locale } = search;
    const isDone =
      hasSameSynonyms && isDeepStrictEqual(before.rules?.forQuery(q, locale), after.rules?.forQuery(q, locale));
    if (!isDone) {
      const [one, other] = [firstOf(search, before), firstOf(search, after)];
      if (!isSame(one, other)) changes.push({ ...search, before: one, after: other });
    }
    if (performance.now() < until) continue;
    await turn();
    until = performance.now() + SHARE_MS;
  }
  changes.sort((one, other) => other.searched - one.searched);
  const ms = performance.now() - start;
  return { searches: made, changed: changes.length, changes: changes.slice(0, MOST_TOLD), ms };
}

function firstOf({ q, locale }: ReplayedSearch, at: Omit<SearchContext, "locale">): FirstResults {
  const asked = {
    q,
    types: ["product"],
    limit: firstResults,
    limitScope: "each",
    unavailableProducts: "last",
  } as const;
  const { hits, redirect } = predictiveHits(asked, { ...at, locale });
  return {
    products: hits.product.map(({ externalId }) => externalId),
    ...(redirect === undefined ? {} : { redirect }),
  };
}

function isSame(one: FirstResults, other: FirstResults): boolean {
  return (
    one.redirect === other.redirect &&
    one.products.length === other.products.length &&
    one.products.every((number, at) => number === other.products[at])
  );
}
