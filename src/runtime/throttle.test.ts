import assert from "node:assert/strict";
import { test } from "node:test";
import { createThrottle } from "./throttle.ts";

test("the first call starts the task at once, and later calls share one run at the end of the interval", async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const throttle = createThrottle(3_600_000, () => {
    runs.push(Promise.withResolvers());
    return runs.at(-1)!.promise;
  });
  throttle.run();
  await Promise.resolve();
  assert.equal(runs.length, 1);
  for (let call = 0; call < 3; call += 1) throttle.run();
  let isClosed = false;
  // Closing starts the waiting run at once.
  const closePromise = throttle.close().then(() => (isClosed = true));
  await Promise.resolve();
  assert.equal(runs.length, 1, "runs do not overlap");
  runs[0]!.resolve();
  await new Promise(setImmediate);
  assert.equal(runs.length, 2);
  assert.equal(isClosed, false);
  runs[1]!.resolve();
  await closePromise;
  await throttle.close();
  assert.equal(runs.length, 2);
});
