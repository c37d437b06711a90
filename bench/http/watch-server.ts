// Measures a server that loads this file with `node --import`. The first SIGUSR2 starts the measurement. The second
// ends it and writes the result, a `Watched`, to the file in VITRINE_WATCH.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Measurements of a server between the two signals. */
export interface ServerMetrics {
  /** Delay of event loop timers in milliseconds. */
  readonly loopDelay: { readonly p999: number; readonly max: number };
}

/** Interval of the timers in milliseconds. */
const RESOLUTION_MS = 5;

const file = process.env.VITRINE_WATCH;
// Worker threads inherit the arguments of the process, but only the main thread is measured.
if (file !== undefined && isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const delayMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  let isWatching = false;
  process.on("SIGUSR2", () => {
    isWatching = !isWatching;
    if (isWatching) {
      delays.reset();
      delays.enable();
      return;
    }
    delays.disable();
    const metrics: ServerMetrics = {
      loopDelay: { p999: delayMs(delays.percentile(99.9)), max: delayMs(delays.max) },
    };
    writeFileSync(`${file}.part`, JSON.stringify(metrics));
    renameSync(`${file}.part`, file);
  });
}
