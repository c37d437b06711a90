// How long does the engine think about a letter? Every keystroke of 500 real queries, top 10 of products, one thread, in-process, each
// engine in a process of its own; with how long the index takes to build and what it holds in memory.
//   VITRINE_DATA=… node packages/search/bench/keystroke-latency.ts [--only vitrine,lucene] [--sizes 10k,100k,1m] [--queries 500] [--runs 3] [--index FILE] [--record]
// Sizes are in sizes.ts, tasks in keystrokes-typed.ts; `shop` is asked of Vitrine alone. 10m is for Vitrine alone too, and best read from the index
// that a server has kept of the same catalogue (--index store/data/index/….index): what it takes to build is then what it takes to read.
// Of several runs of a task, each in a process of its own, the one with the best rate counts: a shared machine only ever takes time away.
// Before it is measured, an engine answers keystrokes of other queries; none is asked before that is measured. --record adds rows to results.md.
import { parseArgs } from "node:util";
import { type Cells, recordRows, today } from "../../../bench/results.ts";
import { documentsOf, type Size, sizesOf } from "../../../bench/sizes.ts";
import { percentile } from "../../../bench/store.ts";
import { realQueries, type Task, thin, typedByTask } from "./keystrokes-typed.ts";
import {
  type Ask,
  type EngineName,
  type EngineRun,
  engineTitles,
  missing,
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
/** Keystrokes to warm up an engine: some seconds of a fast one, as its compiler needs; fewer for slow ones. */
const warmUp = 48_000;
/** Keystrokes for slow engines: an even sample is measured; they warm up with a tenth as many. */
const samples: { readonly [name in EngineName]?: { readonly [size in Size]?: number } } = {
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

const { measured, others } = realQueries(Number(options.queries));
const typed = typedByTask(measured);
const warming = typedByTask(others);

const rows: Cells[] = [];
for (const size of sizesOf(options.sizes)) {
  const documents = options.index ?? (await documentsOf(size));
  const all: Figures[] = [];
  for (const name of typingEngines.filter((one) => options.only.split(",").includes(one))) {
    const why = missing(name);
    if (why !== undefined) process.stdout.write(`${engineTitles[name]} is left out: ${why}\n`);
    else
      for (const tasks of tasksOf(name))
        for (const figures of bestOf(runsOf(name, size), () => [...measure(size, documents, name, tasks)])) {
          all.push(figures);
          process.stdout.write(`${row(figures, undefined).join(" | ")}\n`);
        }
  }
  const compared = all.map((figures) => row(figures, bestPeer(all, figures)));
  rows.push(...compared);
  process.stdout.write(`\n${compared.map((cells) => `| ${cells.join(" | ")} |\n`).join("")}\n`);
}
if (options.record) recordRows(heading, rows, new URL("./results.md", import.meta.url));

/** Tasks of one process. Ours gets one for each, as the tasks share keystrokes and it may remember answers; peers build once. */
function tasksOf(name: EngineName): readonly (readonly Task[])[] {
  return name === "vitrine" ? [["exact"], ["shop"], ["typo"]] : [["exact", "typo"]];
}

/** Engines that take long run once. */
function runsOf(name: EngineName, size: Size): number {
  return samples[name]?.[size] === undefined ? Number(options.runs) : 1;
}

/** The run with the best rate, by task. */
function bestOf(runs: number, run: () => readonly Figures[]): readonly Figures[] {
  let best = run();
  for (let again = 1; again < runs; again += 1) {
    const next = run();
    best = best.map((one, task) => {
      const other = next[task] as Figures;
      return rate(other.times) > rate(one.times) ? other : one;
    });
  }
  return best;
}

function* measure(size: Size, documents: string, name: EngineName, tasks: readonly Task[]): Generator<Figures> {
  const sample = samples[name]?.[size];
  const lists = tasks.map((task) => {
    const ask = (text: string): Ask => ({ task: task === "exact" ? "exact" : "typo", text });
    const warm = warmingOf(task, sample).map(ask);
    const asked = (sample === undefined ? typed[task] : thin(typed[task], sample)).map(ask);
    return { task, warm, asked };
  });
  const asks = lists.flatMap(({ warm, asked }) => [...warm, ...asked]);
  const run = runEngine(name, { documents, locale: "en", asks });
  let from = 0;
  for (const { task, warm, asked } of lists) {
    from += warm.length;
    const times = run.answers.slice(from, from + asked.length).map(({ ms }) => ms);
    from += asked.length;
    yield { size, name, task, run, times, isSample: sample !== undefined };
  }
}

function warmingOf(task: Task, sample: number | undefined): readonly string[] {
  const all = warming[task];
  if (sample !== undefined) return thin(all, sample / 10);
  return Array.from({ length: warmUp }, (_, at) => all[at % all.length] as string);
}

function rate(times: readonly number[]): number {
  return (1_000 * times.length) / times.reduce((sum, ms) => sum + ms, 0);
}

/** The best peers at the same task (`shop` is compared with `exact`): by rate and by p99, which may be two. */
function bestPeer(all: readonly Figures[], { name, task }: Figures): { rate: number; p99: number } | undefined {
  const peers = all.filter((one) => one.name !== "vitrine" && one.task === (task === "shop" ? "exact" : task));
  if (name !== "vitrine" || peers.length === 0) return undefined;
  return {
    rate: Math.max(...peers.map(({ times }) => rate(times))),
    p99: Math.min(...peers.map(({ times }) => percentile(times, 0.99))),
  };
}

function row(
  { size, name, task, run, times, isSample }: Figures,
  best: { rate: number; p99: number } | undefined,
): Cells {
  const ms = (share: number): string => percentile(times, share).toFixed(2);
  const mb = (bytes: number): string => (bytes === 0 ? "-" : (bytes / 1e6).toFixed(0));
  const ratio =
    best === undefined
      ? "-"
      : `${(rate(times) / best.rate).toFixed(1)} × q/s, p99 ÷ ${(best.p99 / percentile(times, 0.99)).toFixed(1)}`;
  return [
    ...today(),
    size,
    engineTitles[name],
    task,
    [times.length, ...(isSample ? ["sample"] : options.runs === "1" ? [] : [`best of ${options.runs}`])].join(", "),
    rate(times).toFixed(rate(times) < 10 ? 1 : 0),
    `${ms(0.5)} / ${ms(0.99)} / ${ms(0.999)} ms`,
    ratio,
    `${run.buildSeconds.toFixed(1)} s`,
    `${mb(run.residentBytes)} / ${mb(run.peakBytes)} / ${mb(run.liveBytes)} MB`,
    `${mb(run.indexBytes)} MB`,
  ];
}
