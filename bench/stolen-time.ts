// Measures steal time: the time during which the hypervisor ran other virtual machines. Delays in these periods are
// not caused by the measured code. Linux reports it in /proc/stat, in hundredths of a second of all processors
// together.
import { readFileSync } from "node:fs";

/** Milliseconds since 1970 at its start, and how many it lasted. */
export interface Stolen {
  readonly due: number;
  readonly ms: number;
}

const TICK_MS = 10;
const SAMPLE_MS = 5;

/** Watches until stopped.  @returns empty if the system does not report it */
export function watchStolen(): { stop(): readonly Stolen[] } {
  const found: Stolen[] = [];
  let ticks = stolenTicks();
  let lookedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const before = ticks;
    ticks = stolenTicks();
    const ms = (ticks - before) * TICK_MS;
    // It started before it was counted, at most a tick earlier than it lasted, or since the last check.
    const start = Math.min(lookedAt, now - ms - TICK_MS);
    if (ms > 0) found.push({ due: performance.timeOrigin + start, ms: now - start });
    lookedAt = now;
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return found;
    },
  };
}

function stolenTicks(): number {
  try {
    return Number(readFileSync("/proc/stat", "latin1").split("\n")[0]?.trim().split(/\s+/)[8] ?? 0);
  } catch {
    return 0;
  }
}
