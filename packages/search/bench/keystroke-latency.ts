// Measures the time of a keystroke in Vitrine's search engine: every keystroke of 500 real queries, top 10 products, one
// thread. Also measures the build time and the memory of the index. bench/peers/libraries.ts compares other engines.
//   VITRINE_DATA=… node packages/search/bench/keystroke-latency.ts [--sizes 10k,100k,1m] [--queries 500] [--runs 3] [--record]
// The catalog sizes are in sizes.ts, and the tasks in keystrokes-typed.ts. Each run of a task has a separate process,
// which builds the index. For 10m, use bench/peers/libraries.ts --only vitrine, which builds it once. The fastest run
// counts, because other load on the machine can only increase the time. Before the measurement, the engine answers
// keystrokes of other queries, so that no measured query is cached. --record adds rows to results.md.
import { parseArgs } from "node:util";
import { type Cells, recordRows, today } from "../../../bench/results.ts";
import { documentsOf, type Size, sizesOf } from "../../../bench/sizes.ts";
import { percentile } from "../../../bench/store.ts";
import { realQueries, type Task, tasks, typedByTask } from "./keystrokes-typed.ts";
import { type EngineQuery, type EngineRun, runEngine } from "./run-engine.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "10k,100k,1m" },
    queries: { type: "string", default: "500" },
    runs: { type: "string", default: "1" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## keystroke-latency.ts: keystrokes of 500 queries in Vitrine's engine, one thread";
/** Number of keystrokes before the measurement, so that the JIT compiler optimizes the engine. */
const warmUpCount = 48_000;

interface Figures {
  readonly run: EngineRun;
  readonly times: readonly number[];
}

const { measuredQueries, warmUpQueries } = realQueries(Number(options.queries));
const keystrokesByTask = typedByTask(measuredQueries);
const warmUpKeystrokes = typedByTask(warmUpQueries);

const rows: Cells[] = [];
for (const size of sizesOf(options.sizes)) {
  const documents = await documentsOf(size);
  for (const task of tasks) {
    const runs = Array.from({ length: Number(options.runs) }, () => measure(documents, task));
    const best = runs.reduce((one, other) => (rateOf(other.times) > rateOf(one.times) ? other : one));
    rows.push(row(size, task, best));
    process.stdout.write(`| ${rows.at(-1)?.join(" | ")} |\n`);
  }
}
if (options.record) recordRows(heading, rows, new URL("./results.md", import.meta.url));

/** Runs a task in a separate process, because the engine may cache results of keystrokes that the tasks share. */
function measure(documents: string, task: Task): Figures {
  const ask = (text: string): EngineQuery => ({ task: task === "exact" ? "exact" : "typo", text });
  const others = warmUpKeystrokes[task];
  const warmUp = Array.from({ length: warmUpCount }, (_, at) => ask(others[at % others.length] as string));
  const run = runEngine("vitrine", {
    documents,
    locale: "en",
    engineQueries: [...warmUp, ...keystrokesByTask[task].map(ask)],
  });
  return { run, times: run.answers.slice(warmUp.length).map(({ ms }) => ms) };
}

function rateOf(times: readonly number[]): number {
  return (1_000 * times.length) / times.reduce((sum, ms) => sum + ms, 0);
}

function row(size: Size, task: Task, { run, times }: Figures): Cells {
  const ms = (share: number): string => percentile(times, share).toFixed(2);
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);
  return [
    ...today(),
    size,
    task,
    [times.length, ...(options.runs === "1" ? [] : [`best of ${options.runs}`])].join(", "),
    rateOf(times).toFixed(0),
    `${ms(0.5)} / ${ms(0.99)} / ${ms(0.999)} ms`,
    `${run.buildSeconds.toFixed(1)} s`,
    `${mb(run.residentBytes)} / ${mb(run.peakBytes)} / ${mb(run.liveBytes)} MB`,
    `${mb(run.indexBytes)} MB`,
  ];
}
