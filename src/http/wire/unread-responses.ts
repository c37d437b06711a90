import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Closes connections whose clients do not read their response within 30 seconds. If more than 64 MB are unread in
 * total, it also closes the connections that read most slowly.
 * @returns a function to call after each response was passed to its socket
 */
export function limitUnreadResponses(): (socket: Socket, response: ServerResponse) => void {
  const unreadResponses = new Map<Socket, UnreadResponse>();
  let checkTimer: NodeJS.Timeout | undefined;
  const closeSlowSocket = (): void => {
    let totalBytes = 0;
    for (const socket of unreadResponses.keys()) totalBytes += socket.writableLength;
    if (totalBytes <= MAX_UNREAD_BYTES) return;
    const now = performance.now();
    const readers = [...unreadResponses].map(([socket, { bytes, startedAt }]) => {
      const sentBytes = bytes - socket.writableLength;
      return { socket, rate: (sentBytes + ADDED_READ_BYTES) / Math.max(1, now - startedAt) };
    });
    for (const { socket } of readers.sort((a, b) => a.rate - b.rate)) {
      if (totalBytes <= MAX_UNREAD_BYTES) break;
      totalBytes -= socket.writableLength;
      socket.destroy();
    }
  };
  return (socket, response) => {
    if (socket.writableLength === 0) return;
    const timer = setTimeout(() => socket.destroy(), READ_TIMEOUT_MS);
    unreadResponses.set(socket, { bytes: socket.writableLength, startedAt: performance.now() });
    checkTimer ??= setInterval(closeSlowSocket, CHECK_INTERVAL_MS);
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
  /** Unread bytes of the response at the time `startedAt`. */
  readonly bytes: number;
  readonly startedAt: number;
}

/** Maximum time in milliseconds in which a client must read a response. */
const READ_TIMEOUT_MS = 30_000;
/** Maximum number of unread bytes of all responses in the process. */
const MAX_UNREAD_BYTES = 64 * 1_024 * 1_024;
/** Milliseconds between two checks of the total unread data, short enough that little data accumulates in between. */
const CHECK_INTERVAL_MS = 250;
/**
 * Number of bytes added to what each client has read, when read speeds are compared. Otherwise, a client whose response
 * was just sent would count as the slowest.
 */
const ADDED_READ_BYTES = 64 * 1_024;
