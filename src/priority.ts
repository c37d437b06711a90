import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** What has time lets others on the machine go first: a server has shoppers who wait. Where that is not allowed, it is only less polite. */
export function letOthersFirst(): void {
  for (const thread of ownThreads()) letFirst(thread);
}

/** The same of the thread that calls, where threads have priorities of their own. */
export function letOtherThreadsFirst(): void {
  if (hasPriorityByThread) letFirst(0);
}

/** Linux counts each thread by itself, those of the runtime too. */
const hasPriorityByThread = process.platform === "linux";

function ownThreads(): readonly number[] {
  if (!hasPriorityByThread) return [0];
  try {
    return readdirSync("/proc/self/task").map(Number);
  } catch {
    return [0];
  }
}

/** @param thread 0: the one that calls, or the whole process where threads have none of their own */
function letFirst(thread: number): void {
  try {
    setPriority(thread, constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed, or the thread has ended meanwhile: the others count.
  }
}
