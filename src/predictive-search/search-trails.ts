import { LRUCache } from "lru-cache";

/** A search as a visitor made it. */
export interface MadeSearch {
  /** As typed. */
  readonly q: string;
  readonly locale: string;
  /** The results page, or the suggestions while typing. */
  readonly source: "page" | "suggestions";
}

/** What each visitor searched last, and opened from there: in the memory of this process alone, for half an hour at most. */
export interface SearchTrails {
  /** @param page path and query of the page on which the results are shown */
  searched(visitor: string, page: string, search: MadeSearch, now: number): void;
  /** A product's page was opened by way of a link on `page`. @returns the search whose results are shown there; undefined where there was none */
  opened(visitor: string, page: string, product: string, now: number): MadeSearch | undefined;
  /** A product was put into the cart on `page`. @returns the search from which it was opened before, or whose results are shown on `page` */
  added(visitor: string, page: string, product: string, now: number): MadeSearch | undefined;
}

/** Trails that another thread may keep. */
export interface DistantTrails extends Pick<SearchTrails, "searched"> {
  opened(...asked: Parameters<SearchTrails["opened"]>): MadeSearch | undefined | Promise<MadeSearch | undefined>;
  added(...asked: Parameters<SearchTrails["added"]>): MadeSearch | undefined | Promise<MadeSearch | undefined>;
}

/** Milliseconds after which a search explains nothing that a visitor does. */
const KEPT_MS = 30 * 60_000;
/** Visitors remembered: those who came last, in 10 MB or so. */
const MAX_VISITORS = 10_000;
/** Pages, and products, remembered of a visitor: those of the last searches. */
const MAX_STEPS = 8;
/** Characters of a search or page beyond which it is not remembered. */
const MAX_LENGTH = 300;

interface Trail {
  /** By page. */
  readonly searches: Map<string, Timed>;
  /** By product. */
  readonly opened: Map<string, Timed>;
}

interface Timed {
  readonly search: MadeSearch;
  readonly at: number;
}

export function createSearchTrails(): SearchTrails {
  const trails = new LRUCache<string, Trail>({ max: MAX_VISITORS });
  return {
    searched(visitor, page, search, now) {
      if (page.length > MAX_LENGTH || search.q.length > MAX_LENGTH) return;
      const trail = trails.get(visitor) ?? { searches: new Map(), opened: new Map() };
      put(trail.searches, page, { search, at: now });
      trails.set(visitor, trail);
    },
    opened(visitor, page, product, now) {
      const trail = trails.get(visitor);
      const search = recent(trail?.searches.get(page), now);
      if (trail !== undefined && search !== undefined) put(trail.opened, product, { search, at: now });
      return search;
    },
    added(visitor, page, product, now) {
      const trail = trails.get(visitor);
      return recent(trail?.opened.get(product), now) ?? recent(trail?.searches.get(page), now);
    },
  };
}

function recent(step: Timed | undefined, now: number): MadeSearch | undefined {
  return step !== undefined && Math.abs(now - step.at) <= KEPT_MS ? step.search : undefined;
}

/** Puts a step last, and lets the first go where there are too many. */
function put(steps: Map<string, Timed>, key: string, step: Timed): void {
  steps.delete(key);
  steps.set(key, step);
  const [first] = steps.keys();
  if (steps.size > MAX_STEPS && first !== undefined) steps.delete(first);
}
