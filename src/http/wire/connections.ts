import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { memoizePerObject } from "../../runtime/cache.ts";
import { closeServer } from "../../runtime/listen.ts";

/** Number of open connections per thread of the process. */
export interface OpenConnections {
  readonly counts: Int32Array;
  /** Index of the current thread. */
  readonly thread: number;
}

/** The open connections of a server with a connection limit. */
export interface LimitedConnections {
  /**
   * Marks a response as an event stream. Its connection counts as idle and may be closed to accept a new connection.
   */
  release(socket: Socket, response: ServerResponse): void;
  /**
   * Closes the server gracefully: stops accepting connections, completes running requests, and closes idle connections.
   * This takes at most five seconds.
   */
  drain(): Promise<void>;
}

/**
 * Limits how many connections a process has. At the limit, a new connection replaces the oldest idle connection. If all
 * connections are busy, it replaces the one that has been sending a request for the longest time.
 * @param onLimit called for each connection above the limit
 */
export function limitConnections(
  server: Server,
  limit: number,
  { counts, thread }: OpenConnections,
  onLimit: () => void,
): LimitedConnections {
  // All open sockets with their running requests. Node's own list of idle connections cannot be used, because it lacks
  // sockets that have not sent a request yet.
  const openSockets = new Map<Socket, ConnectionState>();
  let requestCount = 0;
  let notifyNoConnections = (): void => {};
  const adjustCount = (socket: Socket, difference: number): void => {
    const requests = openSockets.get(socket);
    if (requests !== undefined) requests.unansweredCount += difference;
  };
  server.on("connection", (socket) => {
    if (counts.reduce((sum, count) => sum + count, 0) >= limit) {
      (findOldestIdleSocket(openSockets) ?? findSlowestSocket(openSockets) ?? socket).destroy();
      onLimit();
    }
    openSockets.set(socket, { unansweredCount: 0, newestRequest: undefined, sequenceNumber: 0 });
    counts[thread] = openSockets.size;
    socket.once("close", () => {
      openSockets.delete(socket);
      if (openSockets.size === 0) notifyNoConnections();
      counts[thread] = openSockets.size;
    });
  });
  for (const event of ["request", "checkContinue", "checkExpectation"] as const) {
    server.on(event, (request, response) => {
      const requests = openSockets.get(request.socket);
      if (requests === undefined) return;
      requestCount += 1;
      requests.unansweredCount += 1;
      requests.newestRequest = request;
      requests.sequenceNumber = requestCount;
      response.once("close", () => {
        requests.unansweredCount -= 1;
        // An open connection must not retain a finished request in memory.
        if (requests.newestRequest === request) requests.newestRequest = undefined;
      });
    });
  }
  const drain = async (): Promise<void> => {
    // Clients may already have sent requests that the server has not received, so the server waits briefly before it
    // closes connections.
    if (openSockets.size > 0) await new Promise((resolve) => setTimeout(resolve, DRAIN_NOTICE_DELAY_MS));
    // Node's server does not count connections that another thread accepted, so all sockets are counted here.
    const socketsClosedPromise = new Promise<void>((resolve) => {
      notifyNoConnections = resolve;
      if (openSockets.size === 0) resolve();
    });
    const serverClosedPromise = closeServer(server);
    const closeIdleSockets = (): void => {
      for (const [socket, { unansweredCount }] of openSockets) if (unansweredCount === 0) socket.destroySoon();
    };
    // Runs repeatedly, because clients may send another request before they notice the shutdown.
    const idleSocketTimer = setInterval(closeIdleSockets, IDLE_SWEEP_INTERVAL_MS);
    const endTimer = setTimeout(() => {
      for (const socket of openSockets.keys()) socket.destroy();
    }, CLOSE_GRACE_PERIOD_MS);
    await Promise.all([serverClosedPromise, socketsClosedPromise]);
    clearInterval(idleSocketTimer);
    clearTimeout(endTimer);
  };
  return {
    release(socket, response) {
      adjustCount(socket, -1);
      response.once("close", () => adjustCount(socket, 1));
    },
    drain,
  };
}

