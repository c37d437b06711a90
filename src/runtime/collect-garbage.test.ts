import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { collectGarbage } from "./collect-garbage.ts";

if (isMainThread)
  test("Objects that nothing references are collected, each time", async () => {
    // The heap of a new thread is small, so collections are fast.
    const thread = new Worker(new URL(import.meta.url));
    const { promise, resolve, reject } = Promise.withResolvers<readonly boolean[]>();
    thread.once("message", resolve).once("error", reject);
    assert.deepEqual(await promise, [true, true, true]);
  });
else {
  const collectedRounds: boolean[] = [];
  for (let round = 0; round < 3; round += 1) {
    const reference = new WeakRef({ round });
    // A WeakRef keeps its object until the current job ends.
    await setImmediate();
    await collectGarbage();
    collectedRounds.push(reference.deref() === undefined);
  }
  parentPort?.postMessage(collectedRounds);
}
