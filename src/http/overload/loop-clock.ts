/** Tells for how long an event loop has been busy, and how late it comes to what is asked of it. */
export interface LoopClock {
  /** Told of each request as it is read. */
  arrive(): void;
  /** How long a request that is read now can have waited: it came at the earliest when the turn before this one began. */
  waitedMs(): number;
  /** For how long the loop has not come to rest, and how many requests have arrived since. */
  busyMs(): number;
  arrived(): number;
}

/** Tells by a timer that is due every few milliseconds, and late where a turn of the event loop takes longer.
 *
 *      turns    | |    |       the one before        |         this one         now
 *      ticks    |.|....|.............................|..........................
 *                       <-- longer than the period --> <-- than the period ---> */
export function createLoopClock(): LoopClock {
  let timer: NodeJS.Timeout | undefined;
  let tickedAt = 0;
  let lateMs = 0;
  let idleTicks = 0;
  let idleMs = 0;
  let busySince = 0;
  let arrived = 0;
  const lookAtIdle = (now: number): void => {
    const { idle } = performance.eventLoopUtilization();
    if (idle - idleMs > REST) {
      busySince = now;
      arrived = 0;
    }
    idleMs = idle;
  };
  const tick = (): void => {
    const now = performance.now();
    lateMs = Math.max(0, now - tickedAt - PERIOD);
    tickedAt = now;
    lookAtIdle(now);
    idleTicks += 1;
    if (idleTicks < IDLE_TICKS) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    arrive() {
      idleTicks = 0;
      if (timer === undefined) {
        const now = performance.now();
        timer = setInterval(tick, PERIOD).unref();
        tickedAt = now;
        lateMs = 0;
        lookAtIdle(now);
      }
      arrived += 1;
    },
    waitedMs: () => (timer === undefined ? 0 : lateMs + Math.max(0, performance.now() - tickedAt - PERIOD)),
    arrived: () => arrived,
    busyMs: () => performance.now() - busySince,
  };
}

/** Milliseconds between ticks: little beside the waits that are told apart. */
const PERIOD = 5;
/** Milliseconds of rest between two ticks that count. */
const REST = 0.5;
/** Where nothing arrives for so many ticks it sleeps. */
const IDLE_TICKS = 200;
