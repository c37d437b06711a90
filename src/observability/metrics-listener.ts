import { createServer } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import type { Metrics } from "./metrics.ts";

/**
 * Serves `/metrics` on a separate port.
 * @param port port number; 0 for any free port
 * @throws Error of Node if it cannot listen on the address
 */
export async function listenForScrapes(metrics: Pick<Metrics, "text">, host: string, port: number) {
  let underWay: Promise<string> | undefined;
  /** Concurrent scrapes share one response. */
  const text = (): Promise<string> => {
    underWay ??= metrics.text().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const server = createServer(LIMITS, (request, response) => {
    const say = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): void => {
      const usual = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
      response.writeHead(status, { ...usual, "x-content-type-options": "nosniff", ...headers }).end(body);
    };
    request.resume();
    if (request.url?.split("?")[0] !== "/metrics") return say(404, "There is nothing here but /metrics.\n");
    if (request.method !== "GET" && request.method !== "HEAD")
      return say(405, "This URL accepts only GET.\n", { allow: "GET, HEAD" });
    text().then(
      (body) => say(200, body, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }),
      () => say(500, "The metrics could not be collected.\n"),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const { address, port: taken } = server.address() as AddressInfo;
  return {
    /** URL of the metrics, such as "http://127.0.0.1:9464/metrics". */
    address: `http://${isIPv6(address) ? `[${address}]` : address}:${taken}/metrics`,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Limits of the server in milliseconds and bytes. They are low, since a scraper sends few headers. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  maxHeaderSize: 8_192,
  keepAliveTimeout: 65_000,
} as const;
/** Maximum number of connections, more than any installation has scrapers. */
const MAX_CONNECTIONS = 32;
