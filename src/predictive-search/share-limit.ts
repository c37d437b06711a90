import type { ResourceType } from "./suggest-params.ts";

/** Types in the order in which they receive slots. */
export const shareOrder: readonly ResourceType[] = ["product", "query", "collection", "bundle", "article", "page"];

/**
 * Distributes slots between types. Each type with hits gets one slot while slots remain. Then products fill up to half
 * of all slots, and the other slots are distributed one at a time. No slot stays empty while hits remain.
 * @param hits number of hits by type
 * @param limit number of slots
 * @returns number of slots by type, for the types of `hits`
 * @see spec 4.1
 */
export function shareLimit(hits: ReadonlyMap<ResourceType, number>, limit: number): Map<ResourceType, number> {
  const places = new Map<ResourceType, number>();
  for (const type of hits.keys()) places.set(type, 0);
  let left = limit;
  const give = (type: ResourceType, count: number) => {
    const before = places.get(type) ?? 0;
    const more = Math.max(0, Math.min(count, left, (hits.get(type) ?? 0) - before));
    if (more === 0) return;
    places.set(type, before + more);
    left -= more;
  };
  for (const type of shareOrder) give(type, 1);
  give("product", Math.floor(limit / 2) - (places.get("product") ?? 0));
  for (let before = -1; left > 0 && left !== before; ) {
    before = left;
    for (const type of shareOrder) give(type, 1);
  }
  return places;
}
