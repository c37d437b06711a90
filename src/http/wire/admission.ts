import { Problem } from "../../problem.ts";

/** Which requests are begun while more come than can be answered: what has waited long to be read is refused at once, so that what is begun is answered
 *  soon. Each method throws Problem `overloaded` where there is no room. */
export interface Admission {
  /** For a look at what is kept: there is room for longer than for anything else. */
  admitLook(): void;
  /** For a write: the last that is refused, as a crowd that buys is what a shop is for. @param renders as in {@link admit} */
  admitWrite(renders?: "renders"): void;
  /** For everything else. @param renders it waits for a turn of the event loop */
  admit(renders?: "renders"): void;
}

/** @param maxWaitMs how long a request may have waited before it begins, while the event loop is never idle
 *  @param turnsMs how long who asks for a turn now would wait for it */
export function createAdmission(maxWaitMs: number, turnsMs: () => number): Admission {
  const clock = createLoopClock();
  /** A loop that comes to rest again and again does all that is asked of it: who waits then waits behind one thing that takes long. */
  const isRefused = (ms: number): boolean =>
    ms > maxWaitMs && clock.asked() > FEW && (clock.busyMs() > NEVER_IDLE_MS || ms > maxWaitMs * BURST_SHARE);
  return {
    admitLook() {
      if (isRefused(clock.waitedMs() / LOOK_SHARE)) throw OVERLOADED;
    },
    admitWrite(renders) {
      const ms = Math.max(clock.waitedMs(), renders === undefined ? 0 : turnsMs());
      if (ms > maxWaitMs * WRITE_SHARE && clock.asked() > FEW && clock.busyMs() > RUSH_MS) throw OVERLOADED;
    },
    admit(renders) {
      if (isRefused(clock.waitedMs()) || (renders !== undefined && isRefused(turnsMs()))) throw OVERLOADED;
    },
  };
}

/** How much longer looks are answered than all else. */
const LOOK_SHARE = 1.5;
/** How much longer requests may wait that came all at once. */
const BURST_SHARE = 5;
/** How much longer writes may wait, and milliseconds without rest after which they are refused at all: a thousand shoppers who press at once, or a
 *  thousand tries of one, are each answered. */
const WRITE_SHARE = 10;
const RUSH_MS = 4_000;
/** Requests since the loop last came to rest that are no overload, however long they have waited: then it was held up by something else, as after a
 *  machine's sleep. A page with its files is some dozens. */
const FEW = 100;
/** Milliseconds without rest after which there is more to do than can be done. */
const NEVER_IDLE_MS = 100;
/** One for all, as a stack takes longer to make than the answer. */
const OVERLOADED = new Problem(
  "overloaded",
  "There is more to do here than can be done at once: try again in a moment.",
);

interface LoopClock {
  /** How long a request that is read now can have waited: it came at the earliest when the turn before this one began. */
  waitedMs(): number;
  /** For how long the loop has not come to rest, and how many times it was asked since. */
  busyMs(): number;
  asked(): number;
}

/** Tells by a timer that is due every few milliseconds, and late where a turn of the event loop takes longer.
 *
 *      turns    | |    |       the one before        |         this one         now
 *      ticks    |.|....|.............................|..........................
 *                       <-- longer than the period --> <-- than the period ---> */
function createLoopClock(): LoopClock {
  let timer: NodeJS.Timeout | undefined;
  let tickedAt = 0;
  let lateMs = 0;
  let idleTicks = 0;
  let idleMs = 0;
  let busySince = 0;
  let asked = 0;
  const lookAtIdle = (now: number): void => {
    const { idle } = performance.eventLoopUtilization();
    if (idle - idleMs > REST) {
      busySince = now;
      asked = 0;
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
    waitedMs() {
      const now = performance.now();
      idleTicks = 0;
      asked += 1;
      if (timer === undefined) {
        timer = setInterval(tick, PERIOD).unref();
        tickedAt = now;
        lateMs = 0;
        lookAtIdle(now);
      }
      return lateMs + Math.max(0, now - tickedAt - PERIOD);
    },
    asked: () => asked,
    busyMs: () => performance.now() - busySince,
  };
}

/** Milliseconds between ticks: little beside the waits that are told apart. */
const PERIOD = 5;
/** Milliseconds of rest between two ticks that count. */
const REST = 0.5;
/** Who is asked nothing for so many ticks sleeps. */
const IDLE_TICKS = 200;
