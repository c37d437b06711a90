import type { ResourceType } from "./suggest-params.ts";

/** Types of results, in the order in which they receive places in the list of suggestions. */
const typePriorities: readonly ResourceType[] = ["product", "query", "collection", "bundle", "article", "page"];

/**
 * Divides the places in the list of suggestions between types of results. Each type with hits gets one place while
 * places remain. Then products fill up to half of all places, and the other places are assigned one at a time. No place
 * stays empty while hits remain.
 * @param hits number of hits by type
 * @param limit number of places
 * @returns number of places by type, for the types in `hits`
 * @see spec 4.1
 */
export function divideLimit(hits: ReadonlyMap<ResourceType, number>, limit: number): Map<ResourceType, number> {
  const slotsByType = new Map<ResourceType, number>();
  for (const type of hits.keys()) slotsByType.set(type, 0);
  let remainingSlots = limit;
  const assignSlots = (type: ResourceType, count: number) => {
    const assignedSlots = slotsByType.get(type) ?? 0;
    const additionalSlots = Math.max(0, Math.min(count, remainingSlots, (hits.get(type) ?? 0) - assignedSlots));
    if (additionalSlots === 0) return;
    slotsByType.set(type, assignedSlots + additionalSlots);
    remainingSlots -= additionalSlots;
  };
  for (const type of typePriorities) assignSlots(type, 1);
  assignSlots("product", Math.floor(limit / 2) - (slotsByType.get("product") ?? 0));
  const typesWithHits = typePriorities.filter((type) => (hits.get(type) ?? 0) > 0);
  for (let previousSlots = -1; remainingSlots > 0 && remainingSlots !== previousSlots; ) {
    previousSlots = remainingSlots;
    for (const type of typesWithHits) assignSlots(type, 1);
  }
  return slotsByType;
}
