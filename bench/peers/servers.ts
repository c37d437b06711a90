// Compares search servers over HTTP: keystrokes that were never sent before, with typo tolerance, over 16 keep-alive
// connections. The server runs on one core, and the load on another. Judged queries are sent to the same process.
//   VITRINE_DATA=… node bench/peers/servers.ts [--only vitrine,lucene] [--sizes 100k] [--runs 3] [--seconds 5] [--warm-up 20] [--indexes <folder>] [--record]
// Figures are medians of the runs. Each run of a task sends other texts. The judged queries are those of shoppers for
// products-100k. --indexes reuses the indexes in a folder, whose builds are not measured again. --record adds rows to
// results.md.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prepareJudgedSet } from "../../packages/search/bench/relevance/judged-run.ts";
import { ndcg10 } from "../../packages/search/bench/relevance/metrics.ts";
import { judgedSets } from "../../packages/search/bench/relevance/sets.ts";
import { mean } from "../../packages/search/bench/relevance/significance.ts";
import { bigCatalogue } from "../catalog-1m.ts";
import { catalogueFile, workFolder } from "../catalogs.ts";
import type { LoadResult } from "../http/load.ts";
import { typedTexts } from "../http/queries.ts";
import { connections, load } from "../http/run-load.ts";
import { type Cells, recordRows, today } from "../results.ts";
import { documentsOf, type Size, sizes, sizesOf } from "../sizes.ts";
import { cpuMs, memoryMb, percentile } from "../store.ts";
import { groongaServer } from "./groonga/groonga-server.ts";
import { luceneServer } from "./lucene/lucene-server.ts";
import { getRequest, type SearchServer, type ServerPeer } from "./search-server.ts";
import { vitrineServer } from "./vitrine/vitrine-server.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "vitrine,lucene,groonga" },
    sizes: { type: "string", default: "100k" },
    runs: { type: "string", default: "3" },
    seconds: { type: "string", default: "5" },
    "warm-up": { type: "string", default: "20" },
    indexes: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## servers.ts: keystrokes over HTTP on one core, with peers";
const ms = Number(options.seconds) * 1_000;
/** Maximum number of texts of a run, more than any server answers. */
const maxTexts = 100_000;
/** Milliseconds of load before each run. */
const runWarmUpMs = 500;

interface Run {
  readonly result: LoadResult;
  /** Milliseconds of processor time per response. */
  readonly cpu: number;
}

const judgedSet = judgedSets.find(({ name }) => name === "shoppers-mixed-report");
if (judgedSet === undefined) throw new Error("no judged queries for products-100k");
const judged = await prepareJudgedSet(judgedSet, false);

const rows: Cells[] = [];
for (const size of sizesOf(options.sizes)) {
  const catalog = size === "100k" ? catalogueFile("products-100k") : bigCatalogue(sizes[size]);
  const servers: Readonly<Record<string, ServerPeer>> = {
    vitrine: vitrineServer(catalog),
    lucene: luceneServer,
    groonga: groongaServer,
  };
  const documents = await documentsOf(size);
  for (const name of options.only.split(",")) {
    const peer = servers[name];
    if (peer === undefined) throw new Error(`no server ${name}: ${Object.keys(servers).join(", ")}`);
    const missingReason = peer.explainMissing();
    if (missingReason !== undefined) process.stdout.write(`${peer.title} is left out: ${missingReason}\n`);
    else
      for (const cells of await measure(peer, size, documents)) {
        rows.push([...today(), size, peer.title, ...cells]);
        process.stdout.write(`| ${rows.at(-1)?.join(" | ")} |\n`);
      }
  }
}
if (options.record) recordRows(heading, rows, new URL("../results.md", import.meta.url));

