import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** An answer that goes on: events, told as they happen (server-sent events). */
export interface EventStream {
  /** @param data one line  @param id comes back as `Last-Event-ID` when the client connects again */
  send(event: string, data: string, id: string): void;
  /** The client is to connect again. */
  end(): void;
}

/** The body of an answer that goes on. */
export interface EventBody {
  /** Called once the answer has begun. @returns called once it has ended, whoever ended it */
  readonly begin: (stream: EventStream) => () => void;
}

/** All answers of a server that go on. None is a request in flight: whoever stops or looks for room ends them. */
export interface EventStreams {
  /** @param isOver it ends at once: what it would tell is left to the client's next connection */
  open(request: IncomingMessage, response: ServerResponse, body: EventBody, isOver: boolean): void;
  /** Ends what goes on on a connection, as its client asked for more there. @returns whether something did */
  endOn(socket: Socket): boolean;
  /** Ends all; what is opened from now on ends at once. */
  close(): void;
}

/** @param now milliseconds that never go back */
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
  /** Who does not read is given up, so that nothing piles up in memory; the client comes again. */
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
      // Thousands that ended together do not come again together.
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

/** Milliseconds after which a stream ends: whoever has gone without a word is found out, and connections spread over the servers there are. */
const LIFE = 300_000;
/** Milliseconds without an event until a sign of life: a server and proxies take a silent connection for a dead one. */
const PULSE = 10_000;
const BEAT = 1_000;
/** Milliseconds until a client connects again: the least, and in how many steps of how long it is spread. */
const RETRY = 2_000;
const RETRY_STEP = 100;
const RETRY_STEPS = 50;
/** Bytes that may wait for a client to read. */
const MAX_UNREAD = 16 * 1_024;
