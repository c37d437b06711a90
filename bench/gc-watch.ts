// Records the garbage collection pauses of a process that loads this file with `node --import`. Writes one line for
// each to the file in VITRINE_GC_LOG: its start in milliseconds since 1970, and its duration in milliseconds. The file
// is written when the process ends, because a write can block the process.
import { writeFileSync } from "node:fs";
import { PerformanceObserver, performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.VITRINE_GC_LOG;
// Worker threads inherit the arguments of the process, but their pauses do not delay requests.
if (file !== undefined && isMainThread) {
  const lines: string[] = [];
  new PerformanceObserver((list) => {
    for (const pause of list.getEntries())
      lines.push(`${performance.timeOrigin + pause.startTime}\t${pause.duration}\n`);
  }).observe({ entryTypes: ["gc"] });
  process.once("exit", () => writeFileSync(file, lines.join("")));
}