async function measure(peer: ServerPeer, size: Size, documents: string): Promise<readonly Cells[]> {
  const folder =
    options.indexes === undefined
      ? mkdtempSync(join(workFolder(), "server-"))
      : join(options.indexes, `${peer.title}, ${size}`);
  mkdirSync(folder, { recursive: true });
  const open = () => openTimed(peer, documents, folder);
  let server: SearchServer | undefined;
  try {
    const built = readdirSync(folder).length === 0 ? await open() : undefined;
    await built?.server.close();
    const restarted = await open();
    server = restarted.server;
    const opened = server;
    const texts = await typedTexts();
    await send(opened, texts.warmUpTexts, 0, Number(options["warm-up"]) * 1_000);
    const runsByTask = new Map<string, readonly Run[]>();
    for (const task of ["as typed", "one mistake"]) {
      const { measuredTexts } = task === "as typed" ? texts : await typedTexts(true);
      const runs: Run[] = [];
      const perRun = Math.min(maxTexts, Math.floor(measuredTexts.length / Number(options.runs)));
      for (let start = 0; runs.length < Number(options.runs); start += perRun)
        runs.push(await send(opened, measuredTexts.slice(start, start + perRun), runWarmUpMs, ms));
      runsByTask.set(task, runs);
    }
    const ndcg = size === "100k" ? (await ndcgOf(opened)).toFixed(3) : "-";
    const memory = `${await memoryMb(opened.pid)} MB`;
    const disk = `${(sizeOf(folder) / 1e6).toFixed(0)} MB`;
    const times = [built === undefined ? "-" : `${built.seconds.toFixed(1)} s`, `${restarted.seconds.toFixed(2)} s`];
    return [...runsByTask].map(([task, runs]) => [task, ...cellsOf(runs), ndcg, memory, disk, ...times]);
  } finally {
    await server?.close();
    if (options.indexes === undefined) rmSync(folder, { recursive: true });
  }
}

async function openTimed(
  peer: ServerPeer,
  documents: string,
  folder: string,
): Promise<{ readonly server: SearchServer; readonly seconds: number }> {
  const startedAt = performance.now();
  const server = await peer.open(documents, folder);
  return { server, seconds: (performance.now() - startedAt) / 1_000 };
}

/** Sends load to a server.  @throws Error if a response has another status than 200 */
async function send(
  { port, pid, path }: SearchServer,
  texts: readonly string[],
  warmUpMs: number,
  loadMs: number,
): Promise<Run> {
  const cpuBefore = await cpuMs(pid);
  const requests = texts.map((text) => getRequest(port, path(text, "typed")));
  const result = await load({ port, connections, warmUpMs, ms: loadMs, requests });
  const statuses = Object.keys(result.statuses).filter((status) => status !== "200");
  if (statuses.length > 0) throw new Error(`port ${port} answered ${statuses}`);
  if (result.answers > requests.length) process.stdout.write("texts were repeated: use fewer --seconds\n");
  return { result, cpu: ((await cpuMs(pid)) - cpuBefore) / result.answers };
}

async function ndcgOf({ port, path, idsOf }: SearchServer): Promise<number> {
  const values: number[] = [];
  for (const { query, grades } of judged.queries) {
    const response = await fetch(`http://127.0.0.1:${port}${path(query, "whole")}`);
    values.push(ndcg10(idsOf(await response.text()), grades));
  }
  return mean(values);
}

function cellsOf(runs: readonly Run[]): Cells {
  const median = (value: (run: Run) => number): number => percentile(runs.map(value), 0.5);
  const rate = median(({ result }) => (result.count * 1_000) / result.ms);
  const latencies = [
    median(({ result }) => result.p50),
    median(({ result }) => result.p99),
    median(({ result }) => result.p999),
  ];
  return [
    rate.toFixed(0),
    `${latencies.map((value) => value.toFixed(2)).join(" / ")} ms`,
    `${median(({ cpu }) => cpu).toFixed(3)} ms`,
    `${median(({ result }) => result.bodyBytes).toFixed(0)}`,
  ];
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
