/** Searches of some days, or of one search: the networks that made them, each counted once for each day and search, and what followed. */
export interface SearchTotals {
  readonly searched: number;
  /** Nothing contains all words. */
  readonly notFound: number;
  /** A product was opened, or added to the cart directly. */
  readonly chosen: number;
  /** A product was added to the cart. */
  readonly added: number;
}

export interface SearchReportRow extends SearchTotals {
  readonly locale: string;
  readonly term: string;
}

export interface SearchReportOptions {
  /** Number of days, the last of which is today. */
  readonly days: number;
  /** The order of the rows, highest first. "not_chosen": found, but no product opened. */
  readonly by: "searched" | "not_found" | "not_chosen" | "added";
  readonly limit: number;
}

/** Searches that enough networks made. */
export interface SearchReport {
  readonly rows: readonly SearchReportRow[];
  /** All searches, oldest day first; `day` is in days since 1970. */
  readonly days: readonly (SearchTotals & { readonly day: number })[];
}
