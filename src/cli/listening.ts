import { constants } from "node:os";
import { poll } from "../runtime/poll.ts";
import { SetupError } from "../setup-error.ts";
import type { Io } from "./io.ts";

export const portWords = "use a number from 0 to 65535.";

/** Returns a port number, or undefined if the text is none. */
export function parsePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : undefined;
}

/**
 * Resolves at the first signal to stop (SIGHUP if a terminal closes). A second signal ends the process immediately.
 * @param isOfNpm started by an npm script, whose signals end only npm's shell: a lost parent process also counts as a
 * signal
 */
export function untilSignal(isOfNpm: boolean): Promise<void> {
  return new Promise((done) => {
    const parent = process.ppid;
    const watch = poll({ name: "watching npm", everyMs: PARENT_POLL_MS, log: { recurring: () => {} } }, async () => {
      if (isOfNpm && process.ppid !== parent) stop();
    });
    const stop = (): void => {
      void watch.close();
      for (const signal of signals) process.once(signal, () => process.exit(1));
      done();
    };
    for (const signal of signals) process.once(signal, stop);
  });
}

/** At a signal to stop, prints `text` and exits.  @returns a function that removes the handlers */
export function reportInterruption(io: Pick<Io, "stderr">, text: string): () => void {
  const stop = (signal: (typeof signals)[number]): never => {
    io.stderr.write(`${text}\n`);
    // The exit status that shells use for a process ended by the signal.
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

/** Milliseconds between checks of the parent process. */
const PARENT_POLL_MS = 300;

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Throws an error that explains why a server cannot listen.
 * @param setting name of the setting or option of the port
 * @throws SetupError if the reason is known, else `error`
 */
export function throwExplained(error: unknown, port: number, setting: string): never {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") throw new SetupError(`port ${port} is in use: choose another with ${setting}.`);
  if (code === "EACCES") throw new SetupError(`port ${port} needs more rights: choose one above 1023 with ${setting}.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    throw new SetupError("this machine does not have that address: see --host.");
  throw error;
}
