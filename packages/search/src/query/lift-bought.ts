import type { Purchases } from "../purchases.ts";
import { boughtPoints } from "../scoring/score.ts";
import type { Hit } from "../search-index.ts";

/** Among so many of the best hits by words those that are bought more come earlier: as many as champion lists hold, so that a search of one word is no
 *  dearer for it. The same for suggestions and for pages of results, so that both have one order. */
export const boughtPlaces = 64;

/** Hits with points for how much they are bought. @param hits best first, scores as they are added up  @param places of them that can get points */
export function liftBought(hits: readonly Hit[], purchases: Purchases, places: number): readonly Hit[] {
  let isAny = false;
  const lifted = hits.map((hit, at) => {
    const points = at < places ? boughtPointsOf(purchases.strengthOf(hit.externalId)) : 0;
    if (points === 0) return hit;
    isAny = true;
    return { ...hit, score: hit.score + points };
  });
  if (!isAny) return hits;
  return lifted.sort((one, other) => other.score - one.score || one.externalId - other.externalId);
}

/** Points of a document for how much it is bought. */
export function boughtPointsOf(strength: number): number {
  return Math.round(strength * boughtPoints);
}
