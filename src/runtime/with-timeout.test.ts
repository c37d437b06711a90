import assert from "node:assert/strict";
import { test } from "node:test";
import { withTimeout } from "./with-timeout.ts";

const createError = (): Error => new Error("too late");

test("a promise that settles in time has its own result, without a timer that remains", async () => {
  const timerCount = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  assert.equal(await withTimeout(Promise.resolve(1), 60_000, createError), 1);
  await assert.rejects(withTimeout(Promise.reject(new Error("failed")), 60_000, createError), /failed/);
  assert.equal(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length, timerCount);
});

test("a promise that settles later is rejected with the given error, also if the time is over already", async () => {
  const pending = new Promise<never>(() => {});
  for (const timeoutMs of [5, 0, -5]) await assert.rejects(withTimeout(pending, timeoutMs, createError), /too late/);
});
