import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const skip = process.platform === "linux" ? false : "only Linux counts threads by themselves";
const lowNiceness = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Runs a script in a separate process.
 * @returns the niceness of the thread that the script reports as `tid`, and of all other threads
 */
function nicenessAfter(script: string): {
  readonly reportedThread: readonly number[];
  readonly otherThreads: readonly number[];
} {
  const source = `
    const { readdirSync, readFileSync, readlinkSync } = await import("node:fs");
    const { lowerThreadPriority } = await import(${JSON.stringify(import.meta.resolve("./priority.ts"))});
    const tidOf = () => readlinkSync("/proc/thread-self").split("/").at(-1);
    const niceOf = (tid) => Number(readFileSync("/proc/self/task/" + tid + "/stat", "latin1").split(") ").at(-1).split(" ")[16]);
    ${script}
    const all = readdirSync("/proc/self/task");
    console.log(JSON.stringify({ reportedThread: [niceOf(tid)], otherThreads: all.filter((one) => one !== tid).map(niceOf) }));`;
  const dir = mkdtempSync(join(tmpdir(), "vitrine-priority-"));
  // The script is a file, because options of a script on the command line would apply to its worker threads.
  writeFileSync(join(dir, "script.mjs"), source);
  writeFileSync(join(dir, "vitrine.config.js"), "export default {};\n");
  try {
    return JSON.parse(execFileSync(process.execPath, [join(dir, "script.mjs")], { cwd: dir, encoding: "utf8" }));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test("a command that lowers its priority does not change the priority of the database's threads", { skip }, () => {
  const { reportedThread, otherThreads } = nicenessAfter(`
    const tid = tidOf();
    const { openStore } = await import(${JSON.stringify(import.meta.resolve("./cli/store-database.ts"))});
    const { database } = await openStore(".");
    lowerThreadPriority();
    process.on("exit", () => database.close());`);
  assert.deepEqual(reportedThread, [lowNiceness]);
  assert.deepEqual(new Set(otherThreads), new Set([getPriority()]));
});

test("a background thread yields to other threads of its process", { skip }, () => {
  const { reportedThread, otherThreads } = nicenessAfter("const tid = tidOf(); lowerThreadPriority();");
  assert.deepEqual(reportedThread, [lowNiceness]);
  assert.deepEqual(new Set(otherThreads), new Set([getPriority()]));
});
