import type { SearchContext } from "../predictive-search/search-context.ts";

/** Records the behavior of shoppers. Counts are per IP network, never per person. */
export interface Signals {
  /** Whether all searches and clicks are tracked. If false, only searches that can become suggestions are tracked. */
  readonly tracksVisits: boolean;
  /** Records an event. Never waits, never throws, and takes less than a microsecond. */
  track(event: SignalEvent): void;
}

/** A search made by a visitor. */
export interface VisitorSearch {
  /** Kind of search: "typed" showed suggestions, "searched" showed the results page. */
  readonly kind: "typed" | "searched";
  readonly q: string;
  readonly locale: string;
  /** Whether at least one catalog entry contains all words of the search. */
  readonly isFound: boolean;
}

interface VisitorAction {
  /** Id of the visitor's browser, held only in memory. */
  readonly visitor: string;
  /** IP address of the visitor. */
  readonly address: string;
  /** Time in milliseconds since 1970. */
  readonly at: number;
}

interface SearchVisit extends VisitorAction, VisitorSearch {
  /** Whether every word was found as typed, so that the search may be suggested to other shoppers. */
  readonly isExact?: boolean;
}

interface ProductVisit extends VisitorAction {
  /**
   * Kind of event: "clicked" opened the product's page, "added" added the product to the cart, "ordered" placed an
   * order with the product.
   */
  readonly kind: "clicked" | "added" | "ordered";
  /** Handle of the product. */
  readonly product: string;
}

/** An event as reported by a request. The URL of the page on which it occurred is in `referer`, and is parsed later. */
export type SignalEvent = (SearchVisit | ProductVisit) & { readonly referer: string; readonly origin: string };

export interface SearchEvent extends SearchVisit {
  /** Path and query of the page on which the event occurred. */
  readonly page: string;
}

export interface ProductEvent extends ProductVisit {
  readonly page: string;
}

export type TrackedEvent = SearchEvent | ProductEvent;

/** A click on a product, an addition to the cart, or an order, if a search led to it. */
export interface SearchClick extends Pick<ProductEvent, "product" | "address" | "at"> {
  readonly search: VisitorSearch;
  readonly action: ProductEvent["kind"];
  /**
   * Number of the visitor's test group, which decides how results are interleaved when a draft of the search rules is
   * tested.
   */
  readonly arm: number;
  /** Search without success that the visitor made before this one. */
  readonly failedQuery?: string;
}

/** A click with its statistical weight. */
export interface WeightedClick extends Pick<SearchClick, "action" | "address" | "at" | "failedQuery"> {
  /** The search that the shopper intended. */
  readonly term: string;
  readonly locale: string;
  /** Id of the product. */
  readonly product: string;
  /** Weight of the click, relative to a click on the first result. */
  readonly weight: number;
}

/** Draft of the search rules that is tested, with a search index that uses the synonyms of the draft. */
export interface TestedRules extends Omit<NonNullable<SearchContext["testedRules"]>, "arm"> {
  /** Number of the test. */
  readonly id: number;
}

/**
 * A shopper's preference in a test of search rules: the version of the rules, draft or live, that contributed the
 * product which the shopper added to the cart or ordered.
 */
export interface Preference extends Pick<SearchClick, "address" | "at"> {
  /** Number of the test. */
  readonly test: number;
  readonly action: "added" | "ordered";
  readonly side: "draft" | "live";
}

/** Counts events from all event-loop threads of the process. */
export interface SignalSink {
  /** Counts events.  @param events events of one event-loop thread, in order of occurrence */
  take(events: readonly TrackedEvent[]): void;
  count(clicks: readonly (WeightedClick | Preference)[]): void;
}

/** Receives clicks that followed a search, so that their weights can be computed. */
export type ClicksHandler = (clicks: readonly SearchClick[]) => void;

/**
 * Kinds of rows in the merchant's search report. Each row counts a search or an action after it on one day, and
 * expires.
 */
export const reportedKinds = ["searched", "not_found", "clicked", "added"] as const;
/**
 * Kinds of rows that affect what shoppers see: popular searches, products clicked after a search, sold products,
 * products that were bought together, and pairs of searches that are suggested as synonyms. Each row contains a total
 * in which older signals weigh less.
 */
export const kindsWithTotals = ["found", "chosen", "bought", "bought_together", "reformulated"] as const;

/**
 * Kind of rows that compare the draft and the live search rules in a test. Each row counts the shoppers who, on one
 * day, added to the cart or ordered a product that one of the two versions contributed. The term contains the action
 * and the number of the test. Rows expire.
 */
export const preferenceKind = "preferred";

export type SignalKind = (typeof reportedKinds)[number] | (typeof kindsWithTotals)[number] | typeof preferenceKind;

/** A search, click or sale to be counted. Each IP network counts at most once per day for each action. */
export interface CountedSignal {
  readonly kind: SignalKind;
  readonly locale: string;
  readonly term: string;
  /**
   * Id of the product; undefined if the search term itself is counted. For "bought_together": a JSON array with the ids
   * of two products. For "reformulated": the term of the second search. For "preferred": "draft" or "live".
   */
  readonly product?: string;
  /** Action that is counted separately, such as "clicked" or "added". */
  readonly action?: string;
  /** Weight in the total. Default: 1. */
  readonly weight?: number;
}

/**
 * Totals of searches, clicks and sales that affect what shoppers see, highest weight first. Plain data that can be sent
 * between threads.
 */
export interface SignalTotals {
  readonly popularSearches: readonly PopularSearch[];
  /** Products that shoppers clicked after a search. */
  readonly clicks: readonly ClickedProduct[];
  readonly sales: readonly SoldProduct[];
  readonly pairs: readonly ProductPair[];
}

export interface PopularSearch {
  readonly locale: string;
  readonly text: string;
  /** Number of searches, at most one a day from each IP network. Older searches count less. */
  readonly visitors: number;
}

export interface ClickedProduct {
  readonly locale: string;
  readonly text: string;
  /** Id of the product. */
  readonly id: string;
  /** Weight relative to a click on the first result. Older clicks weigh less. */
  readonly weight: number;
}

export interface SoldProduct {
  /** Id of the product. */
  readonly id: string;
  /** Number of buyers. Older purchases count less. */
  readonly weight: number;
}

/** Two products that customers bought in the same order. */
export interface ProductPair {
  /** Ids of the products. */
  readonly ids: readonly [string, string];
  /** Number of buyers. Older purchases count less. */
  readonly weight: number;
}
