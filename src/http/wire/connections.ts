import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { perObject } from "../../runtime/cache.ts";

/** Numbers of connections that the threads of a process have open, one element for each thread. */
export interface OpenConnections {
  readonly counts: Int32Array;
  /** Index of this thread. */
  readonly thread: number;
}

/** The connections of one server. */
export interface BoundConnections {
  /**
   * Marks the response of this connection as a stream, which is not a request in flight: the connection may be closed
   * to accept another.
   */
  release(socket: Socket, response: ServerResponse): void;
  /**
   * Closes the server gracefully: it accepts no more connections, answers requests in flight, and closes idle sockets.
   * Resolves when all are closed, within five seconds.
   */
  drain(): Promise<void>;
}

/**
 * Limits the connections of a process. A connection above the limit closes the oldest one without a request in flight,
 * else the one that has been sending its request for the longest time (a slow sender), else itself.
 */
export function boundConnections(server: Server, limit: number, { counts, thread }: OpenConnections): BoundConnections {
  // Requests that a socket has started and not finished. Node's own list of idle sockets lacks sockets without a first request.
  const open = new Map<Socket, Requests>();
  let started = 0;
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
      started += 1;
      requests.unanswered += 1;
      requests.newest = request;
      requests.number = started;
      response.once("close", () => {
        requests.unanswered -= 1;
        // An open connection must not keep a finished request in memory.
        if (requests.newest === request) requests.newest = undefined;
      });
    });
  }
  const drain = async (): Promise<void> => {
    // Clients may have sent more, and connections may wait to be accepted: each is still served once.
    if (open.size > 0) await new Promise((resolve) => setTimeout(resolve, NOTICE));
    // Connections that did not come through the server are not known to it.
    const emptied = new Promise<void>((resolve) => {
      whenEmpty = resolve;
      if (open.size === 0) resolve();
    });
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const closeIdle = (): void => {
      for (const [socket, { unanswered }] of open) if (unanswered === 0) socket.destroySoon();
    };
    // Requests that were sent just before the client received the end still arrive and are answered.
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

/** Requests of one connection. */
interface Requests {
  unanswered: number;
  newest: IncomingMessage | undefined;
  /** Number of the newest request, over all connections: a lower one started earlier. */
  number: number;
}

function oldestIdle(open: ReadonlyMap<Socket, Requests>): Socket | undefined {
  for (const [socket, { unanswered }] of open) if (unanswered === 0 && !socket.destroyed) return socket;
  return undefined;
}

/** The connection with the oldest request that has not arrived completely. */
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

/**
 * Handles the requests of one connection one at a time and in order. The next starts in an event loop iteration after
 * the previous response was sent, so that requests of other connections run in between.
 *
 * Node emits all requests of one read (64 KiB) at once. They wait here, and the connection is not read while more than
 * {@link MAX_WAITING} wait. If too many wait in the process, connections with more than that are closed.
 * @returns takes each request of the server when it arrives: its response, and the function that starts it
 */
export function createPipelines(): (socket: Socket, response: ServerResponse, begin: () => void) => void {
  let total = 0;

  const pipelineOf = perObject((socket: Socket): Pipeline => {
    const pipeline: Pipeline = { isBusy: false, isPaused: false, waiting: [] };
    socket.once("close", () => {
      total -= pipeline.waiting.splice(0).length;
    });
    return pipeline;
  });
  const next = (socket: Socket, pipeline: Pipeline): void => {
    const begin = pipeline.waiting.shift();
    if (begin === undefined) return;
    total -= 1;
    throttle(socket, pipeline);
    begin();
  };
  return (socket, response, begin) => {
    const pipeline = pipelineOf(socket);
    response.once("close", () => {
      if (pipeline.waiting.length === 0) pipeline.isBusy = false;
      else setImmediate(next, socket, pipeline);
    });
    if (!pipeline.isBusy) {
      pipeline.isBusy = true;
      begin();
    } else if (pipeline.waiting.length < MAX_WAITING || total < MAX_TOTAL) {
      pipeline.waiting.push(begin);
      total += 1;
      // Later, because Node continues to read until it has parsed what it read.
      if (pipeline.waiting.length === MAX_WAITING + 1) setImmediate(throttle, socket, pipeline);
    } else {
      socket.destroy();
    }
  };
}

interface Pipeline {
  /** Whether one of its requests is being answered. */
  isBusy: boolean;
  isPaused: boolean;
  readonly waiting: (() => void)[];
}

/** Requests that may wait on one connection. At this number, reading from the connection pauses. */
const MAX_WAITING = 10;
/** Requests that may wait on all connections together, in addition: about 40 MB. */
const MAX_TOTAL = 10_000;

/** Node resumes reading after each request that it has finished, so this is called for each. */
function throttle(socket: Socket, pipeline: Pipeline): void {
  const isFull = pipeline.waiting.length > MAX_WAITING;
  if (isFull) socket.pause();
  else if (pipeline.isPaused) socket.resume();
  pipeline.isPaused = isFull;
}
