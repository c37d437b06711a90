import type { Entry } from "../catalog/catalog.ts";
import { entriesOf, searchQuery } from "./predictive-search.ts";
import { withPins } from "./rules/pinned-hits.ts";
import type { SearchContext } from "./search-context.ts";
import type { ResourceType, SuggestParams } from "./suggest-params.ts";

/** What the full results page was asked for. */
export interface SearchPageParams extends Pick<SuggestParams, "fields"> {
  readonly q: string;
  /** `query` is no resource and finds nothing here. */
  readonly types: readonly ResourceType[];
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  /** Default `last`. */
  readonly unavailableProducts?: SuggestParams["unavailableProducts"];
}

export interface SearchPage {
  readonly terms: string;
  /** Hits on all pages; beyond `maxResults` they are not counted. */
  readonly total: number;
  /** Those of them that hold all words; they come first, and the others lack some. */
  readonly complete: number;
  readonly entries: readonly Entry[];
}

/** Whether what was searched is there just as it was typed, word by word. */
export function isFoundExactly(q: string, at: SearchContext): boolean {
  return at.index.findsExactly(searchQuery({ q, types: [], limit: 0, unavailableProducts: "show" }, at));
}

/** Results of one type that are ordered and counted. */
export const maxResults = 5_000;
/** Results up to which those that lack words are shown behind those that hold all: some pages, as nobody leafs through what hardly fits. */
const filledResults = 96;

/** One page of everything that matches, best first whatever its type. A page past the last has no entries. */
export function searchPage(params: SearchPageParams, at: SearchContext): SearchPage {
  const asked = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  const found = at.index.search({ ...searchQuery({ ...asked, limit: maxResults }, at), fill: filledResults });
  const hits = [...withPins(found, asked, at).values()].flat();
  hits.sort((one, other) => other.score - one.score || one.type - other.type || one.externalId - other.externalId);
  const complete = hits.filter(({ missing }) => missing === 0).length;
  const shown = hits.slice(0, Math.max(complete, filledResults));
  const start = (params.page - 1) * params.perPage;
  const entries = entriesOf(shown.slice(start, start + params.perPage), at);
  return { terms: params.q, total: shown.length, complete, entries };
}
