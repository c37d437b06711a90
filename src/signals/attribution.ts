import { createCache } from "../runtime/cache.ts";
import type { MadeSearch, ProductEvent, SearchEvent } from "./signals.ts";

/** Milliseconds after a search during which clicks are attributed to it. */
const MAX_AGE_MS = 30 * 60_000;
/** Maximum number of visitors in memory, most recent first: about 10 MB. */
const MAX_VISITORS = 10_000;
/** Maximum number of pages, and of products, that are stored for a visitor. */
const MAX_ENTRIES = 8;

interface Searches {
  readonly byPage: Map<string, Timed>;
  /** Search that preceded the last click on each product. */
  readonly byProduct: Map<string, Timed>;
}

interface Timed {
  readonly search: MadeSearch;
  readonly at: number;
}

/** Attributes clicks and adds to cart to the preceding search. The data is held in memory only. */
export function createAttribution() {
  const searches = createCache<string, Searches>({ name: "searches_of_visitors", maxWeight: MAX_VISITORS });
  return {
    searched({ visitor, page, at, kind, q, locale, isFound }: SearchEvent) {
      const { byPage } = searches.getOrCreate(visitor, () => ({ byPage: new Map(), byProduct: new Map() }));
      put(byPage, page, { search: { kind, q, locale, isFound }, at });
    },
    /**
     * Returns the search that led to an event. For an add to cart, the search before the click on that product takes
     * precedence over the search of the current page.
     */
    searchBefore({ kind, visitor, page, product, at }: ProductEvent): MadeSearch | undefined {
      const known = searches.get(visitor);
      const shown = recent(known?.byPage.get(page), at);
      if (kind === "added") return recent(known?.byProduct.get(product), at) ?? shown;
      if (known !== undefined && shown !== undefined) put(known.byProduct, product, { search: shown, at });
      return shown;
    },
  };
}

function recent(entry: Timed | undefined, at: number): MadeSearch | undefined {
  return entry !== undefined && Math.abs(at - entry.at) <= MAX_AGE_MS ? entry.search : undefined;
}

/** Adds an entry at the end, and removes the first entry if there are too many. */
function put(entries: Map<string, Timed>, key: string, entry: Timed): void {
  entries.delete(key);
  entries.set(key, entry);
  const [first] = entries.keys();
  if (entries.size > MAX_ENTRIES && first !== undefined) entries.delete(first);
}
