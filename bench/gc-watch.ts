// Loaded into a process under test with `node --import`: at its end it writes its pauses for garbage collection to the
// file that VITRINE_GC_LOG names, a line each: milliseconds since 1970 at its start, how many it lasted. At its end, as
// a write may wait for the disk, and all else with it.
import { writeFileSync } from "node:fs";
import { PerformanceObserver, performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.VITRINE_GC_LOG;
// Worker threads inherit the process's arguments; their pauses stop no request.
if (file !== undefined && isMainThread) {
  const lines: string[] = [];
  new PerformanceObserver((list) => {
    for (const pause of list.getEntries())
      lines.push(`${performance.timeOrigin + pause.startTime}\t${pause.duration}\n`);
  }).observe({ entryTypes: ["gc"] });
  process.once("exit", () => writeFileSync(file, lines.join("")));
}
