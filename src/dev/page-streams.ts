import type { IncomingMessage, ServerResponse } from "node:http";
import type { OpenPages } from "./open-pages.ts";
import { reloadUpdate } from "./page-effect.ts";

/** Server-sent event streams to all open pages. */
export interface PageStreams {
  /** Opens the stream of a page. It ends when the page or this object is closed. */
  openStream(request: IncomingMessage, response: ServerResponse): void;
  /** Sends each page the changes since its last update. */
  sendAllChanges(): void;
  /** Reloads every page, after a change of the catalog or of a setting. */
  reloadPages(): void;
  /** Sends the current diagnostics to all pages. */
  sendDiagnostics(): void;
  close(): void;
}

interface PageStream {
  readonly response: ServerResponse;
  readonly page: string;
  /** Revision of the theme that the page shows. */
  revision: number;
}

/**
 * Milliseconds between heartbeats. They are necessary because the server closes idle connections after twenty seconds.
 */
const HEARTBEAT_INTERVAL_MS = 8_000;

/** Creates the event streams.  @param diagnostics returns the current diagnostics */
export function createPageStreams(pages: OpenPages, diagnostics: () => unknown): PageStreams {
  const streams = new Set<PageStream>();
  const send = ({ response }: PageStream, event: string, data: unknown): void => {
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const sendChanges = (stream: PageStream): void => {
    const { revision } = pages;
    if (stream.revision === revision && pages.hasPage(stream.page)) return;
    const pageUpdate = pages.findPageUpdate(stream.page, stream.revision);
    stream.revision = revision;
    send(stream, "change", { revision, ...pageUpdate });
  };
  let isClosed = false;
  const heartbeat = setInterval(() => {
    for (const { response } of streams) response.write(":\n\n");
  }, HEARTBEAT_INTERVAL_MS).unref();
  return {
    openStream(request, response) {
      if (isClosed) {
        // A new stream would delay the shutdown. The page reconnects to the next process.
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
      send(stream, "diagnostics", diagnostics());
      sendChanges(stream);
    },
    sendAllChanges() {
      for (const stream of streams) sendChanges(stream);
    },
    reloadPages() {
      for (const stream of streams) send(stream, "change", { revision: stream.revision, ...reloadUpdate });
    },
    sendDiagnostics() {
      for (const stream of streams) send(stream, "diagnostics", diagnostics());
    },
    close() {
      isClosed = true;
      clearInterval(heartbeat);
      for (const { response } of streams) response.end();
      streams.clear();
    },
  };
}
