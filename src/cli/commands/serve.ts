import { resolve } from "node:path";
import { defineCommand, text, UsageError } from "../arguments.ts";
import { enableCodeCache } from "../io.ts";
import {
  printFirstLogin,
  readHost,
  readPort,
  readServerOptions,
  throwListenError,
  waitForSignal,
} from "../listening.ts";

const usage = `Usage: vitrine serve [dir] [--host H] [--port P] [--threads N] [--database-url URL]

Serves the store in dir (default: the current folder). The first start imports catalog/.
If the console is on and has no access token, prints a link for the first login, which is valid once and for an hour.
  --host H   address to listen on (default: HOST, or 127.0.0.1)
  --port P   port to listen on (default: PORT, or 3000); 0 selects a free port
  --threads N  number of event loops (default: server.threads of the settings, or one per processor core and 512 MB)
  --database-url URL  PostgreSQL database, "postgres://…" (default: DATABASE_URL, or the store's SQLite file)
Environment: HOST, PORT, DATABASE_URL, CART_DATABASE_URLS, METRICS_PORT, VITRINE_SECRET, LOG_LEVEL. METRICS_PORT serves Prometheus
metrics at /metrics.
SIGTERM, SIGINT, or SIGHUP stops the server after running requests.`;

const options = { host: text, port: text, threads: text, "database-url": text };

/** Runs `vitrine serve`. Resolves when the server has stopped. */
export const run = defineCommand(usage, options, async ({ values, positionals }, io) => {
  if (positionals.length > 1) throw new UsageError("serve takes one folder.");
  const port = readPort(values.port ?? io.env.PORT ?? "3000");
  const host = readHost(io, values.host);
  const { METRICS_PORT: metricsPortText } = io.env;
  const metricsPort = metricsPortText === undefined ? undefined : readPort(metricsPortText, "METRICS_PORT: ");
  if (metricsPort === port && port !== 0)
    throw new UsageError(`METRICS_PORT: ${port} is the port of the shop: choose another.`);
  const threads = values.threads === undefined ? undefined : Number(values.threads);
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS))
    throw new UsageError(`"${values.threads}" is not a number of threads: use one from 1 to ${MAX_THREADS}.`);
  const databaseUrl = values["database-url"] ?? io.env.DATABASE_URL;
  const storeDir = resolve(io.cwd, positionals[0] ?? ".");
  enableCodeCache(storeDir);
  const { createServerApp } = await import("../../app.ts");
  const app = await createServerApp({
    storeDir,
    ...readServerOptions(io, databaseUrl),
    ...(threads === undefined ? {} : { threads }),
    hasMetrics: metricsPort !== undefined,
  });
  const signalPromise = waitForSignal(io.env.npm_lifecycle_event !== undefined);
  try {
    if (metricsPort !== undefined) {
      const metricsUrlPromise = app.listenForScrapes(host, metricsPort);
      const metricsUrl = await metricsUrlPromise.catch((error: unknown) =>
        throwListenError(error, metricsPort, "METRICS_PORT"),
      );
      io.stderr.write(`Metrics are at ${metricsUrl}\n`);
    }
    const urlPromise = app.listen(host, port);
    const url = await urlPromise.catch((error: unknown) => throwListenError(error, port, "--port"));
    // The server also runs if stdout is a file on a full disk.
    io.stdout.on("error", () => {});
    io.stdout.write(`Vitrine is serving ${app.config.name} at ${url}\n`);
    await printFirstLogin(app, url, io);
    await signalPromise;
  } finally {
    await app.close();
  }
  return 0;
});

/** Maximum number of threads. A larger number is probably a mistake. */
const MAX_THREADS = 256;
