import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSearchTimes, searchTimesMemory } from "./search-times.ts";

test("quantiles cover the times of all threads, and exceed the exact ones by at most an eighth", () => {
  const times = fc.array(fc.double({ min: 0.002, max: 5_000, noNaN: true }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(times, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, part) => {
      const memory = searchTimesMemory();
      const threads = [createSearchTimes(memory), createSearchTimes(memory)];
      for (const [n, ms] of all.entries()) threads[n % 2]?.add(ms);
      const exact = all.toSorted((one, other) => one - other)[Math.ceil(part * all.length) - 1] ?? 0;
      const [told = 0] = threads[0]?.quantiles([part]) ?? [];
      assert.ok(told >= exact * 0.999 && told <= exact * 2 ** (1 / 6) * 1.001, `${told} for ${exact}`);
      assert.equal(threads[1]?.count(), all.length);
    }),
  );
  assert.deepEqual(createSearchTimes(searchTimesMemory()).quantiles([0.5]), []);
});
