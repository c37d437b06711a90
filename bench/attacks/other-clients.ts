// Simulates other visitors in a separate thread, so that the work of the attack does not delay them.
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** One request of another visitor. */
export interface Visit {
  readonly path: string;
  /** HTTP status, or 0 if the connection failed. */
  readonly status: number;
  /** Milliseconds since the scheduled start, including the delay of a blocked server. */
  readonly ms: number;
}

export interface OtherClients {
  /** Returns the visits of the next `ms` milliseconds. */
  visitsFor(ms: number): Promise<readonly Visit[]>;
  /** Returns the visits during `work`. */
  visitsDuring<T>(work: () => Promise<T>): Promise<readonly [T, readonly Visit[]]>;
  stop(): Promise<void>;
}

/**
 * Simulates visitors who type searches and read their carts, with 50 requests per second. Every tenth uses a new
 * connection.
 */
export function watchOtherClients(origin: string): OtherClients {
  const worker = new Worker(new URL(import.meta.url), { workerData: origin });
  const visitsDuring = async <T>(work: () => Promise<T>): Promise<readonly [T, readonly Visit[]]> => {
    worker.postMessage("begin");
    const result = await work();
    const visits = new Promise<readonly Visit[]>((resolve) => worker.once("message", resolve));
    worker.postMessage("end");
    return [result, await visits];
  };
  return {
    visitsDuring,
    visitsFor: async (ms) => (await visitsDuring(() => sleep(ms)))[1],
    stop: async () => void (await worker.terminate()),
  };
}

/** Milliseconds between two visits. */
const VISIT_INTERVAL_MS = 20;
/** Milliseconds after which a visit counts as failed. */
const TIMEOUT_MS = 30_000;
const words = [
  "rain",
  "boots",
  "blue ja",
  "lamp",
  "tea",
  "wool s",
  "knife",
  "canv",
  "storm",
  "led tv",
  "cable",
  "shir",
];

/** Sends requests continuously. `end` returns the visits since `begin`, after all have a response. */
function startVisits(origin: string): { begin(): void; end(): Promise<readonly Visit[]> } {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const startTime = performance.now();
  let startedCount = 0;
  let visits: Promise<Visit>[] = [];
  const visit = (scheduledAt: number, number: number): Promise<Visit> => {
    const word = words[number % words.length] ?? "";
    const letters = word.slice(0, 1 + (number % word.length));
    const path = number % 2 === 0 ? `/search/suggest.json?q=${encodeURIComponent(letters)}` : "/cart.js";
    const connection = number % 10 === 0 ? {} : { agent };
    return new Promise((resolve) => {
      const finish = (status: number): void =>
        resolve({ path: path.split("?")[0] ?? "", status, ms: performance.now() - scheduledAt });
      const request = get({ hostname, port, path, localAddress: "127.0.0.2", timeout: TIMEOUT_MS, ...connection });
      request.once("response", (answer) => answer.resume().once("close", () => finish(answer.statusCode ?? 0)));
      request.once("timeout", () => request.destroy()).once("error", () => finish(0));
    });
  };
  setInterval(() => {
    for (; startTime + startedCount * VISIT_INTERVAL_MS <= performance.now(); startedCount += 1)
      visits.push(visit(startTime + startedCount * VISIT_INTERVAL_MS, startedCount));
  }, 2);
  return {
    begin: () => (visits = []),
    end() {
      const currentVisits = visits;
      visits = [];
      return Promise.all(currentVisits);
    },
  };
}

const port = parentPort;
if (!isMainThread && port !== null) {
  const visitLoop = startVisits(workerData as string);
  port.on("message", async (message) => {
    if (message === "begin") visitLoop.begin();
    else port.postMessage(await visitLoop.end());
  });
}
