import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { TopK } from "./top-k.ts";

test("TopK returns the first k of the sorted offers", () => {
  const scores = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 200 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 12 }), (offers, k) => {
      const top = new TopK(k);
      offers.forEach((score, index) => {
        top.offer(score, (index * 7) % 1009);
      });
      const expectedHits = offers
        .map((score, index) => ({ externalId: (index * 7) % 1009, score }))
        .sort((a, b) => b.score - a.score || a.externalId - b.externalId)
        .slice(0, k);
      assert.deepEqual(top.take(), expectedHits);
    }),
  );
});

test("a document that is offered again has its best score", () => {
  const offers = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -5, max: 5 })), { maxLength: 60 });
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 12 }), (offered, k) => {
      const top = new TopK(k);
      const bestScores = new Map<number, number>();
      for (const [externalId, score] of offered) {
        if (top.canAccept(score, externalId) && !top.raiseScore(score, externalId)) top.offer(score, externalId);
        bestScores.set(externalId, Math.max(score, bestScores.get(externalId) ?? Number.NEGATIVE_INFINITY));
      }
      const expectedHits = Array.from(bestScores, ([externalId, score]) => ({ externalId, score }))
        .sort((a, b) => b.score - a.score || a.externalId - b.externalId)
        .slice(0, k);
      assert.deepEqual(top.take(), expectedHits);
    }),
  );
});