/** Running requests of one connection. */
interface ConnectionState {
  unansweredCount: number;
  newestRequest: IncomingMessage | undefined;
  /** Sequence number of the newest request. A lower number means that the request started earlier. */
  sequenceNumber: number;
}

function findOldestIdleSocket(openSockets: ReadonlyMap<Socket, ConnectionState>): Socket | undefined {
  for (const [socket, { unansweredCount }] of openSockets)
    if (unansweredCount === 0 && !socket.destroyed) return socket;
  return undefined;
}

/** Returns the connection with the oldest incomplete request. */
function findSlowestSocket(openSockets: ReadonlyMap<Socket, ConnectionState>): Socket | undefined {
  let slowestSocket: Socket | undefined;
  let lowestSequence = Number.POSITIVE_INFINITY;
  for (const [socket, { unansweredCount, newestRequest: lastRequest, sequenceNumber: number }] of openSockets) {
    if (unansweredCount !== 1 || lastRequest?.complete !== false || number >= lowestSequence || socket.destroyed)
      continue;
    slowestSocket = socket;
    lowestSequence = number;
  }
  return slowestSocket;
}

/**
 * Times of a graceful shutdown, in milliseconds: the wait for requests that are already sent, the interval at which
 * idle connections are closed, and the time after which all others are closed.
 */
const DRAIN_NOTICE_DELAY_MS = 100;
const IDLE_SWEEP_INTERVAL_MS = 150;
const CLOSE_GRACE_PERIOD_MS = 4_000;

/**
 * Handles the requests of one connection one after another. Between two requests, other connections are served.
 *
 * Node parses up to 64 KiB at once, which may contain many requests. They are queued here. If more than {@link
 * MAX_QUEUED_REQUESTS} requests of a connection wait, reading from it pauses. If the queue of the process is full, the
 * connection is closed.
 * @returns a function that accepts a request: its socket, its response, and a callback that starts it
 */
export function createPipelines(): (socket: Socket, response: ServerResponse, beginRequest: () => void) => void {
  let total = 0;

  const getPipeline = memoizePerObject((socket: Socket): Pipeline => {
    const pipeline: Pipeline = { isBusy: false, isPaused: false, queue: [] };
    socket.once("close", () => {
      total -= pipeline.queue.splice(0).length;
    });
    return pipeline;
  });
  const startNextRequest = (socket: Socket, pipeline: Pipeline): void => {
    const beginRequest = pipeline.queue.shift();
    if (beginRequest === undefined) return;
    total -= 1;
    throttleReads(socket, pipeline);
    beginRequest();
  };
  return (socket, response, beginRequest) => {
    const pipeline = getPipeline(socket);
    response.once("close", () => {
      if (pipeline.queue.length === 0) pipeline.isBusy = false;
      else setImmediate(startNextRequest, socket, pipeline);
    });
    if (!pipeline.isBusy) {
      pipeline.isBusy = true;
      beginRequest();
    } else if (pipeline.queue.length < MAX_QUEUED_REQUESTS || total < MAX_TOTAL_QUEUED_REQUESTS) {
      pipeline.queue.push(beginRequest);
      total += 1;
      // Pausing must wait until Node has parsed the data that it has already read from the socket.
      if (pipeline.queue.length === MAX_QUEUED_REQUESTS + 1) setImmediate(throttleReads, socket, pipeline);
    } else {
      socket.destroy();
    }
  };
}

interface Pipeline {
  /** Whether a request of this connection is running. */
  isBusy: boolean;
  isPaused: boolean;
  readonly queue: (() => void)[];
}

/** Number of waiting requests on one connection above which reading from it pauses. */
const MAX_QUEUED_REQUESTS = 10;
/** Maximum number of waiting requests on all connections together. They need about 40 MB of memory. */
const MAX_TOTAL_QUEUED_REQUESTS = 10_000;

/**
 * Pauses reading from a connection if its queue is full, and resumes it otherwise. Must run before each request,
 * because Node resumes reading after each response.
 */
function throttleReads(socket: Socket, pipeline: Pipeline): void {
  const isQueueFull = pipeline.queue.length > MAX_QUEUED_REQUESTS;
  if (isQueueFull) socket.pause();
  else if (pipeline.isPaused) socket.resume();
  pipeline.isPaused = isQueueFull;
}
