import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { allocateSearchTimes, createDurationHistogram } from "./search-times.ts";

test("quantiles cover the times of all threads, and exceed the exact ones by at most an eighth", () => {
  const times = fc.array(fc.double({ min: 0.002, max: 5_000, noNaN: true }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(times, fc.double({ min: 0.01, max: 1, noNaN: true }), (durations, probability) => {
      const memory = allocateSearchTimes();
      const threads = [createDurationHistogram(memory), createDurationHistogram(memory)];
      for (const [n, ms] of durations.entries()) threads[n % 2]?.add(ms);
      const exactQuantile = durations.toSorted((a, b) => a - b)[Math.ceil(probability * durations.length) - 1] ?? 0;
      const [quantile = 0] = threads[0]?.quantiles([probability]) ?? [];
      assert.ok(
        quantile >= exactQuantile * 0.999 && quantile <= exactQuantile * 2 ** (1 / 6) * 1.001,
        `${quantile} for ${exactQuantile}`,
      );
      assert.equal(threads[1]?.count(), durations.length);
    }),
  );
  assert.deepEqual(createDurationHistogram(allocateSearchTimes()).quantiles([0.5]), []);
});
