import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { divideLimit } from "./share-limit.ts";
import { type ResourceType, resourceTypes } from "./suggest-params.ts";

/** Reference implementation that distributes one slot at a time. */
function slowShares(hits: ReadonlyMap<ResourceType, number>, limit: number): Record<string, number> {
  const order: ResourceType[] = ["product", "query", "collection", "bundle", "article", "page"];
  const expectedSlots: Record<string, number> = Object.fromEntries([...hits.keys()].map((type) => [type, 0]));
  const countSlots = () => Object.values(expectedSlots).reduce((sum, count) => sum + count, 0);
  const hasMore = (type: ResourceType) => (hits.get(type) ?? 0) > (expectedSlots[type] ?? 0);
  const addSlot = (type: ResourceType) => {
    expectedSlots[type] = (expectedSlots[type] ?? 0) + 1;
  };
  for (const type of order) if (countSlots() < limit && hasMore(type)) addSlot(type);
  while (countSlots() < limit && hasMore("product") && (expectedSlots.product ?? 0) + 1 <= limit / 2)
    addSlot("product");
  while (countSlots() < limit && order.some(hasMore))
    for (const type of order) if (countSlots() < limit && hasMore(type)) addSlot(type);
  return expectedSlots;
}

const hits = fc
  .uniqueArray(fc.constantFrom(...resourceTypes), { minLength: 1 })
  .chain((types) => fc.tuple(...types.map((type) => fc.tuple(fc.constant(type), fc.nat({ max: 10 })))))
  .map((rows) => new Map(rows));

test("slots are distributed by the definition, and none stays empty while there are hits", () => {
  fc.assert(
    fc.property(hits, fc.integer({ min: 1, max: 10 }), (hitCounts, limit) => {
      const slots = divideLimit(hitCounts, limit);
      assert.deepEqual(Object.fromEntries(slots), slowShares(hitCounts, limit));
      const hitCount = [...hitCounts.values()].reduce((sum, count) => sum + count, 0);
      assert.equal(
        [...slots.values()].reduce((sum, count) => sum + count, 0),
        Math.min(limit, hitCount),
      );
    }),
  );
});

test("every type with a hit has a slot, products get half, and other types alternate", () => {
  const slots = divideLimit(new Map([["query", 10] as const, ["product", 10], ["collection", 10], ["page", 1]]), 10);
  assert.deepEqual(Object.fromEntries(slots), { query: 2, product: 6, collection: 1, page: 1 });
  assert.deepEqual(Object.fromEntries(divideLimit(new Map([["page", 3] as const, ["product", 3]]), 1)), {
    page: 0,
    product: 1,
  });
});
