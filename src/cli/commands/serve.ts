import { resolve } from "node:path";
import { readArguments, reportWrongUsage } from "../arguments.ts";
import { type CommandIo, enableCodeCache } from "../io.ts";
import { parsePort, portAdvice, printFirstLogin, throwListenError, waitForSignal } from "../listening.ts";

const usage = `Usage: vitrine serve [dir] [--host H] [--port P] [--threads N] [--database-url URL]

Serves the store in dir (default: the current folder). The first start imports catalog/.
If the console is on and has no access token, prints a link for the first login, which is valid once and for an hour.
  --host H   address to listen on (default: HOST, or 127.0.0.1)
  --port P   port to listen on (default: PORT, or 3000); 0 selects a free port
  --threads N  number of event loops (default: server.threads of the settings, or the number of processor cores)
  --database-url URL  PostgreSQL database, "postgres://…" (default: DATABASE_URL, or the store's SQLite file)
Environment: HOST, PORT, DATABASE_URL, METRICS_PORT, VITRINE_SECRET, LOG_LEVEL. METRICS_PORT serves Prometheus metrics at /metrics.
SIGTERM, SIGINT, or SIGHUP stops the server after running requests.`;

/** Runs `vitrine serve`. Resolves when the server has stopped. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const parsedArguments = readArguments(
    args,
    {
      host: { type: "string" },
      port: { type: "string" },
      threads: { type: "string" },
      "database-url": { type: "string" },
    },
    usage,
    io,
  );
  if (typeof parsedArguments === "number") return parsedArguments;
  if (parsedArguments.positionals.length > 1) return reportWrongUsage("serve takes one folder.", usage, io);
  const portText = String(parsedArguments.values.port ?? io.env.PORT ?? "3000");
  const port = parsePort(portText);
  if (port === undefined) return reportWrongUsage(`"${portText}" is not a port: ${portAdvice}`, usage, io);
  const metricsPortText = io.env.METRICS_PORT;
  const metricsPort = metricsPortText === undefined ? undefined : parsePort(metricsPortText);
  if (metricsPortText !== undefined && metricsPort === undefined)
    return reportWrongUsage(`METRICS_PORT: "${metricsPortText}" is not a port: ${portAdvice}`, usage, io);
  if (metricsPort === port && port !== 0)
    return reportWrongUsage(`METRICS_PORT: ${port} is the port of the shop: choose another.`, usage, io);

  const threads = parsedArguments.values.threads === undefined ? undefined : Number(parsedArguments.values.threads);
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS))
    return reportWrongUsage(
      `"${parsedArguments.values.threads}" is not a number of threads: use one from 1 to ${MAX_THREADS}.`,
      usage,
      io,
    );

  const databaseUrl = parsedArguments.values["database-url"] ?? io.env.DATABASE_URL;
  const storeDir = resolve(io.cwd, parsedArguments.positionals[0] ?? ".");
  enableCodeCache(storeDir);
  const { createServerApp } = await import("../../app.ts");
  const app = await createServerApp({
    storeDir,
    logLevel: io.env.LOG_LEVEL ?? "warn",
    ...(databaseUrl === undefined ? {} : { databaseUrl: String(databaseUrl) }),
    ...(io.env.VITRINE_SECRET === undefined ? {} : { secret: io.env.VITRINE_SECRET }),
    ...(threads === undefined ? {} : { threads }),
    hasMetrics: metricsPort !== undefined,
    onNotice: (text) => io.stderr.write(`${text}\n`),
  });
  const signalPromise = waitForSignal(io.env.npm_lifecycle_event !== undefined);
  const host = String(parsedArguments.values.host ?? io.env.HOST ?? "127.0.0.1");
  try {
    if (metricsPort !== undefined) {
      const metricsUrlPromise = app.listenForScrapes(host, metricsPort);
      const metricsUrl = await metricsUrlPromise.catch((error: unknown) =>
        throwListenError(error, metricsPort, "METRICS_PORT"),
      );
      io.stderr.write(`Metrics are at ${metricsUrl}\n`);
    }
    const addressPromise = app.listen(host, port);
    const address = await addressPromise.catch((error: unknown) => throwListenError(error, port, "--port"));
    io.stdout.write(`Vitrine is serving ${app.config.name} at ${address}\n`);
    await printFirstLogin(app, address, io);
    await signalPromise;
  } finally {
    await app.close();
  }
  return 0;
}

/** Maximum number of threads. A larger number is probably a mistake. */
const MAX_THREADS = 256;
