import type { Socket } from "node:net";
import { afterPromises } from "../../theme/turns.ts";
import { createFifo } from "./fifo.ts";

/** Where requests wait while more has arrived than one turn of the event loop should begin: they begin in their order, reads and writes in turn, some
 *  milliseconds of them in each turn of the loop. So turns stay short however much comes, and a new connection, which one turn accepts and the
 *  next reads, is soon heard. */
export interface RequestQueue {
  /** @param begin called at once where this turn has room, else in one of the next; never where the socket has closed */
  add(kind: Kind, socket: Socket, begin: () => void): void;
  /** How long the request that begins just now has waited, in milliseconds; 0 where none did. */
  waitedMs(): number;
  /** About how long one that is added now would wait: as long as the next to begin has by now. */
  expectedMs(kind: Kind): number;
}

/** Writes and reads do not wait for each other. */
export type Kind = "read" | "write";

/** @param lateMs how long what is read now may have waited to be read */
export function createRequestQueue(lateMs: () => number): RequestQueue {
  const lines = { read: createFifo<Waiting>(), write: createFifo<Waiting>() };
  const hasRoom = createRoom();
  let isDraining = false;
  let isWriteNext = false;
  let current: Waiting | undefined;

  const shift = (): Waiting | undefined => {
    isWriteNext = !isWriteNext;
    return isWriteNext ? (lines.write.shift() ?? lines.read.shift()) : (lines.read.shift() ?? lines.write.shift());
  };
  const drain = (): void => {
    const end = performance.now() + SLICE_MS;
    const step = (): void => {
      current = shift();
      if (current === undefined) {
        isDraining = false;
        return;
      }
      if (!current.socket.destroyed) current.begin();
      current = undefined;
      // With its answer, where that waits for nothing.
      afterPromises(goOn);
    };
    const goOn = (): void => {
      if (performance.now() < end) step();
      else setImmediate(drain);
    };
    step();
  };
  return {
    add(kind, socket, begin) {
      if (!isDraining && hasRoom()) return begin();
      lines[kind].push({ socket, begin, since: performance.now() - lateMs() });
      if (!isDraining) setImmediate(drain);
      isDraining = true;
    },
    waitedMs: () => (current === undefined ? 0 : performance.now() - current.since),
    expectedMs(kind) {
      const first = lines[kind].first();
      return first === undefined ? 0 : performance.now() - first.since;
    },
  };
}

interface Waiting {
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
const SLICE_MS = 4;
/** Requests, in one turn or in several, that begin without a look at the clock: it costs as much as what is done for each. */
const FEW = 8;
