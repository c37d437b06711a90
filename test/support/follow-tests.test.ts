import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";

const tests = `
import { setTimeout as pause } from "node:timers/promises";
import assert from "node:assert";
import { after, before, beforeEach, describe, test } from "node:test";
const release = async (name) => {
  await pause(1);
  after(() => console.log("released " + name));
};
before(() => console.log("before all"));
describe("suite", { concurrency: true }, async () => {
  beforeEach(() => console.log("before each"));
  await pause(1);
  test("inner", () => release("inner"));
  test("throws in a timer", async () => {
    setTimeout(() => {
      throw new Error("from a timer");
    });
    await pause(1_000);
  });
});
test("rejects without a handler", async () => {
  await release("outer");
  queueMicrotask(() => void Promise.reject(new Error("from a promise")));
  await pause(1_000);
});
test("parent", async (t) => {
  await t.test("child", async () => assert.equal(1, await pause(1, 2)));
});
test("passes", () => pause(1));
test("leaves a timer", () => void setTimeout(() => { throw new Error("after the test"); }));
test("passes afterwards", () => pause(50));
`;

test("code belongs to the same tests as with the hooks of Node", async () => {
  const [expected, found] = await Promise.all([runTests([]), runTests([import.meta.resolve("./follow-tests.ts")])]);
  assert.match(expected, /not ok \d+ - throws in a timer/);
  assert.deepEqual(found, expected);
});

/** Runs the tests in a process.  @param modules modules that are loaded first  @returns its report without durations */
function runTests(modules: readonly string[]): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [...modules.flatMap((module) => ["--import", module]), "--test-reporter=tap", "--input-type=module"];
  return new Promise((resolve) => {
    execFile(process.execPath, [...args, "--eval", tests], { env }, (_error, stdout, stderr) =>
      resolve((stdout + stderr).replaceAll(/.*duration_ms.*\n|^ +(?:at|async) .*\n/gm, "")),
    );
  });
}
