import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Limits the responses that wait in memory for their readers: 30 s for each, and 64 MB for all together. Above that,
 * the responses that are read slowest are closed, even if they are read steadily.
 * @returns takes a response when all of it was passed to its socket
 */
export function createUnreadResponses(): (socket: Socket, response: ServerResponse) => void {
  const unread = new Map<Socket, Unread>();
  let looking: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    let total = 0;
    for (const socket of unread.keys()) total += socket.writableLength;
    if (total <= MAX_UNREAD) return;
    const now = performance.now();
    const slowestFirst = [...unread].map(([socket, { bytes, since }]) => {
      const read = bytes - socket.writableLength;
      return { socket, rate: (read + HEAD_START) / Math.max(1, now - since) };
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
    looking ??= setInterval(giveUp, CHECK_MS);
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
  /** Bytes that waited at first. */
  readonly bytes: number;
  readonly since: number;
}

/** Milliseconds in which a response in memory must be read. */
const READ_TIME = 30_000;
/** Maximum bytes that wait for readers, in the process. */
const MAX_UNREAD = 64 * 1_024 * 1_024;
/** Milliseconds between checks: long enough to notice reading, too short for many new responses. */
const CHECK_MS = 250;
/** Bytes that count as read of a new response, so that it is not the slowest. */
const HEAD_START = 64 * 1_024;
