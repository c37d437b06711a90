import type { Socket } from "node:net";
import { afterPromises } from "../../theme/turns.ts";
import { createBacklog } from "./backlog.ts";
import { createFifo } from "./fifo.ts";

/** Where requests wait while more has arrived than one turn of the event loop should begin: they begin in their order, reads and writes for the same time, some
 *  milliseconds of them in each turn of the loop. So turns stay short however much comes, and a new connection, which one turn accepts and the
 *  next reads, is soon heard. */
export interface RequestQueue {
  /** @param begin called at once where this turn has room, else in one of the next; never where the socket has closed */
  add(kind: Kind, socket: Socket, begin: () => void): void;
  /** How long the request that begins just now has waited, in milliseconds; 0 where none did. */
  waitedMs(): number;
  /** About how long one that is added now would wait, in milliseconds: for all of its kind that wait. */
  expectedMs(kind: Kind): number;
}

/** Writes and reads do not wait for each other. */
export type Kind = "read" | "write";

/** @param lateMs how long what is read now may have waited to be read */
export function createRequestQueue(lateMs: () => number): RequestQueue {
  const lines = { read: createFifo<Waiting>(), write: createFifo<Waiting>() };
  const backlogs = { read: createBacklog(BEGIN_MS), write: createBacklog(BEGIN_MS) };
  const hasRoom = createRoom();
  let isDraining = false;
  /** Since somebody waits in both lines. */
  let takenMs = { read: 0, write: 0 };
  let current: Waiting | undefined;

  const shiftFrom = (kind: Kind): Waiting | undefined => {
    const first = lines[kind].shift();
    if (first !== undefined) backlogs[kind].end(1);
    return first;
  };
  /** From the line whose requests have taken less time. */
  const shift = (): Waiting | undefined => {
    const kind = takenMs.write > takenMs.read ? "read" : "write";
    const one = shiftFrom(kind);
    if (one !== undefined) return one;
    takenMs = { read: 0, write: 0 };
    return shiftFrom(kind === "read" ? "write" : "read");
  };
  const drain = (): void => {
    let startedAt = performance.now();
    const end = startedAt + SLICE_MS;
    let kind: Kind = "read";
    const step = (): void => {
      current = shift();
      if (current === undefined) {
        isDraining = false;
        return;
      }
      ({ kind } = current);
      if (!current.socket.destroyed) current.begin();
      current = undefined;
      // With its answer, where that waits for nothing.
      afterPromises(goOn);
    };
    const goOn = (): void => {
      const now = performance.now();
      takenMs[kind] += now - startedAt;
      startedAt = now;
      if (now < end) step();
      else setImmediate(drain);
    };
    step();
  };
  return {
    add(kind, socket, begin) {
      if (!isDraining && hasRoom()) return begin();
      backlogs[kind].begin(1);
      lines[kind].push({ kind, socket, begin, since: performance.now() - lateMs() });
      if (!isDraining) setImmediate(drain);
      isDraining = true;
    },
    waitedMs: () => (current === undefined ? 0 : performance.now() - current.since),
    expectedMs: (kind) => backlogs[kind].expectedMs(),
  };
}

interface Waiting {
  readonly kind: Kind;
  readonly socket: Socket;
  readonly begin: () => void;
  /** When it came at the earliest, by `performance.now()`. */
  readonly since: number;
}

/** Tells whether one more request may begin in this turn of the event loop. */
function createRoom(): () => boolean {
  let begun = 0;
  let since = 0;
  return () => {
    begun += 1;
    if (begun < FEW) return true;
    const now = performance.now();
    if (begun > FEW) return now - since < SLICE_MS;
    since = now;
    setImmediate(() => {
      begun = 0;
    });
    return true;
  };
}

/** Milliseconds of requests that begin in one turn of the event loop. */
const SLICE_MS = 2;
/** Milliseconds that it takes to begin a request, until some have begun. */
const BEGIN_MS = 0.2;
/** Requests, in one turn or in several, that begin without a look at the clock: it costs as much as what is done for each. */
const FEW = 8;
