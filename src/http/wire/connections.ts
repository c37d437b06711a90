import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many connections the threads of a process have open, each counted at a place of its own. */
export interface OpenConnections {
  readonly counts: Int32Array;
  /** The place of this thread. */
  readonly thread: number;
}

/** The connections of one server. */
export interface BoundConnections {
  /** The answer of this connection goes on, and is no request in flight: where there is no room, it may be closed. */
  release(socket: Socket, response: ServerResponse): void;
  /** Closes the server kindly: no more connections, requests in flight are answered, sockets without one are closed. Resolves when all is closed, within five
   *  seconds. */
  drain(): Promise<void>;
}

/** Bounds the connections of a process: where one more comes than may be, the oldest that has no request in flight is closed, else the one that has been
 *  sending its request for longest (as a slow sender does), else the new one. */
export function boundConnections(server: Server, limit: number, { counts, thread }: OpenConnections): BoundConnections {
  // Requests that a socket has begun and not finished; node's own list of idle sockets leaves out those that never sent one.
  const open = new Map<Socket, Requests>();
  let begun = 0;
  let whenEmpty = (): void => {};
  const change = (socket: Socket, by: number): void => {
    const requests = open.get(socket);
    if (requests !== undefined) requests.unanswered += by;
  };
  server.on("connection", (socket) => {
    if (counts.reduce((sum, count) => sum + count, 0) >= limit) (oldestIdle(open) ?? slowest(open) ?? socket).destroy();
    open.set(socket, { unanswered: 0, newest: undefined, number: 0 });
    counts[thread] = open.size;
    socket.once("close", () => {
      open.delete(socket);
      if (open.size === 0) whenEmpty();
      counts[thread] = open.size;
    });
  });
  for (const event of ["request", "checkContinue", "checkExpectation"] as const) {
    server.on(event, (request, response) => {
      const requests = open.get(request.socket);
      if (requests === undefined) return;
      begun += 1;
      requests.unanswered += 1;
      requests.newest = request;
      requests.number = begun;
      response.once("close", () => {
        requests.unanswered -= 1;
        // An open connection does not keep a request that is done in memory.
        if (requests.newest === request) requests.newest = undefined;
      });
    });
  }
  const drain = async (): Promise<void> => {
    // Whoever is connected may have more to send, and connections may wait to be accepted: they are still served, each for the last time.
    if (open.size > 0) await new Promise((resolve) => setTimeout(resolve, NOTICE));
    // Those that came another way than through the server are closed without it.
    const emptied = new Promise<void>((resolve) => {
      whenEmpty = resolve;
      if (open.size === 0) resolve();
    });
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const closeIdle = (): void => {
      for (const [socket, { unanswered }] of open) if (unanswered === 0) socket.destroySoon();
    };
    // What was sent just before the sockets hear of the end still arrives and is answered.
    const sweep = setInterval(closeIdle, SWEEP);
    const end = setTimeout(() => {
      for (const socket of open.keys()) socket.destroy();
    }, GRACE);
    await Promise.all([closed, emptied]);
    clearInterval(sweep);
    clearTimeout(end);
  };
  return {
    release(socket, response) {
      change(socket, -1);
      response.once("close", () => change(socket, 1));
    },
    drain,
  };
}

/** Of one connection. */
interface Requests {
  unanswered: number;
  newest: IncomingMessage | undefined;
  /** Of the newest request, counted over all connections: a lower one began earlier. */
  number: number;
}

function oldestIdle(open: ReadonlyMap<Socket, Requests>): Socket | undefined {
  for (const [socket, { unanswered }] of open) if (unanswered === 0 && !socket.destroyed) return socket;
  return undefined;
}

/** The connection whose only request began first of all that have not arrived to their end. */
function slowest(open: ReadonlyMap<Socket, Requests>): Socket | undefined {
  let found: Socket | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [socket, { unanswered, newest, number }] of open) {
    if (unanswered !== 1 || newest?.complete !== false || number >= least || socket.destroyed) continue;
    found = socket;
    least = number;
  }
  return found;
}

/** Milliseconds. */
const NOTICE = 100;
const SWEEP = 150;
const GRACE = 4_000;
