// Measures the gain and the cost of another thread, with 100,000 products or another store. The server and the load use
// all cores. The processor time of a response is reported by the thread that used it, because additional cores would
// share the event loops' part.
//   VITRINE_DATA=… node bench/threads.ts [--threads 1,2] [--rows fresh,change] [--seconds 3] [--runs 3] [--store <folder>] [--record]
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { json as readJson } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { LoadPlan, LoadResult } from "./http/load.ts";
import { type Row, rowsOf } from "./http/rows.ts";
import { type Cells, recordRows, today } from "./results.ts";
import { memoryMb, openLargeStore, percentile, type Server, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    threads: { type: "string", default: "1,2" },
    rows: { type: "string", default: "suggest json,cart.js,change, many" },
    seconds: { type: "string", default: "3" },
    runs: { type: "string", default: "3" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## threads.ts: one event loop and several";
const connections = 32;
/** Linux reports processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** Milliseconds of processor time by thread name. */
type CpuByThread = ReadonlyMap<string, number>;

const { dir, remove } = await openLargeStore(options.store);
try {
  const rows: Cells[] = [];
  for (const threads of options.threads.split(",").map(Number)) {
    const server = await startServer(dir, undefined, {}, undefined, ["--threads", `${threads}`]);
    try {
      const pid = server.child.pid ?? 0;
      // Waits until the garbage of the startup is collected.
      await sleep(5_000);
      const initialMemory = await memoryMb(pid);
      for (const row of await rowsOf(server.origin)) {
        if (!options.rows.split(",").some((part) => row.name.includes(part))) continue;
        const measurements: Measurement[] = [];
        for (let run = 0; run < Number(options.runs); run += 1) measurements.push(await measure(row, server));
        const cells = [
          ...today(),
          `${threads}`,
          row.name,
          ...cellsOf(measurements),
          `${initialMemory} / ${await memoryMb(pid)} MB`,
        ];
        rows.push(cells);
        process.stdout.write(`| ${cells.join(" | ")} |\n`);
      }
    } finally {
      await stopServer(server.child);
    }
  }
  if (options.record) recordRows(heading, rows);
} finally {
  await remove();
}

interface Measurement {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU use of the load generator as a share of the time. Near 1, the load generator is the bottleneck. */
  readonly loadShare: number;
  /** Milliseconds of processor time per response, by group of threads. */
  readonly eventLoops: number;
  readonly database: number;
  readonly otherThreads: number;
}

async function measure(row: Row, { child, origin }: Server): Promise<Measurement> {
  const pid = child.pid ?? 0;
  const ms = Number(options.seconds) * 1_000;
  const port = Number(new URL(origin).port);
  const requests = await row.requests();
  const cpuBefore = await cpuByThread(pid);
  const result = await load({ port, connections, warmUpMs: 0, ms, requests });
  const cpuAfter = await cpuByThread(pid);
  const cpuPerResponse = (isOf: (name: string) => boolean): number => {
    const names = [...cpuAfter.keys()].filter(isOf);
    return names.reduce((sum, name) => sum + (cpuAfter.get(name) ?? 0) - (cpuBefore.get(name) ?? 0), 0) / result.count;
  };
  const loopPattern = cpuAfter.has("loop 0") ? /^loop / : /MainThread/;
  return {
    rate: (result.count * 1_000) / result.ms,
    p50: result.p50,
    p99: result.p99,
    loadShare: result.cpuShare,
    eventLoops: cpuPerResponse((name) => loopPattern.test(name)),
    database: cpuPerResponse((name) => name.startsWith("sqlite")),
    otherThreads: cpuPerResponse((name) => !loopPattern.test(name) && !name.startsWith("sqlite")),
  };
}

async function cpuByThread(pid: number): Promise<CpuByThread> {
  const msByThread = new Map<string, number>();
  for (const id of await readdir(`/proc/${pid}/task`)) {
    const stat = await readFile(`/proc/${pid}/task/${id}/stat`, "utf8").catch(() => "");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const [userTicks = 0, systemTicks = 0] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
      .map(Number);
    msByThread.set(name, (msByThread.get(name) ?? 0) + (userTicks + systemTicks) * MS_PER_TICK);
  }
  return msByThread;
}

async function load(plan: LoadPlan): Promise<LoadResult> {
  const file = fileURLToPath(new URL("./http/load.ts", import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(plan));
  return (await readJson(child.stdout)) as LoadResult;
}

function cellsOf(measurements: readonly Measurement[]): readonly string[] {
  const median = (value: (measurement: Measurement) => number): number => percentile(measurements.map(value), 0.5);
  return [
    `${Math.round(median(({ rate }) => rate))}, by ${Math.round(median(({ loadShare }) => loadShare) * 100)} % of a core`,
    `${median(({ p50 }) => p50).toFixed(1)} / ${median(({ p99 }) => p99).toFixed(1)} ms`,
    `${median(({ eventLoops }) => eventLoops).toFixed(3)} ms`,
    `${median(({ database }) => database).toFixed(3)} ms`,
    `${median(({ otherThreads: rest }) => rest).toFixed(3)} ms`,
  ];
}
