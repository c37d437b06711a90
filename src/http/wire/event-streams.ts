import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Response that sends server-sent events. */
export interface EventStream {
  /** Sends an event.  @param data one line  @param id returned as `Last-Event-ID` when the client reconnects */
  send(event: string, data: string, id: string): void;
  /** Ends the stream. The client reconnects. */
  end(): void;
}

/** Body of a streamed response. */
export interface EventBody {
  /** Called when the response has started.  @returns a function that is called when the response has ended */
  readonly begin: (stream: EventStream) => () => void;
}

/**
 * All event streams of a server. They do not count as requests in flight, and end when the server stops or needs their
 * connections.
 */
export interface EventStreams {
  /** Opens a stream.  @param endsAtOnce whether the stream ends at once, after which the client reconnects */
  open(request: IncomingMessage, response: ServerResponse, body: EventBody, endsAtOnce: boolean): void;
  /**
   * Ends the stream of a connection on which the client has sent another request.
   * @returns whether there was a stream
   */
  endOn(socket: Socket): boolean;
  /** Ends all streams, including streams that are opened later. */
  close(): void;
}

/** Creates the event streams.  @param now monotonic clock, in milliseconds */
export function createEventStreams(now: () => number = () => performance.now()): EventStreams {
  const openStreams = new Map<Socket, OpenStream>();
  let streamCount = 0;
  let isClosed = false;
  let heartbeatTimer: NodeJS.Timeout | undefined;
  const sendHeartbeats = (): void => {
    const time = now();
    for (const openStream of openStreams.values()) {
      if (time - openStream.openedAt >= MAX_LIFE_MS) openStream.response.end();
      else if (time - openStream.wroteAt >= HEARTBEAT_MS) write(openStream, ":\n\n");
    }
  };
  /** Clients that do not read are disconnected, so that no data accumulates in memory. */
  const write = (openStream: OpenStream, text: string): void => {
    if (openStream.response.writableEnded) return;
    openStream.wroteAt = now();
    if (openStream.response.writableLength > MAX_UNREAD_BYTES) openStream.response.destroy();
    else openStream.response.write(text);
  };
  return {
    open({ socket }, response, { begin }, endsAtOnce) {
      if (response.closed || socket.destroyed) return;
      streamCount += 1;
      // The delay varies, so that clients of streams that ended together do not reconnect together.
      const retryMs = RETRY_MS + (streamCount % RETRY_STEPS) * RETRY_STEP_MS;
      if (endsAtOnce || isClosed) {
        response.end(`retry: ${retryMs}\n\n`);
        return;
      }
      const openStream: OpenStream = { response, openedAt: now(), wroteAt: 0 };
      write(openStream, `retry: ${retryMs}\n\n`);
      const notifyEnded = begin({
        send: (event, data, id) => write(openStream, `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`),
        end: () => void response.end(),
      });
      openStreams.set(socket, openStream);
      heartbeatTimer ??= setInterval(sendHeartbeats, CHECK_MS).unref();
      response.once("close", () => {
        openStreams.delete(socket);
        if (openStreams.size === 0) {
          clearInterval(heartbeatTimer);
          heartbeatTimer = undefined;
        }
        notifyEnded();
      });
    },
    endOn(socket) {
      const openStream = openStreams.get(socket);
      openStream?.response.end();
      return openStream !== undefined;
    },
    close() {
      isClosed = true;
      for (const { response } of openStreams.values()) response.end();
    },
  };
}

interface OpenStream {
  readonly response: ServerResponse;
  readonly openedAt: number;
  wroteAt: number;
}

/**
 * Maximum duration of a stream in milliseconds. Its end detects dead clients and distributes connections over the
 * servers.
 */
const MAX_LIFE_MS = 300_000;
/** Milliseconds between heartbeats without an event, because proxies close silent connections. */
const HEARTBEAT_MS = 10_000;
const CHECK_MS = 1_000;
/** Reconnection delay in milliseconds: the minimum, and the number and length of additional steps. */
const RETRY_MS = 2_000;
const RETRY_STEP_MS = 100;
const RETRY_STEPS = 50;
/** Maximum number of bytes that wait for a client to read them. */
const MAX_UNREAD_BYTES = 16 * 1_024;
