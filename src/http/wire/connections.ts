import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { memoizePerObject } from "../../runtime/cache.ts";

/** Open connections of a process, one counter for each thread. */
export interface OpenConnections {
  readonly counts: Int32Array;
  /** Index of this thread. */
  readonly thread: number;
}

/** Connections of one server, within a limit. */
export interface BoundConnections {
  /**
   * Marks a response as an event stream, which is not a request in flight. Its connection may be closed to accept
   * another.
   */
  release(socket: Socket, response: ServerResponse): void;
  /**
   * Closes the server gracefully: stops accepting, answers requests in flight, and closes idle sockets. It takes five
   * seconds at most.
   */
  drain(): Promise<void>;
}

/**
 * Limits the connections of a process. A connection above the limit replaces the oldest idle one, else the one that has
 * been sending its request for the longest time, or is closed itself.
 */
export function boundConnections(server: Server, limit: number, { counts, thread }: OpenConnections): BoundConnections {
  // Requests in flight by socket. Node's list of idle connections excludes sockets before their first request.
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
        // An open connection must not retain a finished request in memory.
        if (requests.newest === request) requests.newest = undefined;
      });
    });
  }
  const drain = async (): Promise<void> => {
    // Clients may still send requests, and new connections may wait in the accept queue, so each is served once more.
    if (open.size > 0) await new Promise((resolve) => setTimeout(resolve, NOTICE));
    // Connections that another listener accepted are unknown to Node's server.
    const emptied = new Promise<void>((resolve) => {
      whenEmpty = resolve;
      if (open.size === 0) resolve();
    });
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const closeIdle = (): void => {
      for (const [socket, { unanswered }] of open) if (unanswered === 0) socket.destroySoon();
    };
    // Requests that clients send before they notice the close are still answered.
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
  /** Sequence number of the newest request in the thread. A lower number started earlier. */
  number: number;
}

function oldestIdle(open: ReadonlyMap<Socket, Requests>): Socket | undefined {
  for (const [socket, { unanswered }] of open) if (unanswered === 0 && !socket.destroyed) return socket;
  return undefined;
}

/** Returns the connection with the oldest incomplete request. */
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

/** Phases of a graceful shutdown, in milliseconds. */
const NOTICE = 100;
const SWEEP = 150;
const GRACE = 4_000;

/**
 * Handles pipelined requests of one connection in order. The next request starts in a new event loop iteration after
 * the previous response, so that other connections are served in between.
 *
 * Node emits all requests of one read (64 KiB) at once. They are queued here, and reading pauses while more than {@link
 * MAX_WAITING} wait. If too many wait in the process, connections with more than that are closed.
 * @returns a function that takes each incoming request: its response, and a callback that starts it
 */
export function createPipelines(): (socket: Socket, response: ServerResponse, begin: () => void) => void {
  let total = 0;

  const pipelineOf = memoizePerObject((socket: Socket): Pipeline => {
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
      // Pausing is deferred, because Node continues until it has parsed the current read.
      if (pipeline.waiting.length === MAX_WAITING + 1) setImmediate(throttle, socket, pipeline);
    } else {
      socket.destroy();
    }
  };
}

interface Pipeline {
  /** Whether a request of the connection is being handled. */
  isBusy: boolean;
  isPaused: boolean;
  readonly waiting: (() => void)[];
}

/** Maximum number of waiting requests on one connection. At this number, reading pauses. */
const MAX_WAITING = 10;
/** Maximum number of additional requests that wait on all connections together, about 40 MB. */
const MAX_TOTAL = 10_000;

/** Pauses reading. Node resumes it after each finished request, so this runs for each. */
function throttle(socket: Socket, pipeline: Pipeline): void {
  const isFull = pipeline.waiting.length > MAX_WAITING;
  if (isFull) socket.pause();
  else if (pipeline.isPaused) socket.resume();
  pipeline.isPaused = isFull;
}
