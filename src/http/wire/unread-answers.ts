import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Answers that wait in memory for their readers, with an end for each (30 s) and for all together (64 MB): past that, those that are read
 *  slowest are given up, however steadily they take a byte at a time.
 *  @returns takes an answer once all of it is in the hands of its socket */
export function createUnreadAnswers(): (socket: Socket, response: ServerResponse) => void {
  const unread = new Map<Socket, Unread>();
  let looking: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    let total = 0;
    for (const socket of unread.keys()) total += socket.writableLength;
    if (total <= MAX_UNREAD) return;
    const now = performance.now();
    const slowestFirst = [...unread].map(([socket, { bytes, since }]) => {
      const taken = bytes - socket.writableLength;
      return { socket, rate: (taken + HEAD_START) / Math.max(1, now - since) };
    });
    for (const { socket } of slowestFirst.sort((one, other) => one.rate - other.rate)) {
      if (total <= MAX_UNREAD) break;
      total -= socket.writableLength;
      socket.destroy();
    }
  };
  return (socket, response) => {
    if (socket.writableLength === 0) return;
    const timer = setTimeout(() => socket.destroy(), READ_TIME);
    unread.set(socket, { bytes: socket.writableLength, since: performance.now() });
    looking ??= setInterval(giveUp, LOOK_EVERY);
    response.once("close", () => {
      clearTimeout(timer);
      unread.delete(socket);
      if (unread.size > 0) return;
      clearInterval(looking);
      looking = undefined;
    });
  };
}

interface Unread {
  /** How many waited at first. */
  readonly bytes: number;
  readonly since: number;
}

/** Milliseconds in which an answer that is all in memory has to be read. */
const READ_TIME = 30_000;
/** Bytes that wait for readers, in the whole process. */
const MAX_UNREAD = 64 * 1_024 * 1_024;
/** Milliseconds: long enough to tell who reads, too short to make much more. */
const LOOK_EVERY = 250;
/** Bytes that count as read of an answer that was just sent, so that it is not the slowest. */
const HEAD_START = 64 * 1_024;
