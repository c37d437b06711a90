// Measures the time of a keystroke in several search engines: every keystroke of 500 real queries, top 10 products, one
// thread, a separate process for each engine. Also measures the build time and the memory of the index.
//   VITRINE_DATA=… node packages/search/bench/keystroke-latency.ts [--only vitrine,lucene] [--sizes 10k,100k,1m] [--queries 500] [--runs 3] [--index FILE] [--record]
// The catalog sizes are in sizes.ts, and the tasks in keystrokes-typed.ts. Only Vitrine runs the task `shop` and the
// size 10m. For 10m, pass the index file that a server saved for the same catalog (--index store/data/index/….index).
// The build time is then the time to load the file. Each run of a task has a separate process. The fastest run counts,
// because other load on the machine can only increase the time. Before the measurement, an engine answers keystrokes of
// other queries, so that no measured query is cached. --record adds rows to results.md.
import { parseArgs } from "node:util";
import { type Cells, recordRows, today } from "../../../bench/results.ts";
import { documentsOf, type Size, sizesOf } from "../../../bench/sizes.ts";
import { percentile } from "../../../bench/store.ts";
import { realQueries, type Task, takeEvenly, typedByTask } from "./keystrokes-typed.ts";
import {
  type EngineName,
  type EngineQuery,
  type EngineRun,
  engineTitles,
  explainMissing,
  runEngine,
  typingEngines,
} from "./run-engine.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: typingEngines.join() },
    sizes: { type: "string", default: "10k,100k,1m" },
    queries: { type: "string", default: "500" },
    runs: { type: "string", default: "1" },
    index: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## keystroke-latency.ts: keystrokes of 500 queries in-process, one thread";
/**
 * Number of keystrokes before the measurement, so that the JIT compiler optimizes the engine. Slow engines get fewer
 * keystrokes.
 */
const warmUpCount = 48_000;
/** Number of measured keystrokes for slow engines, evenly spaced among all keystrokes. */
const sampleSizes: { readonly [name in EngineName]?: { readonly [size in Size]?: number } } = {
  flexsearch: { "100k": 4_000, "1m": 2_000 },
  minisearch: { "10k": 4_000, "100k": 1_000, "1m": 300 },
};

interface Figures {
  readonly size: Size;
  readonly name: EngineName;
  readonly task: Task;
  readonly run: EngineRun;
  readonly times: readonly number[];
  readonly isSample: boolean;
}

const { measuredQueries, warmUpQueries } = realQueries(Number(options.queries));
const keystrokesByTask = typedByTask(measuredQueries);
const warmUpKeystrokes = typedByTask(warmUpQueries);

const rows: Cells[] = [];
for (const size of sizesOf(options.sizes)) {
  const documents = options.index ?? (await documentsOf(size));
  const allFigures: Figures[] = [];
  for (const name of typingEngines.filter((one) => options.only.split(",").includes(one))) {
    const missingReason = explainMissing(name);
    if (missingReason !== undefined) process.stdout.write(`${engineTitles[name]} is left out: ${missingReason}\n`);
    else
      for (const tasks of tasksOf(name))
        for (const figures of bestOf(runsOf(name, size), () => [...measure(size, documents, name, tasks)])) {
          allFigures.push(figures);
          process.stdout.write(`${row(figures, undefined).join(" | ")}\n`);
        }
  }
  const comparedRows = allFigures.map((figures) => row(figures, bestPeer(allFigures, figures)));
  rows.push(...comparedRows);
  process.stdout.write(`\n${comparedRows.map((cells) => `| ${cells.join(" | ")} |\n`).join("")}\n`);
}
if (options.record) recordRows(heading, rows, new URL("./results.md", import.meta.url));

/**
 * Returns the tasks of each process. Vitrine runs each task in a separate process, because it may cache results of
 * keystrokes that the tasks share. The other engines run all tasks in one process, because they build their indexes
 * slowly.
 */
function tasksOf(name: EngineName): readonly (readonly Task[])[] {
  return name === "vitrine" ? [["exact"], ["shop"], ["typo"]] : [["exact", "typo"]];
}

