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
  /** Opens a stream.  @param isOver whether the stream ends at once, after which the client reconnects */
  open(request: IncomingMessage, response: ServerResponse, body: EventBody, isOver: boolean): void;
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
  const open = new Map<Socket, Open>();
  let opened = 0;
  let isClosed = false;
  let beating: NodeJS.Timeout | undefined;
  const beat = (): void => {
    const time = now();
    for (const one of open.values()) {
      if (time - one.since >= LIFE) one.response.end();
      else if (time - one.wroteAt >= PULSE) write(one, ":\n\n");
    }
  };
  /** Clients that do not read are disconnected, so that no data accumulates in memory. */
  const write = (one: Open, text: string): void => {
    if (one.response.writableEnded) return;
    one.wroteAt = now();
    if (one.response.writableLength > MAX_UNREAD) one.response.destroy();
    else one.response.write(text);
  };
  return {
    open({ socket }, response, { begin }, isOver) {
      if (response.closed || socket.destroyed) return;
      opened += 1;
      // The delay varies, so that clients of streams that ended together do not reconnect together.
      const retryMs = RETRY + (opened % RETRY_STEPS) * RETRY_STEP;
      if (isOver || isClosed) {
        response.end(`retry: ${retryMs}\n\n`);
        return;
      }
      const one: Open = { response, since: now(), wroteAt: 0 };
      write(one, `retry: ${retryMs}\n\n`);
      const ended = begin({
        send: (event, data, id) => write(one, `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`),
        end: () => void response.end(),
      });
      open.set(socket, one);
      beating ??= setInterval(beat, BEAT).unref();
      response.once("close", () => {
        open.delete(socket);
        if (open.size === 0) {
          clearInterval(beating);
          beating = undefined;
        }
        ended();
      });
    },
    endOn(socket) {
      const one = open.get(socket);
      one?.response.end();
      return one !== undefined;
    },
    close() {
      isClosed = true;
      for (const { response } of open.values()) response.end();
    },
  };
}

interface Open {
  readonly response: ServerResponse;
  readonly since: number;
  wroteAt: number;
}

/**
 * Maximum duration of a stream in milliseconds. Its end detects dead clients and distributes connections over the
 * servers.
 */
const LIFE = 300_000;
/** Milliseconds between heartbeats without an event, because proxies close silent connections. */
const PULSE = 10_000;
const BEAT = 1_000;
/** Reconnection delay in milliseconds: the minimum, and the number and length of additional steps. */
const RETRY = 2_000;
const RETRY_STEP = 100;
const RETRY_STEPS = 50;
/** Maximum number of bytes that wait for a client to read them. */
const MAX_UNREAD = 16 * 1_024;
