// Compares search libraries: keystrokes in-process on one core, and nDCG@10 of judged queries in the same process.
//   VITRINE_DATA=… node bench/peers/libraries.ts [--only vitrine,lucene] [--sizes 10k,100k,1m] [--tasks exact,typo] [--runs 3] [--indexes <folder>] [--record]
// Each engine builds and saves its index in one process, and opens it in others, one for each run of a task. Figures are
// medians of the runs. The tasks are in packages/search/bench/keystrokes-typed.ts. An engine answers other keystrokes
// before the measured ones. Engines that would take too long answer an evenly spaced sample of both. The judged queries
// are those of shoppers for products-100k. --indexes reuses the indexes in a folder, whose builds are not measured again.
// --record adds rows to results.md.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { realQueries, takeEvenly, typedByTask } from "../../packages/search/bench/keystrokes-typed.ts";
import { type PreparedSet, prepareJudgedSet } from "../../packages/search/bench/relevance/judged-run.ts";
import { ndcg10 } from "../../packages/search/bench/relevance/metrics.ts";
import { judgedSets } from "../../packages/search/bench/relevance/sets.ts";
import { mean } from "../../packages/search/bench/relevance/significance.ts";
import {
  type EngineName,
  type EngineQuery,
  type EngineRun,
  engineNames,
  engineTitles,
  explainMissing,
  runEngine,
} from "../../packages/search/bench/run-engine.ts";
import { workFolder } from "../catalogs.ts";
import { type Cells, recordRows, today } from "../results.ts";
import { documentsOf, type Size, sizesOf } from "../sizes.ts";
import { percentile } from "../store.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: engineNames.join() },
    sizes: { type: "string", default: "10k,100k,1m" },
    tasks: { type: "string", default: "exact,typo" },
    runs: { type: "string", default: "3" },
    indexes: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## libraries.ts: keystrokes in-process on one core, with peers";
/** The core of the engines. The other one is left to this process and the system. */
const core = 1;
/** Number of keystrokes before the measurement, so that JIT compilers optimize the engine. */
const warmUpCounts = { exact: 48_000, typo: 16_000 } as const;
/** The same for engines without a JIT compiler, whose files must only be read once. */
const nativeWarmUpCount = 2_000;
const nativeEngines: readonly EngineName[] = ["tantivy", "tantivy-or"];
/** Engines that answer so slowly that a trial of a few keystrokes determines the size of their sample. */
const sampledEngines: readonly EngineName[] = ["flexsearch", "minisearch", "minisearch-or", "orama", "fts5"];
const trialCount = 60;
/** Milliseconds that the measured keystrokes of a run should take. The warm-up of a sample takes a fourth of it. */
const maxMs = 6_000;
const minSample = 200;
type Task = keyof typeof warmUpCounts;

/** Figures of one run of a task. */
interface TaskRun {
  readonly run: EngineRun;
  readonly times: readonly number[];
  /** Share of keystrokes with a result. */
  readonly answered: number;
  /** Mean nDCG@10 of the judged queries, for the catalog with judgments. */
  readonly ndcg: number | undefined;
}

const queries = realQueries(500);
const measured = typedByTask(queries.measuredQueries);
const warmUp = typedByTask(queries.warmUpQueries);
const judgedSet = judgedSets.find(({ name }) => name === "shoppers-mixed-report");
if (judgedSet === undefined) throw new Error("no judged queries for products-100k");
const judged = await prepareJudgedSet(judgedSet, false);

const rows: Cells[] = [];
for (const size of sizesOf(options.sizes)) {
  const documents = await documentsOf(size);
  for (const name of engineNames.filter((one) => options.only.split(",").includes(one))) {
    const missingReason = explainMissing(name);
    if (missingReason !== undefined) process.stdout.write(`${engineTitles[name]} is left out: ${missingReason}\n`);
    else
      for (const row of measureEngine(size, documents, name)) {
        rows.push([...today(), ...row]);
        process.stdout.write(`| ${row.join(" | ")} |\n`);
      }
  }
}
if (options.record) recordRows(heading, rows, new URL("../results.md", import.meta.url));

