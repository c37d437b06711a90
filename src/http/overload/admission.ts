import { Problem } from "../../problem.ts";
import { createBacklog } from "./backlog.ts";
import type { LoopClock } from "./loop-clock.ts";
import type { Kind, RequestQueue } from "./request-queue.ts";

/** Which requests are begun while more come than can be answered: what has waited long to be read is refused at once, so that what is begun is answered
 *  soon. */
export interface Admission {
  /** For a look at what is at hand: there is room for longer than for anything else. @throws Problem `overloaded` */
  admitLook(): void;
  /** For each request as it arrives: whether it would have waited too long by the time it begins. */
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
  const renders = createBacklog(RENDER_MS);
  const waitedMs = (): number => Math.max(clock.waitedMs(), queue.waitedMs());
  /** A loop that comes to rest again and again does all that is asked of it: who waits then waits behind one thing that takes long. */
  const isRefused = (ms: number): boolean =>
    ms > maxWaitMs && clock.arrived() > FEW && (clock.busyMs() > NEVER_IDLE_MS || ms > maxWaitMs * BURST_SHARE);
  const isReadRefused = (more: number): boolean =>
    isRefused(waitedMs()) || (more > 0 && isRefused(renders.expectedMs() / PAGE_SHARE));
  /** Whether a write came with many others and before any sign of more to come. @param waited milliseconds since it came */
  const isOfCrowd = (waited: number): boolean => clock.arrived() <= FEW || clock.busyMs() - waited <= RUSH_MS;
  const isWriteLate = (ms: number, waited: number): boolean => ms > maxWaitMs * WRITE_SHARE && !isOfCrowd(waited);
  const isWriteRefused = (more: number): boolean => {
    const waited = waitedMs();
    if (isWriteLate(waited, waited)) return true;
    const share = isOfCrowd(waited) ? WRITE_SHARE : SECTIONS_SHARE;
    return more > 0 && clock.arrived() > FEW && renders.expectedMs() > maxWaitMs * share;
  };
  return {
    admitLook() {
      if (isRefused(waitedMs() / LOOK_SHARE)) throw OVERLOADED;
    },
    refuses(method) {
      clock.arrive();
      const waited = clock.waitedMs();
      const soon = (kind: Kind): number => (waited + queue.expectedMs(kind)) / SOON_SHARE;
      return method === "POST" ? isWriteLate(soon("write"), waited) : isRefused(soon("read"));
    },
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
/** How much longer pages and sections may wait for those before them than a request to be begun, as they take long themselves; and the sections of a
 *  write, which waits for its commit besides. */
const PAGE_SHARE = 4;
const SECTIONS_SHARE = 3;
/** How much longer writes may wait to be begun, and those of a crowd for their sections; and milliseconds without rest in which those that come are a
 *  crowd, and begun however long they wait: of a thousand shoppers who press at once, or a thousand tries of one, each is answered. */
const WRITE_SHARE = 6;
const RUSH_MS = 1_000;
/** Requests since the loop last came to rest that are no overload, however long they have waited: then it was held up by something else, as after a
 *  machine's sleep. A page with its files is some dozens. */
const FEW = 100;
/** Milliseconds without rest after which there is more to do than can be done. */
const NEVER_IDLE_MS = 100;
/** Milliseconds of a section, or of a plain page, until some were made. */
const RENDER_MS = 2;
/** One for all, as a stack takes longer to make than the answer. */
export const OVERLOADED = new Problem(
  "overloaded",
  "There is more to do here than can be done at once: try again in a moment.",
);
