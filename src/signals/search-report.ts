/** Numbers of searches in a period, or of one search. Each IP network counts once per day and search. */
export interface SearchTotals {
  readonly searchCount: number;
  /** Number of searches for which no catalog entry contains all words. */
  readonly notFoundCount: number;
  /** Number of searches after which a product was opened, or added to the cart directly. */
  readonly clickedCount: number;
  /** Number of searches after which a product was added to the cart. */
  readonly addedCount: number;
}

export interface SearchReportRow extends SearchTotals {
  readonly locale: string;
  readonly term: string;
}

export interface SearchReportOptions {
  /** Number of days in the period. The last day is today. */
  readonly days: number;
  /**
   * Sort key of the rows, highest value first. "not_chosen" counts searches with results after which no product was
   * opened.
   */
  readonly sortBy: "searched" | "not_found" | "not_chosen" | "added";
  readonly limit: number;
}

/** A search report. Its rows omit searches that came from too few IP networks, because they could identify a person. */
export interface SearchReport {
  readonly rows: readonly SearchReportRow[];
  /** Totals of all searches by day, oldest day first; `day` is in days since 1970. */
  readonly days: readonly (SearchTotals & { readonly day: number })[];
}
