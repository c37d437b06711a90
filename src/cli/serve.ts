import { resolve } from "node:path";
import { createApp } from "../app.ts";
import { SetupError } from "../setup-error.ts";
import { readArguments, wrongUsage } from "./arguments.ts";
import type { Io } from "./commands.ts";

const usage = `Usage: vitrine serve [dir] [--host H] [--port P] [--database-url URL]

Serves the store in dir (the folder where you stand, unless told). On the first start its catalog/ is imported.
  --host H   address to listen on (HOST, else 127.0.0.1)
  --port P   port to listen on (PORT, else 3000); 0 takes a free one
  --database-url URL  a PostgreSQL database, "postgres://…" (DATABASE_URL, else the store's own SQLite file)
Environment: HOST, PORT, DATABASE_URL, VITRINE_SECRET, LOG_LEVEL. SIGTERM or SIGINT stops it once what is in flight is answered.`;

/** `vitrine serve`: resolves when the server has stopped. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const given = readArguments(
    args,
    { host: { type: "string" }, port: { type: "string" }, "database-url": { type: "string" } },
    usage,
    io,
  );
  if (typeof given === "number") return given;
  if (given.positionals.length > 1) return wrongUsage("serve takes one folder.", usage, io);
  const portText = String(given.values.port ?? io.env.PORT ?? "3000");
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : Number.NaN;
  if (!(port <= 65_535)) return wrongUsage(`"${portText}" is not a port: use a number from 0 to 65535.`, usage, io);

  const databaseUrl = given.values["database-url"] ?? io.env.DATABASE_URL;
  const app = await createApp({
    storeDir: resolve(io.cwd, given.positionals[0] ?? "."),
    logLevel: io.env.LOG_LEVEL ?? "warn",
    ...(databaseUrl === undefined ? {} : { databaseUrl: String(databaseUrl) }),
    ...(io.env.VITRINE_SECRET === undefined ? {} : { secret: io.env.VITRINE_SECRET }),
    onNotice: (text) => io.stderr.write(`${text}\n`),
  });
  const stopped = untilSignal();
  try {
    const address = await app.listen(String(given.values.host ?? io.env.HOST ?? "127.0.0.1"), port);
    io.stdout.write(`Vitrine is serving ${app.shop.config.name} at ${address}\n`);
    await stopped;
  } catch (error) {
    throw explain(error, port);
  } finally {
    await app.close();
  }
  return 0;
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function untilSignal(): Promise<void> {
  return new Promise((done) => {
    const stop = (): void => {
      process.once("SIGTERM", () => process.exit(1)).once("SIGINT", () => process.exit(1));
      done();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, stop);
  });
}

function explain(error: unknown, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return new SetupError(`port ${port} is in use: choose another with --port.`);
  if (code === "EACCES") return new SetupError(`port ${port} needs more rights: choose one above 1023 with --port.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new SetupError("this machine does not have that address: see --host.");
  return error;
}
