// Compares search servers over HTTP: keystrokes that were never sent before, with typo tolerance, over 16 keep-alive
// connections. The server runs on one core, and the load on another. Judged queries are sent to the same process.
//   VITRINE_DATA=… node bench/peers/servers.ts [--only vitrine,lucene] [--sizes 10k,100k] [--tasks typing,changes] [--runs 3] [--seconds 5] [--warm-up 20] [--indexes <folder>] [--record]
// Figures are medians of the runs. Each run of a task sends other texts. The judged queries are those of shoppers for
// products-100k. The task "changes" comes last: 20 titles change one after the other, and a search polls for the new
// word. --indexes reuses the indexes in a folder, whose builds are not measured again. --record adds rows to results.md.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prepareJudgedSet } from "../../packages/search/bench/relevance/judged-run.ts";
import { ndcg10 } from "../../packages/search/bench/relevance/metrics.ts";
import { judgedSets } from "../../packages/search/bench/relevance/sets.ts";
import { mean } from "../../packages/search/bench/relevance/significance.ts";
import { workFolder } from "../catalogs.ts";
import { typedTexts } from "../http/queries.ts";
import { connections, type LoadResult, load } from "../http/run-load.ts";
import { type Cells, recordRows, today } from "../results.ts";
import { catalogOf, documentsOf, type Size, sizes, sizesOf } from "../sizes.ts";
import { cpuMs, memoryMb, percentile } from "../store.ts";
import { measureChanges } from "./changes.ts";
import { groongaServer } from "./groonga/groonga-server.ts";
import { luceneServer } from "./lucene/lucene-server.ts";
import { meilisearchServer } from "./meilisearch/meilisearch-server.ts";
import { type SearchServer, type ServerPeer, searchWhole, typedRequest } from "./search-server.ts";
import { seekstormServer } from "./seekstorm/seekstorm-server.ts";
import { vitrineServer } from "./vitrine/vitrine-server.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "vitrine,lucene,seekstorm,groonga,meilisearch" },
    sizes: { type: "string", default: "10k,100k" },
    tasks: { type: "string", default: "typing,changes" },
    runs: { type: "string", default: "3" },
    seconds: { type: "string", default: "5" },
    "warm-up": { type: "string", default: "20" },
    indexes: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const headings = {
  typing: "## servers.ts: keystrokes over HTTP on one core, with peers",
  changes: "## servers.ts: milliseconds until a changed title is searchable",
};
type Task = keyof typeof headings;
const tasks = options.tasks.split(",") as Task[];
const ms = Number(options.seconds) * 1_000;
/** Maximum number of texts of a run, more than any server answers. */
const maxTexts = 100_000;
/** Milliseconds of load before each run. */
const runWarmUpMs = 500;

/** Unit of `blocks` of a file. */
const blockBytes = 512;

interface Run {
  readonly result: LoadResult;
  /** Milliseconds of processor time per response. */
  readonly cpu: number;
}

const judgedSet = judgedSets.find(({ name }) => name === "shoppers-mixed-report");
if (judgedSet === undefined) throw new Error("no judged queries for products-100k");
const judged = await prepareJudgedSet(judgedSet, false);

const rows: Record<Task, Cells[]> = { typing: [], changes: [] };
for (const size of sizesOf(options.sizes)) {
  const servers: Readonly<Record<string, ServerPeer>> = {
    vitrine: vitrineServer(await catalogOf(size)),
    lucene: luceneServer,
    seekstorm: seekstormServer,
    groonga: groongaServer,
    meilisearch: meilisearchServer,
  };
  const documents = await documentsOf(size);
  for (const name of options.only.split(",")) {
    const peer = servers[name];
    if (peer === undefined) throw new Error(`no server ${name}: ${Object.keys(servers).join(", ")}`);
    const missingReason = peer.explainMissing();
    if (missingReason !== undefined) process.stdout.write(`${peer.title} is left out: ${missingReason}\n`);
    else await measure(peer, size, documents);
  }
}
if (options.record) for (const task of tasks) recordRows(headings[task], rows[task]);

function addRow(task: Task, size: Size, { title }: ServerPeer, cells: Cells): void {
  const row = [...today(), size, title, ...cells];
  rows[task].push(row);
  process.stdout.write(`| ${row.join(" | ")} |\n`);
}

async function measure(peer: ServerPeer, size: Size, documents: string): Promise<void> {
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
    const { warmUpTexts } = await typedTexts();
    await send(opened, warmUpTexts, 0, Number(options["warm-up"]) * 1_000);
    if (tasks.includes("typing")) {
      const runsByText = await measureTyping(opened);
      const ndcg = size === "100k" ? (await ndcgOf(opened)).toFixed(3) : "-";
      const memory = `${await memoryMb(opened.pid)} MB`;
      const disk = `${(sizeOf(folder) / 1e6).toFixed(0)} MB`;
      const times = [built === undefined ? "-" : `${built.seconds.toFixed(1)} s`, `${restarted.seconds.toFixed(2)} s`];
      for (const [texts, runs] of runsByText)
        addRow("typing", size, peer, [texts, ...cellsOf(runs), ndcg, memory, disk, ...times]);
    }
    if (tasks.includes("changes")) {
      const times = await measureChanges(opened, documents, sizes[size]);
      const milliseconds = [0, 0.5, 1].map((share) => percentile(times, share).toFixed(0));
      addRow("changes", size, peer, [`${times.length}`, ...milliseconds]);
    }
  } finally {
    await server?.close();
    if (options.indexes === undefined) rmSync(folder, { recursive: true });
  }
}

async function measureTyping(server: SearchServer): Promise<ReadonlyMap<string, readonly Run[]>> {
  const runsByText = new Map<string, readonly Run[]>();
  for (const name of ["as typed", "one mistake"]) {
    const { measuredTexts } = await typedTexts(name !== "as typed");
    const runs: Run[] = [];
    const perRun = Math.min(maxTexts, Math.floor(measuredTexts.length / Number(options.runs)));
    for (let start = 0; runs.length < Number(options.runs); start += perRun)
      runs.push(await send(server, measuredTexts.slice(start, start + perRun), runWarmUpMs, ms));
    runsByText.set(name, runs);
  }
  return runsByText;
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
async function send(server: SearchServer, texts: readonly string[], warmUpMs: number, loadMs: number): Promise<Run> {
  const { port, pid } = server;
  const cpuBefore = await cpuMs(pid);
  const requests = texts.map((text) => typedRequest(server, text));
  const result = await load({ port, connections, warmUpMs, ms: loadMs, requests });
  if (result.answerCount > requests.length) process.stdout.write("texts were repeated: use fewer --seconds\n");
  return { result, cpu: ((await cpuMs(pid)) - cpuBefore) / result.answerCount };
}

async function ndcgOf(server: SearchServer): Promise<number> {
  const values: number[] = [];
  for (const { query, grades } of judged.queries) values.push(ndcg10(await searchWhole(server, query), grades));
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

/** Returns the bytes that the files of a folder occupy. Files of Groonga are larger than the part that is written. */
function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).blocks * blockBytes, 0);
}
