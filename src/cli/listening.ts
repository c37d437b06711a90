import { constants } from "node:os";
import { poll } from "../runtime/poll.ts";
import { SetupError } from "../setup-error.ts";
import type { Io } from "./io.ts";

export const portWords = "use a number from 0 to 65535.";

/** @returns undefined where it is no number of a port */
export function parsePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : undefined;
}

/** Resolves at the first signal to stop (a terminal that is closed sends SIGHUP); a second one ends the process at once.
 *  @param isOfNpm started by a script of npm, whose signals end at the shell that npm starts: a server that has lost its parent is meant */
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

/** Says at a signal to stop how it leaves what was begun, and ends. @returns ends this */
export function tellIfStopped(io: Pick<Io, "stderr">, text: string): () => void {
  const stop = (signal: (typeof signals)[number]): never => {
    io.stderr.write(`${text}\n`);
    // As a shell counts a process that the signal has ended.
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

/** Milliseconds between looks at whether the parent is still there. */
const PARENT_POLL_MS = 300;

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Says why a server cannot listen. @param setting where the port is chosen  @throws SetupError where that is known */
export function throwExplained(error: unknown, port: number, setting: string): never {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") throw new SetupError(`port ${port} is in use: choose another with ${setting}.`);
  if (code === "EACCES") throw new SetupError(`port ${port} needs more rights: choose one above 1023 with ${setting}.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    throw new SetupError("this machine does not have that address: see --host.");
  throw error;
}
