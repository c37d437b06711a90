import type { Hit, Query } from "@vitrine/search";
import { maxSuggestions } from "./suggest-params.ts";

/** Returns the maximum number of suggestions by document type. */
export function computeSuggestionLimits({ limits }: Query): ReadonlyMap<number, number> {
  return new Map([...limits.keys()].map((type) => [type, maxSuggestions]));
}

/**
 * Orders the hits of each type as the suggestions do, because shoppers expect the results that they saw while typing.
 * The orders may differ, because a search for ten hits scores fewer documents than a search for all hits.
 * @param hits hits of all types, best first; changed in place
 * @param suggestedHits the best hits by type
 */
export function putSuggestionsFirst(hits: Hit[], suggestedHits: ReadonlyMap<number, readonly Hit[]>): void {
  for (const [type, bestHits] of suggestedHits) {
    const bestIds = new Set(bestHits.map(({ externalId }) => externalId));
    const otherHits = hits.filter((hit) => hit.type === type && !bestIds.has(hit.externalId));
    const rankedHits = [...bestHits, ...otherHits].values();
    hits.forEach((hit, index) => {
      if (hit.type === type) hits[index] = rankedHits.next().value ?? hit;
    });
  }
}
