import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as untilNextTick } from "node:timers/promises";
import { awaitWithDeadline } from "./deadline.ts";

test("a read whose deadline has passed, as after a suspension of the process, is rejected without a warning", async () => {
  const warnings: Error[] = [];
  const collectWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", collectWarning);
  await assert.rejects(awaitWithDeadline(new Promise(() => {}), performance.now() - 300), {
    code: "cart_service_unavailable",
  });
  await untilNextTick();
  process.off("warning", collectWarning);
  assert.deepEqual(warnings, []);
});