function* measureEngine(size: Size, documents: string, name: EngineName): Generator<Cells> {
  const folder =
    options.indexes === undefined
      ? mkdtempSync(join(workFolder(), `index-${name}-`))
      : join(options.indexes, `${name}-${size}`);
  const isReused = options.indexes !== undefined && existsSync(folder);
  const run = (engineQueries: readonly EngineQuery[]): EngineRun =>
    runEngine(name, { documents, locale: "en", engineQueries, folder, core });
  try {
    const opened = run([]);
    for (const task of options.tasks.split(",") as Task[]) {
      const ask = (text: string): EngineQuery => ({ task, text });
      const sample = sampledEngines.includes(name)
        ? sampleSize(run(takeEvenly(measured[task], trialCount).map(ask)))
        : Number.POSITIVE_INFINITY;
      const asks = takeEvenly(measured[task], sample).map(ask);
      const maxWarmUp = nativeEngines.includes(name) ? nativeWarmUpCount : warmUpCounts[task];
      const warmUpAsks = warmUpFor(task, Math.min(maxWarmUp, Math.ceil(sample / 4))).map(ask);
      const judgedAsks: readonly EngineQuery[] =
        size === "100k" ? judged.queries.map(({ query }) => ({ task: "whole", text: query })) : [];
      const runs: TaskRun[] = [];
      while (runs.length < Number(options.runs)) {
        const result = run([...warmUpAsks, ...asks, ...judgedAsks]);
        const answers = result.answers.slice(warmUpAsks.length, warmUpAsks.length + asks.length);
        runs.push({
          run: result,
          times: answers.map(({ ms }) => ms),
          answered: answers.filter(({ hits }) => hits.length > 0).length / answers.length,
          ndcg: judgedAsks.length === 0 ? undefined : ndcgOf(judged, result.answers.slice(-judgedAsks.length)),
        });
      }
      yield cellsOf(size, name, task, opened, isReused, runs, asks.length < measured[task].length);
    }
  } finally {
    if (options.indexes === undefined) rmSync(folder, { recursive: true });
  }
}

function sampleSize({ answers }: EngineRun): number {
  return Math.max(minSample, Math.floor(maxMs / mean(answers.map(({ ms }) => ms))));
}

function warmUpFor(task: Task, length: number): readonly string[] {
  return length <= warmUp[task].length
    ? takeEvenly(warmUp[task], length)
    : Array.from({ length }, (_, at) => warmUp[task][at % warmUp[task].length] as string);
}

function ndcgOf({ queries: judgedQueries, keys }: PreparedSet, answers: EngineRun["answers"]): number {
  return mean(
    judgedQueries.map(({ grades }, at) =>
      ndcg10(
        (answers[at]?.hits ?? []).map((number) => keys[number] ?? ""),
        grades,
      ),
    ),
  );
}

function cellsOf(
  size: Size,
  name: EngineName,
  task: Task,
  { indexBytes, buildSeconds, peakBytes }: EngineRun,
  isReused: boolean,
  runs: readonly TaskRun[],
  isSample: boolean,
): Cells {
  const median = (value: (one: TaskRun) => number): number => percentile(runs.map(value), 0.5);
  const ms = (share: number): string => median(({ times }) => percentile(times, share)).toFixed(2);
  const rate = median(({ times }) => (1_000 * times.length) / times.reduce((sum, time) => sum + time, 0));
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);
  const ndcg = runs[0]?.ndcg;
  return [
    size,
    engineTitles[name],
    task,
    `${runs[0]?.times.length}${isSample ? ", sample" : ""}${runs.length > 1 ? `, median of ${runs.length}` : ""}`,
    rate.toFixed(rate < 10 ? 1 : 0),
    `${ms(0.5)} / ${ms(0.99)} / ${ms(0.999)} ms`,
    `${(median(({ answered }) => answered) * 100).toFixed(1)} %`,
    ndcg === undefined ? "-" : ndcg.toFixed(3),
    `${mb(median(({ run }) => run.endBytes))} MB`,
    indexBytes > 0 ? `${mb(indexBytes)} MB` : "-",
    isReused ? "-" : `${buildSeconds.toFixed(1)} s, ${mb(peakBytes)} MB`,
    `${median(({ run }) => run.startSeconds).toFixed(2)} s`,
  ];
}
