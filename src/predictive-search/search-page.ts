import { LRUCache } from "lru-cache";
import type { Entry } from "../catalog/catalog.ts";
import type { Query, SearchIndex } from "../search/search-index.ts";
import { hidingSoldOut, partition } from "./live-availability.ts";
import { comesAndGoes, entriesOf, searchQuery } from "./predictive-search.ts";
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

/** One page of everything that matches, best first whatever its type. A page past the last has no entries. What was found is kept with the index: the
 *  other pages, and the number of results, need no search. */
export function searchPage(params: SearchPageParams, at: SearchContext): SearchPage {
  const asked = { ...params, unavailableProducts: params.unavailableProducts ?? "last" };
  const { numbers, complete } = keptOrFound(asked, at);
  const start = (params.page - 1) * params.perPage;
  const shown = [...numbers.subarray(start, start + params.perPage)];
  // Sold out since the index was built: at the end of the page, where they come last.
  const isSoldOut = (number: number): boolean => at.catalog.availableNow(number) === false;
  const [last, first] = asked.unavailableProducts === "last" ? partition(shown, isSoldOut) : [[], shown];
  const hits = [...first, ...last].map((externalId) => ({ externalId }));
  return { terms: params.q, total: numbers.length, complete, entries: entriesOf(hits, at) };
}

type Asked = SearchPageParams & Pick<SuggestParams, "unavailableProducts">;

/** All pages of a search. */
interface Found {
  /** Document numbers, best first. */
  readonly numbers: Uint32Array;
  readonly complete: number;
  /** Of the stock, where what is sold out is hidden. */
  readonly epoch?: number;
  /** Entries that come and go with time which the search met, and whether they were there. */
  readonly met: readonly { readonly number: number; readonly type: number; readonly isThere: boolean }[];
}

const found = new WeakMap<SearchIndex, LRUCache<string, Found>>();

/** What was found holds for as long as the entries that come and go are there, or are not, as they were. */
function keptOrFound(asked: Asked, at: SearchContext): Found {
  let kept = found.get(at.index);
  if (kept === undefined) {
    kept = new LRUCache({ maxSize: maxKeptBytes });
    found.set(at.index, kept);
  }
  const { q, types, unavailableProducts, fields } = asked;
  const name = JSON.stringify([at.locale, at.typoTolerance, at.rules?.revision, types, unavailableProducts, fields, q]);
  const query = { ...searchQuery({ ...asked, limit: maxResults }, at), fill: filledResults };
  const known = kept.get(name);
  const hides = unavailableProducts === "hide";
  if (hides) at.catalog.stock.noteAll();
  const epoch = hides ? { epoch: at.catalog.stock.epoch() } : {};
  if (
    known?.epoch === epoch.epoch &&
    known?.met.every(({ number, type, isThere }) => isAccepted(query, number, type) === isThere)
  )
    return known;
  const made = { ...find(hidingSoldOut(query, at.catalog), asked, at), ...epoch };
  if (made.met.length > maxMet) return made;
  kept.set(name, made, { size: made.numbers.byteLength + 2 * name.length + 100 * (1 + made.met.length) });
  return made;
}

function find(query: Query, asked: Asked, at: SearchContext): Found {
  const met: Found["met"][number][] = [];
  const accept: Query["accept"] = (number, type, isAvailable) => {
    const isThere = query.accept?.(number, type, isAvailable) !== false;
    if (comesAndGoes(type)) met.push({ number, type, isThere });
    return isThere;
  };
  const hits = [...withPins(at.index.search({ ...query, accept }), asked, at).values()].flat();
  hits.sort((one, other) => other.score - one.score || one.type - other.type || one.externalId - other.externalId);
  const complete = hits.filter(({ missing }) => missing === 0).length;
  const shown = hits.slice(0, Math.max(complete, filledResults));
  return { numbers: Uint32Array.from(shown, ({ externalId }) => externalId), complete, met };
}

function isAccepted({ accept }: Query, number: number, type: number): boolean {
  return accept?.(number, type, true) !== false;
}

/** Bytes of what is kept for one index: thousands of searches that find little, some hundreds that find much. */
const maxKeptBytes = 8 * 1_024 * 1_024;
/** Entries that come and go up to which a search is kept: each is looked at again whenever what was found is used. */
const maxMet = 200;
