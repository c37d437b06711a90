import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { constants, getPriority } from "node:os";
import { test } from "node:test";

const skip = process.platform === "linux" ? false : "only Linux counts threads by themselves";
const low = constants.priority.PRIORITY_LOW;

/** Runs a script in a process of its own. @returns the niceness of its threads, by whether they are the one told as `tid` */
function nicenessAfter(script: string): { readonly told: readonly number[]; readonly others: readonly number[] } {
  const source = `
    const { readdirSync, readFileSync, readlinkSync } = await import("node:fs");
    const { letOthersFirst, letOtherThreadsFirst } = await import(${JSON.stringify(import.meta.resolve("./priority.ts"))});
    const tidOf = () => readlinkSync("/proc/thread-self").split("/").at(-1);
    const niceOf = (tid) => Number(readFileSync("/proc/self/task/" + tid + "/stat", "latin1").split(") ").at(-1).split(" ")[16]);
    ${script}
    const all = readdirSync("/proc/self/task");
    console.log(JSON.stringify({ told: [niceOf(tid)], others: all.filter((one) => one !== tid).map(niceOf) }));`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" }));
}

test("a command that has time lets others go first, with all its threads", { skip }, () => {
  const { told, others } = nicenessAfter("const tid = tidOf(); letOthersFirst();");
  assert.deepEqual(new Set([...told, ...others]), new Set([low]));
});

test("a thread that works aside lets the others of its process go first", { skip }, () => {
  const { told, others } = nicenessAfter("const tid = tidOf(); letOtherThreadsFirst();");
  assert.deepEqual(told, [low]);
  assert.deepEqual(new Set(others), new Set([getPriority()]));
});
