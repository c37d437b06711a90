import { createCache } from "../runtime/cache.ts";
import type { MadeSearch, ProductEvent, SearchEvent } from "./signals.ts";

/** Milliseconds after which a search explains no click. */
const MAX_AGE_MS = 30 * 60_000;
/** Visitors in memory, the most recent ones: about 10 MB. */
const MAX_VISITORS = 10_000;
/** The last pages, and products, of a visitor in memory. */
const MAX_ENTRIES = 8;

interface Searches {
  readonly byPage: Map<string, Timed>;
  /** The search before a click, by product. */
  readonly byProduct: Map<string, Timed>;
}

interface Timed {
  readonly search: MadeSearch;
  readonly at: number;
}

/** Links what visitors do with products to the search before it. In memory only. */
export function createAttribution() {
  const searches = createCache<string, Searches>({ name: "searches_of_visitors", maxWeight: MAX_VISITORS });
  return {
    searched({ visitor, page, at, kind, q, locale, isFound }: SearchEvent) {
      const { byPage } = searches.getOrCreate(visitor, () => ({ byPage: new Map(), byProduct: new Map() }));
      put(byPage, page, { search: { kind, q, locale, isFound }, at });
    },
    /** @returns the search whose results the page shows; for an add to cart, first of all the search before the click on that product */
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

/** Puts an entry last, and drops the first if there are too many. */
function put(entries: Map<string, Timed>, key: string, entry: Timed): void {
  entries.delete(key);
  entries.set(key, entry);
  const [first] = entries.keys();
  if (entries.size > MAX_ENTRIES && first !== undefined) entries.delete(first);
}
