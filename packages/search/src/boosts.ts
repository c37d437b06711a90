/** Points that documents get in addition to those of their words: for clicks, sales, dates, or what an editor prefers. They count only for documents that
 *  contain all words of the query. A word in a title is worth about 5 to 10 points. */
export interface Boosts {
  /** Points for every query. Only the 64 best documents by words are reordered, so that suggestions and pages of results agree. */
  readonly documents?: DocumentBoosts;
  /** Boosts of one query. Each of its documents is scored, also if it is not among the best by words: return some tens at most. */
  forQuery?(text: string, locale: string): readonly QueryBoost[];
}

export interface DocumentBoosts {
  /** The document type that has them. */
  readonly type: number;
  /** Name in explanations. */
  readonly reason: string;
  /** @returns points, 0 without a boost; called for up to 64 documents of each search */
  pointsOf(externalId: number): number;
}

/** A document may have several for one query; their points are added up. */
export interface QueryBoost {
  readonly externalId: number;
  /** Greater than 0. */
  readonly points: number;
  /** Name in explanations. */
  readonly reason: string;
}

export function boostsOf(
  {
    boosts: own = [],
    text,
    locale,
  }: { readonly text: string; readonly locale: string; readonly boosts?: readonly QueryBoost[] },
  ofIndex: Boosts | undefined,
): readonly QueryBoost[] {
  const found = ofIndex?.forQuery?.(text, locale) ?? [];
  return own.length === 0 ? found : [...found, ...own];
}
