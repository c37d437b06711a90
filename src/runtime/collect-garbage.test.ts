import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { collectGarbage } from "./collect-garbage.ts";

test("Objects that nothing references are collected, each time", async () => {
  for (let round = 0; round < 3; round += 1) {
    const reference = new WeakRef({ round });
    // A WeakRef keeps its object until the current job ends.
    await setImmediate();
    await collectGarbage();
    assert.equal(reference.deref(), undefined);
  }
});
