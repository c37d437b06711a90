// Compares the speed of keystrokes between this checkout and another one. Both engines run in one process and get the
// same keystrokes alternately, so that other load affects both equally.
//   VITRINE_DATA=… node packages/search/bench/keystroke-pairs.ts --against <folder of another checkout> [--sizes 100k,1m]
//     [--tasks exact,shop,typo,completions,suggest]
//     [--queries 500] [--rounds 5] [--record]
// The keystrokes are those of keystroke-latency.ts. The task `completions` requests ten completions for each keystroke.
// The task `suggest` searches like the shop and then requests completions, as `/search/suggest.json` does. The
// keystrokes are divided into blocks of ten queries. Each engine answers a block before the next block begins, and the
// order of the engines alternates. Between two rounds, each engine answers other queries to evict cached results. Rates
// are keystrokes per second of processor time, including garbage collection. p50 and p99 are wall-clock times of the
// fastest round. --record adds rows to results.md.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Cells, recordRows, today } from "../../../bench/results.ts";
import { documentsOf, sizesOf } from "../../../bench/sizes.ts";
import { percentile } from "../../../bench/store.ts";
import { openVitrineIndex, productType } from "./engines/vitrine-index.ts";
import { misspell, prefixesOf, realQueries, tasks as searchTasks } from "./keystrokes-typed.ts";

const heading = "## keystroke-pairs.ts: keystrokes of two versions in one process, in turns";
const tasks = [...searchTasks, "completions", "suggest"] as const;
type Task = (typeof tasks)[number];
const { values: options } = parseArgs({
  options: {
    against: { type: "string" },
    sizes: { type: "string", default: "100k,1m" },
    tasks: { type: "string", default: tasks.join() },
    queries: { type: "string", default: "500" },
    rounds: { type: "string", default: "5" },
    record: { type: "boolean", default: false },
  },
});
if (options.against === undefined) throw new Error("--against names the folder of another checkout");
const otherCheckout = resolve(options.against);
const queriesPerBlock = 10;
/** Number of warm-up rounds with other queries before the first measured round. */
const warmUpRounds = 6;

type OpenIndex = typeof openVitrineIndex;
/** An opened index. `reopen` is optional, because older checkouts do not have it. */
type OpenedIndex = Pick<Awaited<ReturnType<OpenIndex>>, "index"> &
  Partial<Pick<Awaited<ReturnType<OpenIndex>>, "reopen">>;

/** Measured times of one engine. */
class Times {
  /** Processor time of each block of queries in microseconds, over all rounds. */
  readonly blocks: number[] = [];
  /** Wall-clock time of each keystroke in milliseconds, by round. */
  readonly rounds: number[][] = [];
  readonly #opened: OpenedIndex;
  #index: OpenedIndex["index"];

  constructor(openedIndex: OpenedIndex) {
    this.#opened = openedIndex;
    this.#index = openedIndex.index;
  }

  /** Starts a round with empty completion caches. */
  begin(): void {
    this.#index = this.#opened.reopen?.() ?? this.#index;
  }

  ask(task: Task, text: string): void {
    const limits = new Map([[productType, 10]]);
    if (task !== "completions")
      this.#index.search({ text, locale: "en", limits, typos: task !== "exact", unavailable: "last" });
    if (task === "completions" || task === "suggest") this.#index.complete(text, "en", 10);
  }

  answer(task: Task, block: readonly string[]): void {
    const times = this.rounds.at(-1) as number[];
    const cpuBefore = process.cpuUsage();
    for (const text of block) {
      const start = performance.now();
      this.ask(task, text);
      times.push(performance.now() - start);
    }
    const { user, system } = process.cpuUsage(cpuBefore);
    this.blocks.push(user + system);
  }

  /**
   * Returns a percentile of the keystroke times in the fastest round, in milliseconds.
   * @param share percentile from 0 to 1
   */
  ms(share: number): number {
    const fastestRound = [...this.rounds].sort((one, another) => sum(one) - sum(another))[0] ?? [];
    return percentile(fastestRound, share);
  }
}

const rows: Cells[] = [];
// Checkouts older than the search package have the engine in the folder `bench`.
const engine = ["packages/search/bench", "bench"]
  .map((folder) => `${otherCheckout}/${folder}/engines/vitrine-index.ts`)
  .find((file) => existsSync(file));
if (engine === undefined) throw new Error(`${otherCheckout} has no search engine`);
const openOtherIndex = (await import(pathToFileURL(engine).href)).openVitrineIndex as OpenIndex;
for (const size of sizesOf(options.sizes)) {
  const documents = await documentsOf(size);
  const indexes = [await openVitrineIndex(documents, "en"), await openOtherIndex(documents, "en")];
  for (const task of tasks.filter((one) => options.tasks.split(",").includes(one))) {
    const engines = indexes.map((openedIndex) => new Times(openedIndex)) as [Times, Times];
    measure(task, engines);
    const [currentTimes, otherTimes] = engines;
    const ratios = currentTimes.blocks.map(
      (microseconds, block) => (otherTimes.blocks[block] as number) / microseconds,
    );
    const asked = currentTimes.rounds.reduce((count, times) => count + times.length, 0);
    const rate = ({ blocks }: Times) => ((1e6 * asked) / sum(blocks)).toFixed(0);
    const ms = (times: Times) => `${times.ms(0.5).toFixed(3)} / ${times.ms(0.99).toFixed(2)} ms`;
    const row = [
      ...today(),
      commitOf(otherCheckout),
      size,
      task,
      `${currentTimes.rounds[0]?.length} × ${currentTimes.rounds.length}`,
      `${rate(currentTimes)} / ${rate(otherTimes)}`,
      (sum(otherTimes.blocks) / sum(currentTimes.blocks)).toFixed(2),
      [0.25, 0.5, 0.75].map((share) => percentile(ratios, share).toFixed(2)).join(" / "),
      ms(currentTimes),
      ms(otherTimes),
    ];
    process.stdout.write(`| ${row.join(" | ")} |\n`);
    rows.push(row);
  }
}
if (options.record) recordRows(heading, rows, new URL("./results.md", import.meta.url));

function measure(task: Task, engines: readonly [Times, Times]): void {
  const { measuredQueries, warmUpQueries } = realQueries(Number(options.queries));
  const typed = (queries: readonly string[]) => (task === "typo" ? misspell(queries) : queries);
  const warmUpKeystrokes = typed(warmUpQueries).flatMap(prefixesOf);
  const [asked, blocks] = [typed(measuredQueries), [] as string[][]];
  for (let from = 0; from < asked.length; from += queriesPerBlock)
    blocks.push(asked.slice(from, from + queriesPerBlock).flatMap(prefixesOf));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const engine of engines) engine.begin();
    for (let warmUpRound = round === 0 ? warmUpRounds : 1; warmUpRound > 0; warmUpRound -= 1)
      for (const text of warmUpKeystrokes) for (const engine of engines) engine.ask(task, text);
    for (const engine of engines) engine.rounds.push([]);
    blocks.forEach((block, at) => {
      const orderedEngines = (at + round) % 2 === 0 ? engines : [...engines].reverse();
      for (const engine of orderedEngines) engine.answer(task, block);
    });
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function commitOf(folder: string): string {
  return execFileSync("git", ["-C", folder, "rev-parse", "--short", "HEAD"]).toString().trim();
}
