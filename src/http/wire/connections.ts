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
export interface LimitedConnections {
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
export function limitConnections(
  server: Server,
  limit: number,
  { counts, thread }: OpenConnections,
): LimitedConnections {
  // Requests in flight by socket. Node's list of idle connections excludes sockets before their first request.
  const openSockets = new Map<Socket, ConnectionRequests>();
  let requestCount = 0;
  let notifyEmpty = (): void => {};
  const changeCount = (socket: Socket, by: number): void => {
    const requests = openSockets.get(socket);
    if (requests !== undefined) requests.unansweredCount += by;
  };
  server.on("connection", (socket) => {
    if (counts.reduce((sum, count) => sum + count, 0) >= limit)
      (findOldestIdle(openSockets) ?? findSlowest(openSockets) ?? socket).destroy();
    openSockets.set(socket, { unansweredCount: 0, newest: undefined, sequence: 0 });
    counts[thread] = openSockets.size;
    socket.once("close", () => {
      openSockets.delete(socket);
      if (openSockets.size === 0) notifyEmpty();
      counts[thread] = openSockets.size;
    });
  });
  for (const event of ["request", "checkContinue", "checkExpectation"] as const) {
    server.on(event, (request, response) => {
      const requests = openSockets.get(request.socket);
      if (requests === undefined) return;
      requestCount += 1;
      requests.unansweredCount += 1;
      requests.newest = request;
      requests.sequence = requestCount;
      response.once("close", () => {
        requests.unansweredCount -= 1;
        // An open connection must not retain a finished request in memory.
        if (requests.newest === request) requests.newest = undefined;
      });
    });
  }
  const drain = async (): Promise<void> => {
    // Clients may still send requests, and new connections may wait in the accept queue, so each is served once more.
    if (openSockets.size > 0) await new Promise((resolve) => setTimeout(resolve, DRAIN_NOTICE_MS));
    // Connections that another listener accepted are unknown to Node's server.
    const allSocketsClosed = new Promise<void>((resolve) => {
      notifyEmpty = resolve;
      if (openSockets.size === 0) resolve();
    });
    const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()));
    const closeIdle = (): void => {
      for (const [socket, { unansweredCount }] of openSockets) if (unansweredCount === 0) socket.destroySoon();
    };
    // Requests that clients send before they notice the close are still answered.
    const sweepTimer = setInterval(closeIdle, IDLE_SWEEP_MS);
    const endTimer = setTimeout(() => {
      for (const socket of openSockets.keys()) socket.destroy();
    }, CLOSE_GRACE_MS);
    await Promise.all([serverClosed, allSocketsClosed]);
    clearInterval(sweepTimer);
    clearTimeout(endTimer);
  };
  return {
    release(socket, response) {
      changeCount(socket, -1);
      response.once("close", () => changeCount(socket, 1));
    },
    drain,
  };
}

/** Requests of one connection. */
interface ConnectionRequests {
  unansweredCount: number;
  newest: IncomingMessage | undefined;
  /** Sequence number of the newest request in the thread. A lower number started earlier. */
  sequence: number;
}

function findOldestIdle(openSockets: ReadonlyMap<Socket, ConnectionRequests>): Socket | undefined {
  for (const [socket, { unansweredCount }] of openSockets)
    if (unansweredCount === 0 && !socket.destroyed) return socket;
  return undefined;
}

/** Returns the connection with the oldest incomplete request. */
function findSlowest(openSockets: ReadonlyMap<Socket, ConnectionRequests>): Socket | undefined {
  let slowestSocket: Socket | undefined;
  let lowestSequence = Number.POSITIVE_INFINITY;
  for (const [socket, { unansweredCount, newest, sequence: number }] of openSockets) {
    if (unansweredCount !== 1 || newest?.complete !== false || number >= lowestSequence || socket.destroyed) continue;
    slowestSocket = socket;
    lowestSequence = number;
  }
  return slowestSocket;
}

/** Phases of a graceful shutdown, in milliseconds. */
const DRAIN_NOTICE_MS = 100;
const IDLE_SWEEP_MS = 150;
const CLOSE_GRACE_MS = 4_000;

/**
 * Handles pipelined requests of one connection in order. The next request starts in a new event loop iteration after
 * the previous response, so that other connections are served in between.
 *
 * Node emits all requests of one read (64 KiB) at once. They are queued here, and reading pauses while more than {@link
 * MAX_WAITING} wait. If too many wait in the process, connections with more than that are closed.
 * @returns a function that takes each incoming request: its response, and a callback that starts it
 */
export function createPipelines(): (socket: Socket, response: ServerResponse, beginRequest: () => void) => void {
  let total = 0;

  const pipelineOf = memoizePerObject((socket: Socket): Pipeline => {
    const pipeline: Pipeline = { isBusy: false, isPaused: false, queue: [] };
    socket.once("close", () => {
      total -= pipeline.queue.splice(0).length;
    });
    return pipeline;
  });
  const startNext = (socket: Socket, pipeline: Pipeline): void => {
    const beginRequest = pipeline.queue.shift();
    if (beginRequest === undefined) return;
    total -= 1;
    throttle(socket, pipeline);
    beginRequest();
  };
  return (socket, response, beginRequest) => {
    const pipeline = pipelineOf(socket);
    response.once("close", () => {
      if (pipeline.queue.length === 0) pipeline.isBusy = false;
      else setImmediate(startNext, socket, pipeline);
    });
    if (!pipeline.isBusy) {
      pipeline.isBusy = true;
      beginRequest();
    } else if (pipeline.queue.length < MAX_QUEUED || total < MAX_TOTAL_QUEUED) {
      pipeline.queue.push(beginRequest);
      total += 1;
      // Pausing is deferred, because Node continues until it has parsed the current read.
      if (pipeline.queue.length === MAX_QUEUED + 1) setImmediate(throttle, socket, pipeline);
    } else {
      socket.destroy();
    }
  };
}

interface Pipeline {
  /** Whether a request of the connection is being handled. */
  isBusy: boolean;
  isPaused: boolean;
  readonly queue: (() => void)[];
}

/** Maximum number of waiting requests on one connection. At this number, reading pauses. */
const MAX_QUEUED = 10;
/** Maximum number of additional requests that wait on all connections together, about 40 MB. */
const MAX_TOTAL_QUEUED = 10_000;

/** Pauses reading. Node resumes it after each finished request, so this runs for each. */
function throttle(socket: Socket, pipeline: Pipeline): void {
  const isFull = pipeline.queue.length > MAX_QUEUED;
  if (isFull) socket.pause();
  else if (pipeline.isPaused) socket.resume();
  pipeline.isPaused = isFull;
}
