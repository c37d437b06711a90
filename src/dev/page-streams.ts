import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageEffect } from "./page-effect.ts";
import type { ShownPages } from "./shown-pages.ts";

/** Open pages, each told what of it has changed: server-sent events. */
export interface PageStreams {
  /** Takes a page's request over; it ends when the page goes away, or all do. */
  open(request: IncomingMessage, response: ServerResponse): void;
  /** Tells each page what has become of it since it was last told. */
  tellChanges(): void;
  /** Every page is to be loaded anew: the catalogue or a setting is otherwise. */
  tellReload(): void;
  /** Tells all pages of the faults. */
  tellFaults(): void;
  close(): void;
}

interface Stream {
  readonly response: ServerResponse;
  readonly page: string;
  /** Number of the theme that it shows. */
  revision: number;
}

/** Milliseconds between signs of life: a server takes a connection without any for a dead one after twenty seconds. */
const PULSE = 8_000;

/** @param faults as the pages get them */
export function createPageStreams(pages: ShownPages, faults: () => unknown): PageStreams {
  const streams = new Set<Stream>();
  const send = ({ response }: Stream, event: string, data: unknown): void => {
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const bringUp = (stream: Stream): void => {
    const { revision } = pages;
    if (stream.revision === revision && pages.isKnown(stream.page)) return;
    const effect = pages.effect(stream.page, stream.revision);
    stream.revision = revision;
    send(stream, "change", { revision, ...effect });
  };
  let isClosed = false;
  const pulse = setInterval(() => {
    for (const { response } of streams) response.write(":\n\n");
  }, PULSE).unref();
  return {
    open(request, response) {
      if (isClosed) {
        // It would hold up the end of the server; the page comes back to the next.
        response.writeHead(503, { connection: "close" }).end();
        return;
      }
      const query = new URL(request.url ?? "/", "http://localhost").searchParams;
      const stream = { response, page: query.get("page") ?? "", revision: Number(query.get("since")) };
      response.writeHead(200, {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        connection: "close",
      });
      streams.add(stream);
      response.once("close", () => streams.delete(stream));
      send(stream, "faults", faults());
      bringUp(stream);
    },
    tellChanges() {
      for (const stream of streams) bringUp(stream);
    },
    tellReload() {
      const effect: PageEffect = { isReload: true, sections: [], styles: {} };
      for (const stream of streams) send(stream, "change", { revision: stream.revision, ...effect });
    },
    tellFaults() {
      for (const stream of streams) send(stream, "faults", faults());
    },
    close() {
      isClosed = true;
      clearInterval(pulse);
      for (const { response } of streams) response.end();
      streams.clear();
    },
  };
}
