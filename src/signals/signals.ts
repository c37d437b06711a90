/** Reports shoppers' behavior, which is counted by network, never by person. */
export interface Signals {
  /** False if only popular searches count; then visits need no tracking. */
  readonly tracksVisits: boolean;
  /** Takes under a microsecond; never throws and never waits. */
  track(event: SignalEvent): void;
}

/** A search as a visitor made it. */
export interface MadeSearch {
  /** "typed": suggestions were shown; "searched": the results page. */
  readonly kind: "typed" | "searched";
  readonly q: string;
  readonly locale: string;
  /** Whether something contains all its words. */
  readonly isFound: boolean;
}

interface Visit {
  /** Identifies the visitor's browser; stays in memory. */
  readonly visitor: string;
  /** IP address of the visitor. */
  readonly address: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface SearchVisit extends Visit, MadeSearch {
  /** Whether every word was found as typed, so that other shoppers may get the search as a suggestion. */
  readonly isExact?: boolean;
}

interface ProductVisit extends Visit {
  /** "clicked": the product's page was opened; "added": the product was added to the cart. */
  readonly kind: "clicked" | "added";
  /** The product's handle. */
  readonly product: string;
}

/** An event as a request reports it. Its page is the referrer, which is parsed later. */
export type SignalEvent = (SearchVisit | ProductVisit) & { readonly referer: string; readonly origin: string };

export interface SearchEvent extends SearchVisit {
  /** Path and query of the page on which it happened. */
  readonly page: string;
}

export interface ProductEvent extends ProductVisit {
  readonly page: string;
}

export type TrackedEvent = SearchEvent | ProductEvent;

/** A product that was opened, or added to the cart, after a search. */
export interface SearchClick extends Pick<ProductEvent, "product" | "address" | "at"> {
  readonly search: MadeSearch;
  readonly action: ProductEvent["kind"];
}

/** A click with its weight as evidence. */
export interface WeighedClick extends Pick<SearchClick, "action" | "address" | "at"> {
  /** The intended search. */
  readonly term: string;
  readonly locale: string;
  /** The product's id. */
  readonly product: string;
  /** In clicks on the first result. */
  readonly weight: number;
}

/** Counts what all event loops of the process track. */
export interface SignalSink {
  /** @param events in the order in which one event loop tracked them */
  take(events: readonly TrackedEvent[]): void;
  count(clicks: readonly WeighedClick[]): void;
}

/** Receives clicks that follow a search, for an event loop to weigh. */
export type OnClicks = (clicks: readonly SearchClick[]) => void;

/** Kinds of rows for the merchant's report, by day: searches and what followed them. They expire. */
export const dayKinds = ["searched", "not_found", "clicked", "added"] as const;
/** Kinds of rows that shoppers see: popular searches, products chosen after a search, sold products. Each day is added to a decaying total. */
export const totalKinds = ["found", "chosen", "bought"] as const;

export type SignalKind = (typeof dayKinds)[number] | (typeof totalKinds)[number];

/** A signal to count in its row. A network counts once for each row, action and day. */
export interface CountedSignal {
  readonly kind: SignalKind;
  readonly locale: string;
  readonly term: string;
  /** The product's id. Default: the row is of the term. */
  readonly product?: string;
  /** Distinguishes signals that count separately in one row. */
  readonly action?: string;
  /** Default: 1. */
  readonly weight?: number;
}

/** The signals of other shoppers that shoppers see, heaviest first. Plain data, which threads send to each other. */
export interface SignalTotals {
  readonly popular: readonly PopularSearch[];
  /** Products chosen after a search. */
  readonly clicks: readonly ClickedProduct[];
  readonly sales: readonly SoldProduct[];
}

export interface PopularSearch {
  readonly locale: string;
  readonly text: string;
  /** Searches by distinct networks and days, decayed. */
  readonly visitors: number;
}

export interface ClickedProduct {
  readonly locale: string;
  readonly text: string;
  /** The product's id. */
  readonly id: string;
  /** In clicks on the first result, decayed. */
  readonly weight: number;
}

export interface SoldProduct {
  /** The product's id. */
  readonly id: string;
  /** In buyers, decayed. */
  readonly weight: number;
}
