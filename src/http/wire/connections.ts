import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { closeServer } from "../../runtime/listen.ts";

/** Number of open connections per thread of the process. */
export interface OpenConnections {
  readonly counts: Int32Array;
  /** Index of the current thread. */
  readonly thread: number;
}

/** The connections of a server, with a limit of their number. */
export interface ServerConnections {
  /**
   * Handles a request after the earlier requests of its connection. Between two requests, other connections are served.
   *
   * Node parses up to 64 KiB at once, which may contain many requests. They are queued here. If more than {@link
   * MAX_QUEUED_REQUESTS} requests of a connection wait, reading from it pauses. If the queue of the process is full, the
   * connection is closed.
   */
  enqueue(response: Response, beginRequest: () => void): void;
  /** Returns the newest response of a connection. It may be complete if the request is not. */
  findNewestResponse(socket: Duplex): Response | undefined;
  /**
   * Marks a response as an event stream. Its connection counts as idle and may be closed to accept a new connection.
   */
  release(response: Response): void;
  /**
   * Closes the server gracefully: stops accepting connections, completes running requests, and closes idle connections.
   * This takes at most five seconds.
   */
  drain(): Promise<void>;
}

type Response = ServerResponse<IncomingMessage>;

/**
 * Handles the connections of a server, and limits how many a process has. At the limit, a new connection replaces the
 * oldest idle connection. If all connections are busy, it replaces the one that has been sending a request for the
 * longest time.
 * @param onLimit called for each connection above the limit
 */
export function createConnections(
  server: Server,
  limit: number,
  { counts, thread }: OpenConnections,
  onLimit: () => void,
): ServerConnections {
  // Node's own list of idle connections cannot be used, because it lacks sockets that have not sent a request yet.
  const connections = new Map<Duplex, Connection>();
  let requestCount = 0;
  let queuedCount = 0;
  let notifyNoConnections = (): void => {};
  server.on("connection", (socket) => {
    if (counts.reduce((sum, count) => sum + count, 0) >= limit) {
      (findOldestIdleSocket(connections) ?? findSlowestSocket(connections) ?? socket).destroy();
      onLimit();
    }
    const connection: Connection = {
      socket,
      unansweredCount: 0,
      newestResponse: undefined,
      sequenceNumber: 0,
      isBusy: false,
      isEnding: false,
      isPaused: false,
      queue: [],
    };
    connections.set(socket, connection);
    counts[thread] = connections.size;
    socket.once("close", () => {
      queuedCount -= connection.queue.splice(0).length;
      connections.delete(socket);
      if (connections.size === 0) notifyNoConnections();
      counts[thread] = connections.size;
    });
  });
  // Node answers requests above `maxRequestsPerSocket` with 503, and leaves the connection open.
  server.on("dropRequest", (_request, socket) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.isEnding = true;
    if (!connection.isBusy) connection.socket.destroySoon();
  });
  const startNextRequest = (connection: Connection): void => {
    const beginRequest = connection.queue.shift();
    if (beginRequest === undefined) return;
    queuedCount -= 1;
    throttleReads(connection);
    beginRequest();
  };
  const drain = async (): Promise<void> => {
    // Clients may already have sent requests that the server has not received, so the server waits briefly before it
    // closes connections.
    if (connections.size > 0) await new Promise((resolve) => setTimeout(resolve, DRAIN_NOTICE_DELAY_MS));
    // Node's server does not count connections that another thread accepted, so all sockets are counted here.
    const socketsClosedPromise = new Promise<void>((resolve) => {
      notifyNoConnections = resolve;
      if (connections.size === 0) resolve();
    });
    const serverClosedPromise = closeServer(server);
    const closeIdleSockets = (): void => {
      for (const { socket, unansweredCount } of connections.values()) if (unansweredCount === 0) socket.destroySoon();
    };
    // Runs repeatedly, because clients may send another request before they notice the shutdown.
    const idleSocketTimer = setInterval(closeIdleSockets, IDLE_SWEEP_INTERVAL_MS);
    const endTimer = setTimeout(() => {
      for (const { socket } of connections.values()) socket.destroy();
    }, CLOSE_GRACE_PERIOD_MS);
    await Promise.all([serverClosedPromise, socketsClosedPromise]);
    clearInterval(idleSocketTimer);
    clearTimeout(endTimer);
  };
  return {
    enqueue(response, beginRequest) {
      const connection = connections.get(response.req.socket);
      if (connection === undefined) return;
      const { socket, queue } = connection;
      requestCount += 1;
      connection.unansweredCount += 1;
      connection.newestResponse = response;
      connection.sequenceNumber = requestCount;
      response.once("close", () => {
        connection.unansweredCount -= 1;
        // An open connection must not retain a finished request in memory.
        if (connection.newestResponse === response && response.req.complete) connection.newestResponse = undefined;
        if (queue.length === 0) {
          connection.isBusy = false;
          if (connection.isEnding) socket.destroySoon();
        } else setImmediate(startNextRequest, connection);
      });
      if (!connection.isBusy) {
        connection.isBusy = true;
        beginRequest();
      } else if (queue.length < MAX_QUEUED_REQUESTS || queuedCount < MAX_TOTAL_QUEUED_REQUESTS) {
        queue.push(beginRequest);
        queuedCount += 1;
        // Pausing must wait until Node has parsed the data that it has already read from the socket.
        if (queue.length === MAX_QUEUED_REQUESTS + 1) setImmediate(throttleReads, connection);
      } else {
        socket.destroy();
      }
    },
    findNewestResponse: (socket) => connections.get(socket)?.newestResponse,
    release(response) {
      const connection = connections.get(response.req.socket);
      if (connection === undefined) return;
      connection.unansweredCount -= 1;
      response.once("close", () => {
        connection.unansweredCount += 1;
      });
    },
    drain,
  };
}