/** Returns the number of runs, which is 1 for slow engines. */
function runsOf(name: EngineName, size: Size): number {
  return sampleSizes[name]?.[size] === undefined ? Number(options.runs) : 1;
}

/** Returns the run with the most keystrokes per second for each task. */
function bestOf(runs: number, run: () => readonly Figures[]): readonly Figures[] {
  let bestFigures = run();
  for (let runNumber = 1; runNumber < runs; runNumber += 1) {
    const figures = run();
    bestFigures = bestFigures.map((one, task) => {
      const otherFigures = figures[task] as Figures;
      return rateOf(otherFigures.times) > rateOf(one.times) ? otherFigures : one;
    });
  }
  return bestFigures;
}

function* measure(size: Size, documents: string, name: EngineName, tasks: readonly Task[]): Generator<Figures> {
  const sample = sampleSizes[name]?.[size];
  const lists = tasks.map((task) => {
    const ask = (text: string): EngineQuery => ({ task: task === "exact" ? "exact" : "typo", text });
    const warmUpAsks = warmUpFor(task, sample).map(ask);
    const measuredAsks = (
      sample === undefined ? keystrokesByTask[task] : takeEvenly(keystrokesByTask[task], sample)
    ).map(ask);
    return { task, warm: warmUpAsks, asked: measuredAsks };
  });
  const asks = lists.flatMap(({ warm: warmUpAsks, asked: measuredAsks }) => [...warmUpAsks, ...measuredAsks]);
  const run = runEngine(name, { documents, locale: "en", engineQueries: asks });
  let from = 0;
  for (const { task, warm: warmUpAsks, asked: measuredAsks } of lists) {
    from += warmUpAsks.length;
    const times = run.answers.slice(from, from + measuredAsks.length).map(({ ms }) => ms);
    from += measuredAsks.length;
    yield { size, name, task, run, times, isSample: sample !== undefined };
  }
}

function warmUpFor(task: Task, sample: number | undefined): readonly string[] {
  const allFigures = warmUpKeystrokes[task];
  if (sample !== undefined) return takeEvenly(allFigures, sample / 10);
  return Array.from({ length: warmUpCount }, (_, at) => allFigures[at % allFigures.length] as string);
}

function rateOf(times: readonly number[]): number {
  return (1_000 * times.length) / times.reduce((sum, ms) => sum + ms, 0);
}

/**
 * Returns the best rate, in keystrokes per second, and the best p99 latency of the other engines for the same task. The
 * two may come from different engines. The task `shop` is compared with `exact`.
 */
function bestPeer(
  allFigures: readonly Figures[],
  { name, task }: Figures,
): { rateOf: number; p99: number } | undefined {
  const peers = allFigures.filter((one) => one.name !== "vitrine" && one.task === (task === "shop" ? "exact" : task));
  if (name !== "vitrine" || peers.length === 0) return undefined;
  return {
    rateOf: Math.max(...peers.map(({ times }) => rateOf(times))),
    p99: Math.min(...peers.map(({ times }) => percentile(times, 0.99))),
  };
}

function row(
  { size, name, task, run, times, isSample }: Figures,
  best: { rateOf: number; p99: number } | undefined,
): Cells {
  const ms = (share: number): string => percentile(times, share).toFixed(2);
  const mb = (bytes: number): string => (bytes === 0 ? "-" : (bytes / 1e6).toFixed(0));
  const ratio =
    best === undefined
      ? "-"
      : `${(rateOf(times) / best.rateOf).toFixed(1)} × q/s, p99 ÷ ${(best.p99 / percentile(times, 0.99)).toFixed(1)}`;
  return [
    ...today(),
    size,
    engineTitles[name],
    task,
    [times.length, ...(isSample ? ["sample"] : options.runs === "1" ? [] : [`best of ${options.runs}`])].join(", "),
    rateOf(times).toFixed(rateOf(times) < 10 ? 1 : 0),
    `${ms(0.5)} / ${ms(0.99)} / ${ms(0.999)} ms`,
    ratio,
    `${run.buildSeconds.toFixed(1)} s`,
    `${mb(run.residentBytes)} / ${mb(run.peakBytes)} / ${mb(run.liveBytes)} MB`,
    `${mb(run.indexBytes)} MB`,
  ];
}
