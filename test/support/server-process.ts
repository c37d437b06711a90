import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { bundleVariable, cacheFolder } from "./cache-folder.ts";
import { testSecret } from "./shop.ts";

/** Path of `main.ts`: that of the bundle, or of this checkout. */
export const main = process.env[bundleVariable] ?? fileURLToPath(new URL("../../src/main.ts", import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly finished: Promise<Finished>;
  /** Returns the text that the process wrote to stderr. */
  log(): string;
}

/** Returns environment variables that shift the clock of a process.  @param ms milliseconds ahead */
export function wrongClock(ms: number): Readonly<Record<string, string>> {
  const code = `const right = Date.now; Date.now = () => right() + ${ms};`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/**
 * Runs `vitrine <args>` in a separate process that ends with the test. @param shell a line of `sh` that sets limits
 * first @param more variables @param program path of `main.ts`
 */
export function vitrine(
  args: readonly string[],
  shell = "",
  more: Readonly<Record<string, string>> = {},
  program = main,
): { child: ChildProcess; finished: Promise<Finished> } {
  const { INIT_CWD: _, PORT: __, HOST: ___, METRICS_PORT: ____, ...rest } = process.env;
  const env = { ...rest, VITRINE_SECRET: testSecret, LOG_LEVEL: "error", NODE_COMPILE_CACHE: cacheFolder, ...more };
  const child =
    shell === ""
      ? spawn(process.execPath, [program, ...args], { env })
      : spawn("sh", ["-c", `${shell}; exec "$0" "$@"`, process.execPath, program, ...args], { env });
  after(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const finished = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
  }));
  return { child, finished };
}

/** Serves a store in a separate process, on a free port. Resolves when it accepts requests. */
export function serve(
  storeDir: string,
  shell = "",
  more: Readonly<Record<string, string>> = {},
  program = main,
): Promise<ServerProcess> {
  return listening(vitrine(["serve", storeDir, "--port", "0"], shell, more, program));
}

/** Stops a server, and asserts that it ends without an error. */
export async function stopServer({ child, finished }: ServerProcess): Promise<void> {
  child.kill("SIGTERM");
  assert.equal((await finished).code, 0);
}

/** Runs `vitrine dev` in a separate process. Resolves when it accepts requests. */
export function develop(storeDir: string): Promise<ServerProcess> {
  return listening(vitrine(["dev", storeDir, "--port", "0"]));
}

async function listening({ child, finished }: ReturnType<typeof vitrine>): Promise<ServerProcess> {
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const address = /^Vitrine is serving .*?(http:\/\/[\w.:[\]]+\d)(?:,.*)?\s*$/m.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
    finished.then(({ code, stderr }) => reject(new Error(`the server ended with ${code}: ${stderr}`)), reject);
  });
  return { child, origin, finished, log: () => log };
}
