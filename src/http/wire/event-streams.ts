import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Response that sends server-sent events. */
export interface EventStream {
  /**
   * Sends an event.
   * @param data one line of text
   * @param id sent back as `Last-Event-ID` when the client reconnects
   */
  send(event: string, data: string, id: string): void;
  /** Ends the stream. Browsers then reconnect. */
  end(): void;
}

/** Body of a streamed response. */
export interface EventBody {
  /** Starts sending events.  @returns a function that is called when the stream has ended */
  readonly startStream: (stream: EventStream) => () => void;
}

/** All event streams of a server. They do not delay a shutdown, and they end if the server needs their connections. */
export interface EventStreams {
  /** Opens a stream.  @param closesImmediately whether to end the stream immediately, so that the client reconnects */
  open(request: IncomingMessage, response: ServerResponse, body: EventBody, closesImmediately: boolean): void;
  /**
   * Ends the stream of a connection, because the client has sent another request on it.
   * @returns whether there was a stream
   */
  endSocketStream(socket: Socket): boolean;
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
      if (time - openStream.openedAt >= MAX_LIFETIME_MS) openStream.response.end();
      else if (time - openStream.lastWriteAt >= HEARTBEAT_INTERVAL_MS) write(openStream, ":\n\n");
    }
  };
  /** Sends text to a client. A client that does not read is disconnected, because unread data would fill the memory. */
  const write = (openStream: OpenStream, text: string): void => {
    if (openStream.response.writableEnded) return;
    openStream.lastWriteAt = now();
    if (openStream.response.writableLength > MAX_UNREAD_BYTES) openStream.response.destroy();
    else openStream.response.write(text);
  };
  return {
    open({ socket }, response, { startStream }, closesImmediately) {
      if (response.closed || socket.destroyed) return;
      streamCount += 1;
      // The delay varies, so that not all clients reconnect at the same time.
      const retryDelayMs = RETRY_DELAY_MS + (streamCount % RETRY_STEP_COUNT) * RETRY_DELAY_STEP_MS;
      if (closesImmediately || isClosed) {
        response.end(`retry: ${retryDelayMs}\n\n`);
        return;
      }
      const openStream: OpenStream = { response, openedAt: now(), lastWriteAt: 0 };
      write(openStream, `retry: ${retryDelayMs}\n\n`);
      const notifyStreamEnd = startStream({
        send: (event, data, id) => write(openStream, `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`),
        end: () => void response.end(),
      });
      openStreams.set(socket, openStream);
      heartbeatTimer ??= setInterval(sendHeartbeats, CHECK_INTERVAL_MS).unref();
      response.once("close", () => {
        openStreams.delete(socket);
        if (openStreams.size === 0) {
          clearInterval(heartbeatTimer);
          heartbeatTimer = undefined;
        }
        notifyStreamEnd();
      });
    },
    endSocketStream(socket) {
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
  lastWriteAt: number;
}

/**
 * Maximum duration of a stream in milliseconds. Reconnecting detects dead clients and balances the load between
 * servers.
 */
const MAX_LIFETIME_MS = 300_000;
/** Milliseconds between messages on an idle stream. Without messages, proxies would close the connection. */
const HEARTBEAT_INTERVAL_MS = 10_000;
const CHECK_INTERVAL_MS = 1_000;
/** Clients reconnect after `RETRY_DELAY_MS` plus 0 to 49 steps of `RETRY_DELAY_STEP_MS`, in milliseconds. */
const RETRY_DELAY_MS = 2_000;
const RETRY_DELAY_STEP_MS = 100;
const RETRY_STEP_COUNT = 50;
/** Maximum number of sent bytes that a client has not read. Above it, the client is disconnected. */
const MAX_UNREAD_BYTES = 16 * 1_024;
