// Measures steal time: the time during which the hypervisor ran other virtual machines. Delays in these periods are not
// caused by the measured code. Linux reports the steal time of all processors together in /proc/stat, in hundredths of
// a second.
import { readFileSync } from "node:fs";

/** Period of steal time: its start in milliseconds since 1970, and its duration in milliseconds. */
export interface StolenPeriod {
  readonly startTime: number;
  readonly ms: number;
}

const TICK_MS = 10;
const SAMPLE_MS = 5;

/** Records steal time until stopped.  @returns an empty list if the system does not report steal time */
export function watchStealTime(): { stop(): readonly StolenPeriod[] } {
  const periods: StolenPeriod[] = [];
  let ticks = readStolenTicks();
  let lastSample = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const oldTicks = ticks;
    ticks = readStolenTicks();
    const ms = (ticks - oldTicks) * TICK_MS;
    // The period started before the counter changed: at most one tick plus its duration earlier, or since the last
    // sample.
    const start = Math.min(lastSample, now - ms - TICK_MS);
    if (ms > 0) periods.push({ startTime: performance.timeOrigin + start, ms: now - start });
    lastSample = now;
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return periods;
    },
  };
}

function readStolenTicks(): number {
  try {
    return Number(readFileSync("/proc/stat", "latin1").split("\n")[0]?.trim().split(/\s+/)[8] ?? 0);
  } catch {
    return 0;
  }
}
