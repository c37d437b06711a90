// Loaded into a process under test with `node --import`: writes its pauses for garbage collection to the file that VITRINE_GC_LOG
// names, a line each: milliseconds since 1970 at its start, how many it lasted.
import { appendFileSync } from "node:fs";
import { PerformanceObserver, performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.VITRINE_GC_LOG;
// Other threads take over what a process was started with; their pauses stop nobody.
if (file !== undefined && isMainThread)
  new PerformanceObserver((list) => {
    const lines = list.getEntries().map((pause) => `${performance.timeOrigin + pause.startTime}\t${pause.duration}\n`);
    appendFileSync(file, lines.join(""));
  }).observe({ entryTypes: ["gc"] });
