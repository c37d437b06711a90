import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { until } from "../../test/support/until.ts";
import { poll, pollStatistics } from "./poll.ts";

function createLog(): { readonly messages: string[]; recurring(fields: object, message: string): void } {
  const messages: string[] = [];
  return { messages, recurring: (_fields, message) => messages.push(message) };
}

test("a job repeats, does not overlap, and each call of now resolves after a run that started after the call", async () => {
  const log = createLog();
  let startCount = 0;
  let endCount = 0;
  const job = poll({ name: "the job", intervalMs: 1, log, startsImmediately: true }, async () => {
    assert.equal(startCount, endCount, "runs do not overlap");
    startCount += 1;
    await sleep(Math.random() * 3);
    endCount += 1;
  });
  const calls = Array.from({ length: 200 }, async () => {
    await sleep(Math.random() * 100);
    const countBefore = startCount;
    await job.runNow();
    assert.ok(endCount > countBefore, "the run started after the call");
  });
  await Promise.all(calls);
  const count = endCount;
  await until(() => endCount > count + 3);
  await job.close();
  assert.equal(startCount, endCount, "close waits for the run in progress");
  const startsAtEnd = startCount;
  await sleep(10);
  assert.equal(startCount, startsAtEnd);
  assert.deepEqual(log.messages, []);
});

test("calls that wait for the run in progress share the next run", async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const job = poll({ name: "the job", intervalMs: 3_600_000, log: createLog(), startsImmediately: true }, () => {
    runs.push(Promise.withResolvers());
    return runs.at(-1)!.promise;
  });
  await setImmediate();
  const calls = [job.runNow(), job.runNow(), job.runNow()];
  assert.equal(runs.length, 1);
  runs[0]!.resolve();
  await until(() => runs.length === 2);
  runs[1]!.resolve();
  await Promise.all(calls);
  assert.equal(runs.length, 2);
  await job.close();
});

test("a run that fails is logged, rejects the call of now, and the job continues", async () => {
  const log = createLog();
  let runs = 0;
  const job = poll({ name: "the failing job", intervalMs: 1, log }, async () => {
    runs += 1;
    if (runs < 3) throw new Error("away");
  });
  await assert.rejects(job.runNow(), /away/);
  await until(() => runs > 5);
  assert.deepEqual(log.messages, ["the failing job failed", "the failing job failed"]);
  await job.close();
  assert.deepEqual(pollStatistics.get("the failing job"), { successCount: runs - 2, failureCount: 2 });
});

test("a run may start the next at once, and its signal is aborted by close", async () => {
  let runs = 0;
  let receivedSignal: AbortSignal | undefined;
  const job = poll(
    { name: "the job", intervalMs: 3_600_000, log: createLog(), startsImmediately: true },
    async (signal) => {
      receivedSignal = signal;
      runs += 1;
      return runs < 20 ? "again" : undefined;
    },
  );
  await until(() => runs === 20);
  assert.equal(receivedSignal?.aborted, false);
  await job.close();
  assert.equal(receivedSignal?.aborted, true);
  await job.runNow();
  assert.equal(runs, 20, "a closed job does not run");
});
