import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** What has time lets others on the machine go first: a server has shoppers who wait. Where that is not allowed, it is only less polite. */
export function letOthersFirst(): void {
  for (const thread of ownThreads()) lower(thread, constants.priority.PRIORITY_LOW);
}

/** The same of the thread that calls, where threads have priorities of their own. */
export function letOtherThreadsFirst(): void {
  if (hasPriorityByThread) lower(0, constants.priority.PRIORITY_LOW);
}

/** The threads with which the runtime helps itself (to look for garbage, to compile) go behind the first of the process, and behind those
 *  that it starts from now on: on few processors they would take one from who waits for an answer. */
export function letHelpersWait(): void {
  // The first thread has the number of the process; 0: threads are not told apart.
  for (const thread of ownThreads())
    if (thread !== 0 && thread !== process.pid) lower(thread, constants.priority.PRIORITY_BELOW_NORMAL);
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
function lower(thread: number, priority: number): void {
  try {
    setPriority(thread, priority);
  } catch {
    // Not allowed, or the thread has ended meanwhile: the others count.
  }
}
