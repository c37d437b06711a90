import { LRUCache } from "lru-cache";
import type { MadeSearch, ProductEvent, SearchEvent } from "./signals.ts";

/** Links what visitors do with products to the search before it. In memory only. */
export interface Attribution {
  searched(event: SearchEvent): void;
  /** @returns for a click, the search whose results the page shows; for an add to cart, the search before the click on that product, or the search
   *  whose results the page shows; undefined if there is none */
  searchBefore(event: ProductEvent): MadeSearch | undefined;
}

/** Milliseconds after which a search explains no click. */
const MAX_AGE_MS = 30 * 60_000;
/** Visitors in memory, the most recent ones: about 10 MB. */
const MAX_VISITORS = 10_000;
/** Pages, and products, of a visitor in memory: those of the last searches. */
const MAX_STEPS = 8;

interface Trail {
  /** By page. */
  readonly searches: Map<string, Timed>;
  /** By product. */
  readonly clicks: Map<string, Timed>;
}

interface Timed {
  readonly search: MadeSearch;
  readonly at: number;
}

export function createAttribution(): Attribution {
  const trails = new LRUCache<string, Trail>({ max: MAX_VISITORS });
  return {
    searched({ visitor, page, at, kind, q, locale, isFound }) {
      const trail = trails.get(visitor) ?? { searches: new Map(), clicks: new Map() };
      put(trail.searches, page, { search: { kind, q, locale, isFound }, at });
      trails.set(visitor, trail);
    },
    searchBefore({ kind, visitor, page, product, at }) {
      const trail = trails.get(visitor);
      const shown = recent(trail?.searches.get(page), at);
      if (kind === "added") return recent(trail?.clicks.get(product), at) ?? shown;
      if (trail !== undefined && shown !== undefined) put(trail.clicks, product, { search: shown, at });
      return shown;
    },
  };
}

function recent(step: Timed | undefined, at: number): MadeSearch | undefined {
  return step !== undefined && Math.abs(at - step.at) <= MAX_AGE_MS ? step.search : undefined;
}

/** Puts a step last, and drops the first if there are too many. */
function put(steps: Map<string, Timed>, key: string, step: Timed): void {
  steps.delete(key);
  steps.set(key, step);
  const [first] = steps.keys();
  if (steps.size > MAX_STEPS && first !== undefined) steps.delete(first);
}
