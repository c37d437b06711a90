import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Limits responses in memory that clients have not read: 30 s for each, and 64 MB together. Above this limit, the
 * connections that read most slowly are closed.
 * @returns a function that takes each response after it was passed to its socket
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
  /** Initial number of unread bytes. */
  readonly bytes: number;
  readonly since: number;
}

/** Maximum milliseconds until a client has read a response. */
const READ_TIME = 30_000;
/** Maximum unread bytes in the process. */
const MAX_UNREAD = 64 * 1_024 * 1_024;
/** Milliseconds between checks: long enough to notice progress, too short for many new responses. */
const CHECK_MS = 250;
/** Bytes that a new response counts as read, so that it is not the slowest. */
const HEAD_START = 64 * 1_024;