/** An open connection, with its running and waiting requests. */
interface Connection {
  readonly socket: Socket;
  /** Number of requests without a complete response. Event streams do not count. */
  unansweredCount: number;
  newestResponse: Response | undefined;
  /** Sequence number of the newest request. A lower number means that the request started earlier. */
  sequenceNumber: number;
  /** Whether a request of this connection is running. */
  isBusy: boolean;
  /** Whether the connection closes after the requests that wait, because it has sent too many. */
  isEnding: boolean;
  isPaused: boolean;
  readonly queue: (() => void)[];
}

type ConnectionMap = ReadonlyMap<Duplex, Connection>;

function findOldestIdleSocket(connections: ConnectionMap): Socket | undefined {
  return connections.values().find(({ socket, unansweredCount }) => unansweredCount === 0 && !socket.destroyed)?.socket;
}

/** Returns the connection with the oldest incomplete request. */
function findSlowestSocket(connections: ConnectionMap): Socket | undefined {
  let slowestSocket: Socket | undefined;
  let lowestSequence = Number.POSITIVE_INFINITY;
  for (const { socket, unansweredCount, newestResponse, sequenceNumber } of connections.values()) {
    const isSending = unansweredCount === 1 && newestResponse?.req.complete === false && !socket.destroyed;
    if (isSending && sequenceNumber < lowestSequence) [slowestSocket, lowestSequence] = [socket, sequenceNumber];
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

/** Number of waiting requests on one connection above which reading from it pauses. */
const MAX_QUEUED_REQUESTS = 10;
/** Maximum number of waiting requests on all connections together. They need about 40 MB of memory. */
const MAX_TOTAL_QUEUED_REQUESTS = 10_000;

/**
 * Pauses reading from a connection if its queue is full, and resumes it otherwise. Must run before each request,
 * because Node resumes reading after each response.
 */
function throttleReads(connection: Connection): void {
  const isQueueFull = connection.queue.length > MAX_QUEUED_REQUESTS;
  if (isQueueFull) connection.socket.pause();
  else if (connection.isPaused) connection.socket.resume();
  connection.isPaused = isQueueFull;
}
