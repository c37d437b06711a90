import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Limits responses in memory that clients have not read: 30 s for each, and 64 MB together. Above this limit, the
 * connections that read most slowly are closed.
 * @returns a function that takes each response after it was passed to its socket
 */
export function createUnreadResponses(): (socket: Socket, response: ServerResponse) => void {
  const unreadResponses = new Map<Socket, UnreadResponse>();
  let checkTimer: NodeJS.Timeout | undefined;
  const closeSlowest = (): void => {
    let total = 0;
    for (const socket of unreadResponses.keys()) total += socket.writableLength;
    if (total <= MAX_UNREAD_BYTES) return;
    const now = performance.now();
    const readers = [...unreadResponses].map(([socket, { bytes, startedAt }]) => {
      const readBytes = bytes - socket.writableLength;
      return { socket, rate: (readBytes + HEAD_START_BYTES) / Math.max(1, now - startedAt) };
    });
    for (const { socket } of readers.sort((a, b) => a.rate - b.rate)) {
      if (total <= MAX_UNREAD_BYTES) break;
      total -= socket.writableLength;
      socket.destroy();
    }
  };
  return (socket, response) => {
    if (socket.writableLength === 0) return;
    const timer = setTimeout(() => socket.destroy(), READ_TIME_MS);
    unreadResponses.set(socket, { bytes: socket.writableLength, startedAt: performance.now() });
    checkTimer ??= setInterval(closeSlowest, CHECK_MS);
    response.once("close", () => {
      clearTimeout(timer);
      unreadResponses.delete(socket);
      if (unreadResponses.size > 0) return;
      clearInterval(checkTimer);
      checkTimer = undefined;
    });
  };
}

interface UnreadResponse {
  /** Initial number of unread bytes. */
  readonly bytes: number;
  readonly startedAt: number;
}

/** Maximum milliseconds until a client has read a response. */
const READ_TIME_MS = 30_000;
/** Maximum unread bytes in the process. */
const MAX_UNREAD_BYTES = 64 * 1_024 * 1_024;
/** Milliseconds between checks: long enough to notice progress, too short for many new responses. */
const CHECK_MS = 250;
/** Bytes that a new response counts as read, so that it is not the slowest. */
const HEAD_START_BYTES = 64 * 1_024;
