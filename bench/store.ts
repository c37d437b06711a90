import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { catalogueFile } from "./catalogs.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** A store in a temporary folder, for one benchmark. */
export interface BenchStore {
  readonly dir: string;
  remove(): Promise<void>;
}

export async function makeStore(): Promise<BenchStore> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
  await writeStore(dir);
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

/**
 * Opens a store with 100,000 products.
 * @param folder folder that later runs reuse, created if missing. Default: a temporary folder
 * @param settings settings of this run, which replace those of another benchmark in the same folder
 */
export async function openLargeStore(folder: string | undefined, settings: object = {}): Promise<BenchStore> {
  const store = folder === undefined ? await makeStore() : { dir: folder, remove: async () => {} };
  try {
    await writeStore(store.dir, settings);
    if (existsSync(join(store.dir, "data"))) return store;
    await runCommand(["import", "--store", store.dir, catalogueFile("products-100k")]);
    return store;
  } catch (error) {
    await store.remove();
    throw error;
  }
}

async function writeStore(dir: string, settings: object = {}): Promise<void> {
  await mkdir(join(dir, "catalog"), { recursive: true });
  const settingsJson = JSON.stringify({ name: "Bench", currency: "USD", ...settings });
  await writeFile(join(dir, "vitrine.config.ts"), `export default ${settingsJson};\n`);
}

/** Runs a `vitrine` command.  @returns its duration in seconds */
export async function runCommand(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`vitrine ${args[0]} ended with ${code}`);
  return (performance.now() - start) / 1_000;
}

/** Runs a `vitrine` command and returns its standard output. */
export async function runForText(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  return text(child.stdout);
}

/** A running server. */
export interface Server {
  readonly child: ChildProcess;
  readonly origin: string;
  /** Seconds from the start until the server accepted requests. */
  readonly seconds: number;
}

/**
 * Starts a server, and resolves when it accepts requests.
 * @param environment environment variables
 * @param core the only core that the server may use. Default: all
 * @param flags flags of `vitrine serve`
 */
export async function startServer(
  dir: string,
  environment: Readonly<Record<string, string>> = {},
  core?: number,
  flags: readonly string[] = [],
): Promise<Server> {
  const start = performance.now();
  const [command, ...args] = onCore(core, [process.execPath, main, "serve", dir, "--port", "0", ...flags]);
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.once("exit", () => reject(new Error("the server ended before it served")));
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const line = /^Vitrine is serving .* (http:\S+)$/m.exec(text);
      if (line?.[1] !== undefined) resolve(line[1]);
    });
  });
  return { child, origin, seconds: (performance.now() - start) / 1_000 };
}

/** Returns a command that runs on one core, if the system supports it.  @param core default: all cores */
export function onCore(core: number | undefined, command: readonly string[]): [string, ...string[]] {
  const pinnedCommand =
    core === undefined || process.platform !== "linux" ? command : ["taskset", "-c", `${core}`, ...command];
  return pinnedCommand as [string, ...string[]];
}

/** Returns the milliseconds of processor time that all threads of a process have used. */
export async function cpuMs(pid: number): Promise<number> {
  const ids = await readdir(`/proc/${pid}/task`);
  const nanoseconds = await Promise.all(
    ids.map(async (id) => {
      const stat = await readFile(`/proc/${pid}/task/${id}/schedstat`, "utf8").catch(() => "0");
      return Number(stat.split(" ", 1)[0]);
    }),
  );
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

/** Ends a process.  @returns a promise that resolves when it has ended */
export async function stopServer(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exited;
}

/** Returns the resident memory of a process in MB, or 0 if it has ended. */
export async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024);
}

/** Returns a percentile of values.  @param share 0 to 1, such as 0.99 for the 99th percentile */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns the lines of a file in the folder of public data. */
export function readDataLines(path: string): string[] {
  return readFileSync(join(dataFolder(), path), "utf8").trim().split("\n");
}

/** Returns the folder of public catalogs and queries.  @throws Error if `VITRINE_DATA` is not set */
export function dataFolder(): string {
  const folder = process.env.VITRINE_DATA;
  if (folder === undefined) throw new Error("set VITRINE_DATA to the folder with catalogues/ and queries/");
  return folder;
}
