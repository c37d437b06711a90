import { createCache } from "../runtime/cache.ts";
import type { ProductEvent, SearchEvent, VisitorSearch } from "./signals.ts";

/** Milliseconds after a search during which clicks are attributed to it. */
const MAX_AGE_MS = 30 * 60_000;
/** Maximum number of visitors in memory, about 10 MB. The least recently active visitor is removed first. */
const MAX_VISITORS = 10_000;
/** Maximum number of pages stored for a visitor. The same limit applies to products. */
const MAX_ENTRIES = 8;

interface VisitorSearches {
  readonly searchesByPage: Map<string, TimedSearch>;
  /** By product, the search that led to the latest click on the product. */
  readonly searchesByProduct: Map<string, TimedSearch>;
  /** By product, the search that led to the latest addition of the product to the cart. */
  readonly searchesByAddedProduct: Map<string, TimedSearch>;
}

interface TimedSearch {
  readonly search: VisitorSearch;
  readonly at: number;
}

/** Finds the search that led to a click, an addition to the cart, or an order. The data is held in memory only. */
export function createAttribution() {
  const searches = createCache<string, VisitorSearches>({ name: "searches_of_visitors", maxWeight: MAX_VISITORS });
  return {
    recordSearch({ visitor, page, at, kind, q, locale, isFound }: SearchEvent) {
      const { searchesByPage } = searches.getOrCreate(visitor, () => ({
        searchesByPage: new Map(),
        searchesByProduct: new Map(),
        searchesByAddedProduct: new Map(),
      }));
      appendEntry(searchesByPage, page, { search: { kind, q, locale, isFound }, at });
    },
    /**
     * Returns the search that led to an event. When a product is added to the cart, the search before the click on that
     * product takes precedence over the search of the current page. An order is attributed to the search that led to
     * the addition to the cart.
     */
    findAttributedSearch({ kind, visitor, page, product, at }: ProductEvent): VisitorSearch | undefined {
      const visitorSearches = searches.get(visitor);
      if (visitorSearches === undefined) return undefined;
      const { searchesByPage, searchesByProduct, searchesByAddedProduct } = visitorSearches;
      if (kind === "ordered") return getRecentSearch(searchesByAddedProduct.get(product), at);
      const pageSearch = getRecentSearch(searchesByPage.get(page), at);
      const search =
        kind === "added" ? (getRecentSearch(searchesByProduct.get(product), at) ?? pageSearch) : pageSearch;
      if (search !== undefined)
        appendEntry(kind === "added" ? searchesByAddedProduct : searchesByProduct, product, { search, at });
      return search;
    },
  };
}

function getRecentSearch(entry: TimedSearch | undefined, time: number): VisitorSearch | undefined {
  return entry !== undefined && Math.abs(time - entry.at) <= MAX_AGE_MS ? entry.search : undefined;
}

/** Adds an entry at the end, and removes the first entry if there are too many. */
function appendEntry(entries: Map<string, TimedSearch>, key: string, entry: TimedSearch): void {
  entries.delete(key);
  entries.set(key, entry);
  const [firstKey] = entries.keys();
  if (entries.size > MAX_ENTRIES && firstKey !== undefined) entries.delete(firstKey);
}
