import { closeServer, listenAt } from "../runtime/listen.ts";
import { http } from "../runtime/node-http.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Serves `/metrics` on a separate port.
 * @param metrics undefined if no metrics are collected
 * @param resources closes the server
 * @param port port number; 0 for any free port
 * @returns the URL of the metrics, such as "http://127.0.0.1:9464/metrics"
 * @throws Error of Node if it cannot listen on the address
 */
export async function listenForScrapes(
  metrics: Pick<Metrics, "text"> | undefined,
  resources: AsyncDisposableStack,
  host: string,
  port: number,
): Promise<string> {
  if (metrics === undefined) throw new Error("metrics are off: set hasMetrics");
  let pendingMetrics: Promise<string> | undefined;
  /** Concurrent scrapes share one response. */
  const collectText = (): Promise<string> => {
    pendingMetrics ??= metrics.text().finally(() => {
      pendingMetrics = undefined;
    });
    return pendingMetrics;
  };
  const server = http.createServer(HTTP_LIMITS, (request, response) => {
    const respond = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): void => {
      const defaultHeaders = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
      response.writeHead(status, { ...defaultHeaders, "x-content-type-options": "nosniff", ...headers }).end(body);
    };
    request.resume();
    if (request.url?.split("?")[0] !== "/metrics") return respond(404, "Not found: this server has only /metrics.\n");
    if (request.method !== "GET" && request.method !== "HEAD")
      return respond(405, "This URL accepts only GET.\n", { allow: "GET, HEAD" });
    collectText().then(
      (body) => respond(200, body, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }),
      () => respond(500, "The metrics could not be collected.\n"),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  const origin = await listenAt(server, { port, host });
  resources.defer(() => {
    const serverClosedPromise = closeServer(server);
    server.closeAllConnections();
    return serverClosedPromise;
  });
  return `${origin}/metrics`;
}

/** Limits of the server in milliseconds and bytes. They are low, since a scraper sends few headers. */
const HTTP_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  maxHeaderSize: 8_192,
  keepAliveTimeout: 65_000,
} as const;
/** Maximum number of connections, more than any installation has scrapers. */
const MAX_CONNECTIONS = 32;
