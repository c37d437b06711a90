/**
 * Points that are added to the score of a document, for example for clicks, sales or an editor's preference. Only
 * documents that contain all words of the query get them. A word in a title is worth about 5 to 10 points.
 */
export interface Boosts {
  /** Boosts for every query. */
  readonly documents?: DocumentBoosts;
  /**
   * Returns the boosts of one query, at most a few dozen. Each boosted document is scored, even if it is not among the
   * best text matches.
   */
  forQuery?(text: string, locale: string): readonly QueryBoost[];
}

/** Boosts that reorder only the 64 best text matches, so that suggestions and result pages agree. */
export interface DocumentBoosts {
  /** Document type that the boosts apply to. */
  readonly type: number;
  /** Label of the boosts in the result of `SearchIndex.explain`, such as "sales". */
  readonly reason: string;
  /** Returns the score points of a document, or 0 without a boost. Called for up to 64 documents of each search. */
  pointsOf(externalId: number): number;
}

/**
 * Points that one query adds to the score of one document. If a document has several boosts, their points are added up.
 */
export interface QueryBoost {
  readonly externalId: number;
  /** Number of score points, greater than 0. */
  readonly points: number;
  /** Label of the boost in the result of `SearchIndex.explain`, such as "clicks". */
  readonly reason: string;
}

export function mergeBoosts(
  {
    boosts: queryBoosts = [],
    text,
    locale,
  }: { readonly text: string; readonly locale: string; readonly boosts?: readonly QueryBoost[] },
  boostOptions: Boosts | undefined,
): readonly QueryBoost[] {
  const matchingBoosts = boostOptions?.forQuery?.(text, locale) ?? [];
  return queryBoosts.length === 0 ? matchingBoosts : [...matchingBoosts, ...queryBoosts];
}

/** Combines the document boosts of the index with those of one query. */
export function mergeDocumentBoosts(
  { documentBoosts = [] }: { readonly documentBoosts?: readonly DocumentBoosts[] },
  boostOptions: Boosts | undefined,
): readonly DocumentBoosts[] {
  return boostOptions?.documents === undefined ? documentBoosts : [boostOptions.documents, ...documentBoosts];
}
