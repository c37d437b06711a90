import { Problem } from "../../problem.ts";
import type { LoopClock } from "./loop-clock.ts";
import type { RequestQueue } from "./request-queue.ts";

/** Which requests are begun while more come than can be answered: what has waited long to be read is refused at once, so that what is begun is answered
 *  soon. */
export interface Admission {
  /** For a look at what is at hand: there is room for longer than for anything else. @throws Problem `overloaded` */
  admitLook(): void;
  /** Whether one that arrives now would have waited too long by the time it begins. */
  refuses(method: string): boolean;
  /** One for each request that is more than a look at what is kept. */
  open(method: string): Ticket;
}

/** What one request has been admitted to. */
export interface Ticket {
  /** @param renders how many sections or pages are made for it; their time is taken into account until the request is done
   *  @throws Problem `overloaded` where there is no room: writes are the last that are refused, as a crowd that buys is what a shop is for */
  admit(renders?: number): void;
  /** It has been answered. */
  close(): void;
}

/** @param maxWaitMs how long a request may have waited before it begins, while the event loop is never idle
 *  @param clock of the event loop  @param queue in which requests wait to begin */
export function createAdmission(maxWaitMs: number, clock: LoopClock, queue: RequestQueue): Admission {
  const renders = createRenderCount();
  const waitedMs = (): number => Math.max(clock.waitedMs(), queue.waitedMs());
  /** A loop that comes to rest again and again does all that is asked of it: who waits then waits behind one thing that takes long. */
  const isRefused = (ms: number): boolean =>
    ms > maxWaitMs && clock.asked() > FEW && (clock.busyMs() > NEVER_IDLE_MS || ms > maxWaitMs * BURST_SHARE);
  const isReadRefused = (more: number): boolean =>
    isRefused(waitedMs()) || (more > 0 && isRefused(renders.expectedMs() / RENDERS_SHARE));
  const isWriteRefused = (more: number): boolean => {
    const waited = waitedMs();
    if (clock.asked() <= FEW) return false;
    return (
      (waited > maxWaitMs * WRITE_SHARE && clock.busyMs() - waited > RUSH_MS) ||
      (more > 0 && renders.expectedMs() > maxWaitMs * WRITE_SHARE)
    );
  };
  return {
    admitLook() {
      if (isRefused(waitedMs() / LOOK_SHARE)) throw OVERLOADED;
    },
    refuses: (method) => method !== "POST" && isRefused(queue.expectedMs("read") / SOON_SHARE),
    open(method) {
      let own = 0;
      return {
        admit(more = 0) {
          if (method === "POST" ? isWriteRefused(more) : isReadRefused(more)) throw OVERLOADED;
          renders.begin(more);
          own += more;
        },
        close() {
          renders.end(own);
          own = 0;
        },
      };
    },
  };
}

/** How much longer looks are answered than all else. */
const LOOK_SHARE = 1.5;
/** How long the wait may be before one that arrives, as a part of what it may wait until it begins: those that are let in are to be begun. */
const SOON_SHARE = 0.8;
/** How much longer requests may wait that came all at once. */
const BURST_SHARE = 5;
/** How much longer a page may wait for those before it than a request to be begun: it takes long itself. */
const RENDERS_SHARE = 2;
/** How much longer writes may wait, and milliseconds without rest in which those that come are begun however long they wait: of a thousand shoppers who
 *  press at once, or a thousand tries of one, each is answered. */
const WRITE_SHARE = 8;
const RUSH_MS = 1_000;
/** Requests since the loop last came to rest that are no overload, however long they have waited: then it was held up by something else, as after a
 *  machine's sleep. A page with its files is some dozens. */
const FEW = 100;
/** Milliseconds without rest after which there is more to do than can be done. */
const NEVER_IDLE_MS = 100;
/** One for all, as a stack takes longer to make than the answer. */
export const OVERLOADED = new Problem(
  "overloaded",
  "There is more to do here than can be done at once: try again in a moment.",
);

/** Sections and pages that requests were admitted to and that are not made yet. Counted from there, as a write comes to its sections only after its
 *  commit: many of them would be let in before the first is seen to wait. */
interface RenderCount {
  begin(count: number): void;
  end(count: number): void;
  /** How long those that are under way will take together. */
  expectedMs(): number;
}

function createRenderCount(): RenderCount {
  let underWay = 0;
  /** From one that is done to the next, while others are under way. */
  let intervalMs = FIRST_GUESS;
  let endedAt: number | undefined;
  return {
    begin(count) {
      underWay += count;
    },
    end(count) {
      if (count === 0) return;
      const now = performance.now();
      // The first may have waited for a disk.
      if (endedAt !== undefined) intervalMs += ((now - endedAt) / count - intervalMs) * NEWEST;
      underWay -= count;
      endedAt = underWay === 0 ? undefined : now;
    },
    expectedMs: () => underWay * intervalMs,
  };
}

/** How much the newest interval counts towards the mean of all. */
const NEWEST = 0.2;
/** Milliseconds: a page of a plain theme. */
const FIRST_GUESS = 10;
