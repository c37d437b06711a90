import assert from "node:assert/strict";
import { test } from "node:test";
import { type ReplayedSearch, replaySearches } from "./replay.ts";

test("a replay ends after its maximum duration, and counts the searches that it compared", async () => {
  let startedSearches = 0;
  function* endlessSearches(): Generator<ReplayedSearch> {
    for (;;) {
      startedSearches += 1;
      yield { q: "rope", locale: "en", searchCount: 1 };
    }
  }
  // Contexts without rules have the same results, so no search runs.
  const context = {} as Parameters<typeof replaySearches>[1];
  const { searchCount, changedCount } = await replaySearches(endlessSearches(), context, context, {
    ...{ hasSameSynonyms: true, maxDurationMs: 10 },
    yieldTurn: () => Promise.resolve(),
  });
  assert.deepEqual([searchCount, changedCount], [startedSearches, 0]);
});
