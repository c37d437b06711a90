import { rmSync } from "node:fs";
import { constants } from "node:os";
import type { App } from "../app.ts";
import { getErrorCode } from "../not-found.ts";
import { poll } from "../runtime/poll.ts";
import { SetupError } from "../setup-error.ts";
import { UsageError } from "./arguments.ts";
import type { CommandIo } from "./io.ts";

/** Parses a port number.  @param name start of the error message, such as "METRICS_PORT: "  @throws UsageError */
export function readPort(text: string, name = ""): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`${name}"${text}" is not a port: use a number from 0 to 65535.`);
  return port;
}

/** Returns the address to listen on. An empty one, such as an unset variable of a container, would mean all addresses. */
export function readHost({ env }: CommandIo, option: string | undefined): string {
  const host = (option ?? env.HOST ?? "127.0.0.1").trim();
  if (host === "") throw new UsageError("HOST: is empty: use 127.0.0.1, or 0.0.0.0 for all addresses of this machine.");
  return host;
}

/** Returns the options of a server that the environment sets.  @param databaseUrl URL from the arguments or DATABASE_URL */
export function readServerOptions({ env, stderr }: CommandIo, databaseUrl: string | undefined) {
  return {
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(env.CART_DATABASE_URLS === undefined ? {} : { cartDatabaseUrls: env.CART_DATABASE_URLS }),
    ...(env.VITRINE_SECRET === undefined ? {} : { secret: env.VITRINE_SECRET }),
    ...(env.LOG_LEVEL === undefined ? {} : { logLevel: readLogLevel(env.LOG_LEVEL) }),
    onNotice: (line: string) => stderr.write(`${line}\n`),
  };
}

function readLogLevel(text: string): string {
  const level = text.toLowerCase();
  if (["silent", "fatal", "error", "warn", "info", "debug", "trace"].includes(level)) return level;
  throw new UsageError(`LOG_LEVEL: "${text}" is not a level: use silent, error, warn, or info.`);
}

/**
 * Resolves when the process should stop: at a termination signal, or at SIGHUP when the terminal closes. A second
 * signal ends the process immediately.
 * @param isStartedByNpm whether an npm script started the process. Signals then end only the shell of npm, so the
 * process also stops when its parent process ends
 */
export function waitForSignal(isStartedByNpm: boolean): Promise<void> {
  return new Promise((resolve) => {
    const parentId = process.ppid;
    const parentWatcher = poll(
      { name: "watching npm", intervalMs: PARENT_POLL_INTERVAL_MS, log: { recurring: () => {} } },
      async () => {
        if (isStartedByNpm && process.ppid !== parentId) stop();
      },
    );
    const stop = (): void => {
      void parentWatcher.close();
      for (const signal of signals) process.once(signal, () => process.exit(1));
      resolve();
    };
    for (const signal of signals) process.once(signal, stop);
  });
}

/**
 * Prints `text` and exits when a termination signal arrives.
 * @param runCleanup called before the exit, which waits for its promise for at most five seconds; a second signal ends
 * the process at once
 */
export function reportInterruption(
  io: Pick<CommandIo, "stderr">,
  text: string,
  runCleanup: () => Promise<void> | undefined = () => undefined,
) {
  let stagingDir: string | undefined;
  const stop = (signal: (typeof signals)[number]): void => {
    if (stagingDir !== undefined) rmSync(stagingDir, { recursive: true, force: true });
    io.stderr.write(`${text}\n`);
    // Shells use this exit status for a process that a signal ended.
    const exit: () => never = () => process.exit(128 + constants.signals[signal]);
    const cleanup = runCleanup();
    if (cleanup === undefined) exit();
    setTimeout(exit, CLEANUP_TIMEOUT_MS);
    cleanup.then(exit, exit);
  };
  for (const signal of signals) process.once(signal, stop);
  return {
    /** Sets the folder of an unfinished backup or restore, which a signal deletes before the exit. */
    setStagingFolder(dir: string): void {
      stagingDir = dir;
    },
    /** Removes the signal handlers. */
    stop(): void {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}

/**
 * Prints a link to the first login if the console has no access token.
 * @param url URL of the server, such as "http://127.0.0.1:3000"
 */
export async function printFirstLogin(
  app: Pick<App, "config" | "findFirstLoginPath">,
  url: string,
  io: Pick<CommandIo, "stderr">,
): Promise<void> {
  const path = await app.findFirstLoginPath();
  if (path === undefined) return;
  // Browsers do not open the addresses that stand for all interfaces.
  const base = app.config.origin ?? url.replace(/\/\/(?:0\.0\.0\.0|\[::\])/, "//localhost");
  io.stderr.write(`First login to the console, once and within an hour: ${new URL(path, base)}\n`);
}

/**
 * Maximum milliseconds between a termination signal and the exit of a command. An import runs at low priority, so its
 * last batch of rows can take seconds on a busy machine, and the lease is released after it.
 */
const CLEANUP_TIMEOUT_MS = 5_000;

/** Milliseconds between two checks whether the parent process exists. */
const PARENT_POLL_INTERVAL_MS = 300;

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Throws an error that explains why a server cannot listen on a port.
 * @param setting name of the setting or option that contains the port
 * @throws SetupError if the reason is known, otherwise `error`
 */
export function throwListenError(error: unknown, port: number, setting: string): never {
  const code = getErrorCode(error);
  if (code === "EADDRINUSE") throw new SetupError(`port ${port} is in use: choose another with ${setting}.`);
  if (code === "EACCES") throw new SetupError(`port ${port} needs more rights: choose one above 1023 with ${setting}.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    throw new SetupError("this machine does not have that address: see --host.");
  throw error;
}
