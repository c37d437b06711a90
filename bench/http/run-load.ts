// Runs a shop with 100,000 products on one core, and load on it from another core.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json as readJson, text as readText } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FloodPlan, FloodResult, ResponseTimes } from "../overload/flood.ts";
import { cpuMs, onCore, openLargeStore, type Server, startServer, stopServer } from "../store.ts";
import { type Row, warmUpRequests } from "./rows.ts";
import type { ServerMetrics } from "./watch-server.ts";

export const serverCore = 0;
const loadCore = 1;
export const connections = 16;
/** Milliseconds of load before each measured block. */
const blockWarmUpMs = 300;

/**
 * The benchmark measures the cost of requests, so the server must not reject late ones if the machine has other load.
 */
const settings = { server: { maxWait: 60_000 } };

export interface BenchServer extends Server {
  /** Output file of `watch-server.ts`. */
  readonly watchFile: string;
  /** Stops the server and removes its temporary files. */
  close(): Promise<void>;
}

/**
 * Starts a server with 100,000 products on a separate core.
 * @param storeDir folder that later runs reuse. Default: a temporary folder
 */
export async function openBenchServer(
  storeDir: string | undefined,
  { hasProfile }: { readonly hasProfile: boolean },
): Promise<BenchServer> {
  const { dir, remove } = await openLargeStore(storeDir, settings);
  const watchFile = join(tmpdir(), `vitrine-watch-${process.pid}.json`);
  try {
    const preload = `--import=${new URL("./watch-server.ts", import.meta.url).href}`;
    const serverEnvironment = {
      NODE_OPTIONS: preload,
      VITRINE_WATCH: watchFile,
      ...(hasProfile ? { VITRINE_PROFILE: "1" } : {}),
    };
    const server = await startServer(dir, serverEnvironment, serverCore);
    const close = async (): Promise<void> => {
      await stopServer(server.child);
      await remove();
    };
    return { ...server, watchFile, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

export interface RowResult {
  readonly plan: Omit<LoadPlan, "port">;
  readonly result: LoadResult;
  readonly serverMetrics: ServerMetrics;
  /** CPU milliseconds of the server per response. */
  readonly cpuMs: number;
}

/**
 * Sends other requests until the server is as warm as after minutes of work.
 * @throws Error if a response has another status than 200
 */
export async function warmUp({ origin }: BenchServer, ms: number): Promise<void> {
  const requests = await warmUpRequests(origin);
  await load({ port: portOf(origin), connections, ms, requests });
}

/** Sends the load of a row to a server.  @throws Error if a response has another status than 200 */
export async function runRow(row: Row, { child, origin, watchFile }: BenchServer, ms: number): Promise<RowResult> {
  const plan = { connections, warmUpMs: blockWarmUpMs, ms, requests: await row.requests() };
  const cpuBefore = await cpuMs(child.pid ?? 0);
  const loadResult = load({ ...plan, port: portOf(origin) });
  // The process of the load generator needs a moment to start.
  await wait(blockWarmUpMs);
  child.kill("SIGUSR2");
  const result = await loadResult;
  const cpuUsed = (await cpuMs(child.pid ?? 0)) - cpuBefore;
  child.kill("SIGUSR2");
  return { plan, result, serverMetrics: await readServerMetrics(watchFile), cpuMs: cpuUsed / result.answerCount };
}

function portOf(origin: string): number {
  return Number(new URL(origin).port);
}

async function readServerMetrics(file: string): Promise<ServerMetrics> {
  while (!existsSync(file)) await wait(10);
  const metrics = JSON.parse(await readFile(file, "utf8")) as ServerMetrics;
  await rm(file);
  return metrics;
}

/** Another server for comparison. */
export interface PeerServer {
  /** Sends load to the server. */
  run(plan: Omit<LoadPlan, "port">): Promise<Pick<RowResult, "result" | "cpuMs">>;
  close(): void;
}

/** Starts a bare `node:http` server on the core of the measured server.  @param bytes length of each response body */
export async function openBare(bytes: number): Promise<PeerServer> {
  const args = [fileURLToPath(new URL("./bare.ts", import.meta.url)), `${bytes}`];
  const [command, ...commandArguments] = onCore(serverCore, [process.execPath, ...args]);
  const child = spawn(command, commandArguments, { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once("data", (chunk) => resolve(Number(String(chunk))));
    child.once("exit", () => reject(new Error(`${args.join(" ")} ended before it answered`)));
  });
  return {
    async run(plan) {
      const cpuBefore = await cpuMs(child.pid ?? 0);
      const result = await load({ ...plan, port });
      return { result, cpuMs: ((await cpuMs(child.pid ?? 0)) - cpuBefore) / result.answerCount };
    },
    close: () => void child.kill(),
  };
}

/** Load of one kind of request, over connections that send the next request after each response. */
export interface LoadPlan extends Omit<FloodPlan, "rate" | "maxAnswers" | "kinds"> {
  /** Complete requests. Connections send them in sequence, and start again after the last one. */
  readonly requests: readonly string[];
}

/** Measurements of all responses together, which must have the status 200. */
export type LoadResult = ResponseTimes & Pick<FloodResult, "ms" | "answerCount" | "bodyBytes">;

/**
 * Sends load to a port, from a process on a separate core.
 * @throws Error if a response has another status than 200, or a connection is lost
 */
export async function load({ requests, ...plan }: LoadPlan): Promise<LoadResult> {
  const result = await flood({ ...plan, rate: "closed", kinds: [{ name: "all", share: 1, requests }] });
  const { 200: times, ...others } = result.kinds.all ?? {};
  const failures = Object.entries(others).map(([status, { count }]) => `${status}: ${count}`);
  if (times === undefined || failures.length > 0 || result.closedCount > 0)
    throw new Error(`port ${plan.port}: ${failures.join(", ") || `${result.closedCount} connections lost`}`);
  return { ...result, ...times };
}

/** Sends load of several kinds or at a fixed rate to a port, from a process on a separate core. */
export async function flood(plan: FloodPlan): Promise<FloodResult> {
  const file = fileURLToPath(new URL("../overload/flood.ts", import.meta.url));
  const [command, ...args] = onCore(loadCore, [process.execPath, file]);
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(JSON.stringify(plan));
  const failure = readText(child.stderr);
  return (await readJson(child.stdout).catch(async () => {
    throw new Error(await failure);
  })) as FloodResult;
}
