// What does a request cost, beside what any request costs? 100,000 products, the server on one core, the load on another, 16 connections that are
// kept; each row beside a bare `node:http` server that answers as many bytes, in the same run.
//   VITRINE_DATA=… node bench/http.ts [--rows suggest,cart] [--seconds 3] [--runs 3] [--store <folder>] [--record]
// Of several runs the median counts. --rows takes those whose names contain one of the words, --store keeps the imported shop in a folder
// for the next time, --record appends to results.md.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { json as readJson, text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { catalogueFile } from "./catalogues.ts";
import type { LoadPlan, LoadResult } from "./http/load.ts";
import { type Row, rowsOf } from "./http/rows.ts";
import { appendRows, type Cells, today } from "./results.ts";
import { cpuMs, makeStore, onCore, percentile, runCommand, type Server, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "" },
    seconds: { type: "string", default: "3" },
    runs: { type: "string", default: "3" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## http.ts: requests a second on one core, beside a bare node:http server";
const serverCore = 0;
const loadCore = 1;
const connections = 16;

interface Measured {
  readonly rate: number;
  readonly bareRate: number;
  /** Milliseconds of processor time for each answer. */
  readonly cpuMs: number;
  readonly p50: number;
  readonly p99: number;
  readonly bodyBytes: number;
}

const made = options.store === undefined ? await makeStore() : undefined;
const dir = made?.dir ?? (options.store as string);
try {
  if (!existsSync(join(dir, "data"))) {
    await mkdir(join(dir, "catalog"), { recursive: true });
    await writeFile(join(dir, "vitrine.config.ts"), 'export default { name: "Bench", currency: "USD" };\n');
    await runCommand(["import", "--store", dir, catalogueFile("products-100k")]);
  }
  const server = await startServer(dir, undefined, {}, serverCore);
  const rows: Cells[] = [];
  try {
    const wanted = options.rows.split(",");
    for (const row of await rowsOf(server.origin)) {
      if (!wanted.some((part) => row.name.includes(part))) continue;
      const measured: Measured[] = [];
      for (let run = 0; run < Number(options.runs); run += 1) measured.push(await measure(row, server));
      rows.push([...today(), row.name, ...cellsOf(measured)]);
      process.stdout.write(`| ${rows.at(-1)?.join(" | ")} |\n`);
    }
  } finally {
    await stopServer(server.child);
  }
  if (options.record) appendRows(heading, rows);
} finally {
  await made?.remove();
}

async function measure(row: Row, { child, origin }: Server): Promise<Measured> {
  const plan = { connections, warmUpMs: 1_000, ms: Number(options.seconds) * 1_000, requests: await row.requests() };
  const before = await cpuMs(child.pid ?? 0);
  const started = performance.now();
  const result = await load({ ...plan, port: Number(new URL(origin).port) });
  const share = result.ms / (performance.now() - started);
  const cpu = (await cpuMs(child.pid ?? 0)) - before;
  const refused = Object.entries(result.statuses).filter(([status]) => status !== "200");
  if (refused.length > 0) throw new Error(`${row.name}: ${refused.map((one) => one.join(": ")).join(", ")}`);
  const bare = await loadBare(plan, Math.round(result.bodyBytes));
  return {
    rate: (result.count * 1_000) / result.ms,
    bareRate: (bare.count * 1_000) / bare.ms,
    cpuMs: (cpu * share) / result.count,
    p50: result.p50,
    p99: result.p99,
    bodyBytes: result.bodyBytes,
  };
}

async function loadBare(plan: Omit<LoadPlan, "port">, bytes: number): Promise<LoadResult> {
  const file = fileURLToPath(new URL("./http/bare.ts", import.meta.url));
  const [command, ...args] = onCore(serverCore, [process.execPath, file, `${bytes}`]);
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const port = await new Promise<number>((done) => child.stdout.once("data", (chunk) => done(Number(String(chunk)))));
    return await load({ ...plan, port });
  } finally {
    child.kill();
  }
}

async function load(plan: LoadPlan): Promise<LoadResult> {
  const file = fileURLToPath(new URL("./http/load.ts", import.meta.url));
  const [command, ...args] = onCore(loadCore, [process.execPath, file]);
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(JSON.stringify(plan));
  const failure = readText(child.stderr);
  return (await readJson(child.stdout).catch(async () => {
    throw new Error(await failure);
  })) as LoadResult;
}

function cellsOf(measured: readonly Measured[]): readonly string[] {
  const median = (value: (one: Measured) => number): number => percentile(measured.map(value), 0.5);
  return [
    `${Math.round(median(({ bodyBytes }) => bodyBytes))}`,
    `${Math.round(median(({ rate }) => rate))}`,
    `${Math.round(median(({ bareRate }) => bareRate))}`,
    median(({ rate, bareRate }) => rate / bareRate).toFixed(3),
    `${median(({ p50 }) => p50).toFixed(2)} / ${median(({ p99 }) => p99).toFixed(2)} ms`,
    `${median((one) => one.cpuMs).toFixed(3)} ms`,
  ];
}
