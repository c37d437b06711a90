import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe } from "node:test";
import { pathToFileURL } from "node:url";
import { serverVariable } from "./test-database.ts";

/** A test file that waits for a process. */
export interface QueuedFile {
  readonly file: string;
  /** URL of the PostgreSQL server on which its tests run. Default: SQLite. */
  readonly databaseUrl?: string | undefined;
}

/**
 * Maximum milliseconds of a test file. The limit only ends a file that hangs. It is long, because a busy machine is many
 * times slower than an idle one. More rounds need more time.
 */
const TIMEOUT_MS = process.env.VITRINE_ROUNDS === undefined ? 20 * 60_000 : Number.POSITIVE_INFINITY;

/**
 * Runs the test files of a queue in sequence, each as a suite with separate hooks. Processes share a queue: each takes
 * the next file that no other process has taken. A few processes that run many files load and compile shared code less
 * often than many processes.
 * @param folder folder with `queue.json`, the array of queued files
 * @param start end of the queue from which this process takes files
 */
export async function runQueue(folder: string, start: "first" | "last"): Promise<void> {
  const queue = JSON.parse(readFileSync(join(folder, "queue.json"), "utf8")) as readonly QueuedFile[];
  let running: string | undefined;
  // If a process exits early, the test runner knows only the exit code.
  process.on("exit", (code) => {
    if (running !== undefined) process.stderr.write(`${running}: the process ended within this file, with ${code}.\n`);
  });
  const entries = [...queue.entries()];
  for (const [index, { file, databaseUrl }] of start === "first" ? entries : entries.reverse()) {
    if (!takeFile(join(folder, String(index)))) continue;
    running = databaseUrl === undefined ? file : `${file} on PostgreSQL`;
    // The HTTP client compares the responses of some folders with openapi.yaml.
    process.argv[1] = resolve(file);
    const url = pathToFileURL(resolve(file));
    if (databaseUrl === undefined) delete process.env[serverVariable];
    else process.env[serverVariable] = databaseUrl;
    // The module is evaluated once per database.
    url.search = databaseUrl === undefined ? "" : "postgresql";
    await describe(running, { concurrency: 1, timeout: TIMEOUT_MS }, async () => {
      await import(url.href);
    });
  }
  running = undefined;
}

/** Creates a file, unless another process has created it.  @returns whether this process created it */
function takeFile(path: string): boolean {
  try {
    writeFileSync(path, "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
