import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** What has time lets others on the machine go first: a server has shoppers who wait. Where that is not allowed, it is only less polite. */
export function letOthersFirst(): void {
  try {
    // Linux counts each thread by itself, those of the runtime too.
    const threads = process.platform === "linux" ? readdirSync("/proc/self/task").map(Number) : [0];
    for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {}
}

/** The same of the thread that calls, where threads have priorities of their own. */
export function letOtherThreadsFirst(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, constants.priority.PRIORITY_LOW);
  } catch {}
}
