// Measures a server that loads this file with `node --import`. The first SIGUSR2 starts the measurement. The second
// ends it and writes the result, a `Watched`, to the file in VITRINE_WATCH.
import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";
import type { CpuProfile } from "../flame/call-tree.ts";

/** Measurements of a server between the two signals. */
export interface ServerMetrics {
  /** Delay of event loop timers in milliseconds. */
  readonly loopDelay: { readonly p999: number; readonly max: number };
  /** CPU profile, if `VITRINE_PROFILE` is set. */
  readonly profile?: CpuProfile;
}

/** Interval of the timers in milliseconds. */
const RESOLUTION_MS = 5;
/** Microseconds between two samples of the stack. */
const SAMPLING_MICROSECONDS = 200;

const file = process.env.VITRINE_WATCH;
// Worker threads inherit the arguments of the process, but only the main thread is measured.
if (file !== undefined && isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const session = process.env.VITRINE_PROFILE === undefined ? undefined : new Session();
  const delayMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  let isWatching = false;
  const startMeasurement = async (): Promise<void> => {
    session?.connect();
    await session?.post("Profiler.enable");
    await session?.post("Profiler.setSamplingInterval", { interval: SAMPLING_MICROSECONDS });
    await session?.post("Profiler.start");
    delays.reset();
    delays.enable();
  };
  const endMeasurement = async (): Promise<void> => {
    delays.disable();
    const loopDelay = { p999: delayMs(delays.percentile(99.9)), max: delayMs(delays.max) };
    const profile = (await session?.post("Profiler.stop"))?.profile as CpuProfile | undefined;
    session?.disconnect();
    const metrics: ServerMetrics = { loopDelay, ...(profile === undefined ? {} : { profile }) };
    writeFileSync(`${file}.part`, JSON.stringify(metrics));
    renameSync(`${file}.part`, file);
  };
  process.on("SIGUSR2", () => {
    isWatching = !isWatching;
    void (isWatching ? startMeasurement() : endMeasurement());
  });
}
