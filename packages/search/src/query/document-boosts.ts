import type { DocumentBoosts } from "../boosts.ts";
import { pointUnit } from "../scoring/score.ts";
import type { Hit } from "../search-index.ts";

/**
 * Number of the best hits by words that get points: the length of champion lists, so that a search of one word costs no
 * more.
 */
export const boostedPlaces = 64;

/** Adds points to hits and sorts them again. @param hits best first, with unscaled scores  @param places how many of them can get points */
export function boostDocuments(hits: readonly Hit[], boosts: DocumentBoosts, places: number): readonly Hit[] {
  let isAny = false;
  const boosted = hits.map((hit, at) => {
    const points = at < places ? scaled(boosts.pointsOf(hit.externalId)) : 0;
    if (points === 0) return hit;
    isAny = true;
    return { ...hit, score: hit.score + points };
  });
  if (!isAny) return hits;
  return boosted.sort((one, other) => other.score - one.score || one.externalId - other.externalId);
}

/** Points in the unit of scores, which are integers. */
export function scaled(points: number): number {
  return Math.round(points * pointUnit);
}
