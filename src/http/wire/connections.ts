import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Bounds a server's connections: where one more comes than may be, the oldest that has no request in flight is closed, else the new one.
 *  @returns closes the server kindly (no more connections, requests in flight are answered, sockets without one are closed); resolves when all
 *  is closed, within five seconds */
export function boundConnections(server: Server, limit: number): () => Promise<void> {
  // Requests that a socket has begun and not finished; node's own list of idle sockets leaves out those that never sent one.
  const open = new Map<Socket, number>();
  const change = (socket: Socket, by: number): void => {
    const busy = open.get(socket);
    if (busy !== undefined) open.set(socket, busy + by);
  };
  server.on("connection", (socket) => {
    if (open.size >= limit) (oldestIdle(open) ?? socket).destroy();
    open.set(socket, 0);
    socket.once("close", () => open.delete(socket));
  });
  for (const event of ["request", "checkContinue", "checkExpectation"] as const) {
    server.on(event, ({ socket }, response) => {
      change(socket, 1);
      response.once("close", () => change(socket, -1));
    });
  }
  return async () => {
    // Whoever is connected may have more to send, and connections may wait to be accepted: they are still served, each for the last time.
    if (open.size > 0) await new Promise((resolve) => setTimeout(resolve, NOTICE));
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const closeIdle = (): void => {
      for (const [socket, busy] of open) if (busy === 0) socket.destroySoon();
    };
    // What was sent just before the sockets hear of the end still arrives and is answered.
    const sweep = setInterval(closeIdle, SWEEP);
    const end = setTimeout(() => server.closeAllConnections(), GRACE);
    await closed;
    clearInterval(sweep);
    clearTimeout(end);
  };
}

function oldestIdle(open: ReadonlyMap<Socket, number>): Socket | undefined {
  for (const [socket, busy] of open) if (busy === 0 && !socket.destroyed) return socket;
  return undefined;
}

/** Milliseconds. */
const NOTICE = 100;
const SWEEP = 150;
const GRACE = 4_000;
