// Measures how long each kind of request takes under the load of a store, and checks that memory does not grow. A
// server with 100,000 products runs on one core for minutes, at a share of its capacity: cached pages and suggestions
// (80 %), new keystrokes (15 %), and changes of carts (5 %). The capacity is the rate of 16 connections with this mix.
// Memory is sampled every few seconds. Its growth is measured after the caches are warm.
//   VITRINE_DATA=… node bench/soak.ts [--minutes 10] [--load 0.7] [--store <folder>] [--record]
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { mean } from "../packages/search/bench/relevance/significance.ts";
import { findFreePort } from "../test/support/postgres-server.ts";
import { cachedRequests, type Row, rowsOf } from "./http/rows.ts";
import { connections, flood, serverCore } from "./http/run-load.ts";
import type { FloodKind, FloodResult } from "./overload/flood.ts";
import { type Cells, recordRows, today } from "./results.ts";
import { openLargeStore, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    load: { type: "string", default: "0.7" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const timesHeading = "## soak.ts: times under the load of a store";
const memoryHeading = "## soak.ts: memory under the load of a store";
const SAMPLE_MS = 5_000;
const CAPACITY_MS = 10_000;
const WARM_UP_MS = 20_000;
/** Requests per second, more than a core answers. */
const maxRate = 20_000;
/** Share of the duration in which caches fill, which is excluded from the growth. */
const WARM_SHARE = 0.3;
const MB = 1_024 * 1_024;
/** Number of connections, more than the requests that are in flight at once. */
const manyConnections = 500;
const shares = { "cached pages and suggestions": 0.8, "new keystrokes": 0.15, "changes of carts": 0.05 } as const;

/** Memory in MB at a time. */
interface Sample {
  readonly minutes: number;
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
}

const metricsPort = await findFreePort();
const { dir, remove } = await openLargeStore(options.store);
const { child, origin } = await startServer(dir, { METRICS_PORT: `${metricsPort}` }, serverCore, ["--threads", "1"]);
try {
  const port = Number(new URL(origin).port);
  const rows = await rowsOf(origin);
  const ms = Number(options.minutes) * 60_000;
  const send = async (connectionCount: number, rate: number | "closed", loadMs: number): Promise<FloodResult> => {
    const count = ((rate === "closed" ? maxRate : rate) * loadMs) / 1_000;
    return flood({ port, connections: connectionCount, rate, ms: loadMs, kinds: await kindsOf(rows, count) });
  };
  await send(connections, "closed", WARM_UP_MS);
  const trial = await send(connections, "closed", CAPACITY_MS);
  const capacity = (1_000 * trial.sentCount) / trial.ms;
  const rate = capacity * Number(options.load);
  process.stdout.write(`${Math.round(capacity)} per second are the capacity\n`);
  const pendingResult = send(manyConnections, rate, ms);
  const samples = await sampleMemory(ms);
  const result = await pendingResult;
  const timesRows = timesOf(result).map((cells) => [...today(), `${Math.round(rate)}`, ...cells]);
  const memoryRow = [
    ...today(),
    options.minutes,
    `${Math.round(rate)} of ${Math.round(capacity)}`,
    ...(["resident", "heap", "external"] as const).map((kind) => growthOf(samples, kind)),
  ];
  for (const row of [...timesRows, memoryRow]) process.stdout.write(`| ${row.join(" | ")} |\n`);
  process.stdout.write(`${result.skippedCount} not sent, ${result.closedCount} connections lost\n`);
  process.stdout.write(`${Math.round(result.cpuShare * 100)} % of a core for the load\n`);
  if (options.record) {
    recordRows(timesHeading, timesRows);
    recordRows(memoryHeading, [memoryRow]);
  }
} finally {
  await stopServer(child);
  await remove();
}

/** Returns requests of all kinds.  @param count number of requests in which no keystroke is repeated */
async function kindsOf(rows: readonly Row[], count: number): Promise<readonly FloodKind[]> {
  const requestsOf = async (name: string): Promise<readonly string[]> =>
    (await rows.find((row) => row.name === name)?.requests()) ?? [];
  const keystrokes: string[] = [];
  do keystrokes.push(...(await requestsOf("suggest json, fresh")));
  while (keystrokes.length < count * shares["new keystrokes"]);
  const requests = {
    "cached pages and suggestions": await cachedRequests(origin),
    "new keystrokes": keystrokes,
    "changes of carts": await requestsOf("change, many carts"),
  };
  return Object.entries(shares).map(([name, share]) => ({
    name,
    share,
    requests: requests[name as keyof typeof shares],
  }));
}

function timesOf({ kinds }: FloodResult): readonly Cells[] {
  return Object.entries(kinds).map(([name, { 200: accepted, ...others }]) => {
    const times = [accepted?.p50, accepted?.p99, accepted?.p999, accepted?.max];
    const rejections = Object.entries(others).map(([status, { count }]) => `${count} × ${status}`);
    return [
      name,
      `${accepted?.count ?? 0}`,
      `${times.map((time) => time?.toFixed(1)).join(" / ")} ms`,
      rejections.join(", ") || "0",
    ];
  });
}

async function sampleMemory(ms: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const start = performance.now();
  while (performance.now() < start + ms) {
    await wait(SAMPLE_MS);
    const sample = await takeSample((performance.now() - start) / 60_000);
    samples.push(sample);
    const { minutes, resident, heap, external } = sample;
    process.stdout.write(
      `${minutes.toFixed(1)} min: ${resident} MB resident, heap ${heap} MB, external ${external} MB\n`,
    );
  }
  return samples;
}

/**
 * Returns the memory at the start, its minimum and maximum after caches are full, and its growth in ten minutes by least
 * squares.
 */
function growthOf(samples: readonly Sample[], kind: "resident" | "heap" | "external"): string {
  const warmSamples = samples.slice(Math.floor(samples.length * WARM_SHARE));
  const values = warmSamples.map((sample) => sample[kind]);
  const growth =
    slope(
      warmSamples.map(({ minutes }) => minutes),
      values,
    ) * 10;
  const sign = growth < 0 ? "" : "+";
  return `${samples[0]?.[kind]}; ${Math.min(...values)} to ${Math.max(...values)} MB, ${sign}${growth.toFixed(1)} MB in ten minutes`;
}

function slope(xs: readonly number[], ys: readonly number[]): number {
  const [x0, y0] = [mean(xs), mean(ys)];
  const covariance = xs.reduce((sum, x, at) => sum + (x - x0) * ((ys[at] as number) - y0), 0);
  return covariance / xs.reduce((sum, x) => sum + (x - x0) ** 2, 0);
}

async function takeSample(minutes: number): Promise<Sample> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const readMegabytes = (name: string): number => {
    const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
    if (value === undefined) throw new Error(`no metric ${name}`);
    return Math.round(Number(value) / MB);
  };
  return {
    minutes,
    resident: readMegabytes("process_resident_memory_bytes"),
    heap: readMegabytes("nodejs_heap_size_used_bytes"),
    external: readMegabytes("nodejs_external_memory_bytes"),
  };
}
