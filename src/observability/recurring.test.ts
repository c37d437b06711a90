import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createWarningLog } from "./log.ts";

test("a recurring event is logged when it starts, and with its count after ten seconds without it", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const logLines: [number | undefined, string][] = [];
  const logRecurring = createWarningLog(({ count }, message) => void logLines.push([count, message]));
  const diskError = new Error("the disk is full");
  for (let n = 0; n < 500; n += 1) logRecurring({ error: diskError }, "carts are unavailable");
  logRecurring({ error: new Error("the file is gone") }, "carts are unavailable");
  mock.timers.tick(9_000);
  logRecurring({ error: diskError }, "carts are unavailable");
  mock.timers.tick(9_000);
  assert.deepEqual(logLines, [
    [undefined, "carts are unavailable"],
    [undefined, "carts are unavailable"],
    [1, "ended: carts are unavailable: the file is gone"],
  ]);
  mock.timers.tick(1_000);
  assert.deepEqual(logLines.at(-1), [501, "ended: carts are unavailable: the disk is full"]);
  logRecurring({ error: diskError }, "carts are unavailable");
  assert.deepEqual(logLines.at(-1), [undefined, "carts are unavailable"], "logged again");
  mock.timers.reset();
});
