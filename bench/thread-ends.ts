// Measures the effect of a crashing thread on shoppers. The server has 100,000 products and two event loops. One of
// them crashes while keystrokes arrive over many connections. Other visitors send requests too, every tenth on a new
// connection.
//   VITRINE_DATA=… node bench/thread-ends.ts [--threads 2] [--rate 500] [--store <folder>] [--record]
import { spawn } from "node:child_process";
import { json as readJson } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createThreadedApp } from "../src/threads/threaded-app.ts";
import { type Visit, watchOtherClients } from "./attacks/other-clients.ts";
import { rowsOf } from "./http/rows.ts";
import type { FloodPlan, FloodResult } from "./overload/flood.ts";
import { recordRows, today } from "./results.ts";
import { openLargeStore, percentile } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    threads: { type: "string", default: "2" },
    rate: { type: "string", default: "500" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## thread-ends.ts: a thread ends under load";
const threads = Number(options.threads);
const CONNECTIONS = 64;
/** Milliseconds of load before the crash, and in total. */
const CALM_MS = 4_000;
const TOTAL_MS = 14_000;

const { dir, remove } = await openLargeStore(options.store);
const app = await createThreadedApp({ storeDir: dir, logLevel: "silent" }, threads);
try {
  const origin = await app.listen("127.0.0.1", 0);
  const requests = (await (await rowsOf(origin)).find(({ name }) => name === "suggest json, fresh")?.requests()) ?? [];
  const otherClients = watchOtherClients(origin);
  const plan: FloodPlan = {
    port: Number(new URL(origin).port),
    connections: CONNECTIONS,
    rate: Number(options.rate),
    ms: TOTAL_MS,
    requests,
  };
  const load = flood(plan);
  await sleep(CALM_MS / 2);
  const calmVisits = await otherClients.visitsFor(CALM_MS / 2);
  const [replacedMs, visits] = await otherClients.visitsDuring(async () => {
    const start = performance.now();
    await app.loopThreads.kill(0);
    while (app.loopThreads.listeningThreads().length < threads) await sleep(1);
    const ms = performance.now() - start;
    await sleep(CALM_MS);
    return ms;
  });
  const { sentCount: sent, closedCount: closed, statuses, cpuShare } = await load;
  await otherClients.stop();
  const answers = Object.entries(statuses).map(([status, { count }]) => `${count} × ${status}`);
  const row = [
    ...today(),
    `${threads}`,
    `${Math.round((sent * 1_000) / TOTAL_MS)} of ${options.rate}, by ${Math.round(cpuShare * 100)} % of a core`,
    formatVisits(calmVisits),
    formatVisits(visits),
    `${visits.filter(({ status }) => status === 0).length} of ${visits.length}`,
    `${closed} of ${CONNECTIONS} connections; ${answers.join(", ")}`,
    `${replacedMs.toFixed(0)} ms`,
  ];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, [row]);
} finally {
  await app.close();
  await remove();
}

function formatVisits(visits: readonly Visit[]): string {
  const ms = visits.filter(({ status }) => status === 200).map((visit) => visit.ms);
  return `${percentile(ms, 0.5).toFixed(0)} / ${percentile(ms, 0.99).toFixed(0)} / ${Math.max(...ms).toFixed(0)} ms`;
}

async function flood(plan: FloodPlan): Promise<FloodResult> {
  const file = fileURLToPath(new URL("./overload/flood.ts", import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(plan));
  return (await readJson(child.stdout)) as FloodResult;
}
