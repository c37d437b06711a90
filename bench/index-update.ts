// Measures how soon a changed product is found, and whom the change delays. A server with a large catalog runs, and
// `vitrine import` changes one product at a time while shoppers type.
//   VITRINE_DATA=… node bench/index-update.ts [--products 1000000] [--changes 60] [--rate 200] [--record]
// A change is found when a search for its new word returns the product. The time is measured from the start of the
// command and from its end.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bigCatalogue } from "./catalog-1m.ts";
import { recordRows, today } from "./results.ts";
import { sendGet, startTyping, type TimedRequest } from "./simulated-users.ts";
import { watchStealTime } from "./stolen-time.ts";
import { makeStore, memoryMb, percentile, runCommand, type Server, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "1000000" },
    changes: { type: "string", default: "60" },
    rate: { type: "string", default: "200" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## index-update.ts: single changes under 200 searches a second";
/** Milliseconds between two searches for a change. */
const SAMPLE_MS = 10;
/** Milliseconds of typing before the first change, to warm up the server. */
const WARM_UP_MS = 30_000;
/** Milliseconds after which a change counts as not found. */
const GIVE_UP_MS = 60_000;

const agent = new Agent({ keepAlive: true });
const store = await makeStore();
try {
  const importResult = await runCommand(["import", "--store", store.dir, bigCatalogue(Number(options.products))]);
  const gcLog = join(store.dir, "gc.tsv");
  writeFileSync(gcLog, "");
  // The first start builds the index files, so that the second start loads them.
  const firstServer = await startServer(store.dir);
  await waitUntilStored(join(store.dir, "data", "index"));
  await stopServer(firstServer.child);
  const server = await startServer(store.dir, gcLog);
  const stealWatch = watchStealTime();
  const {
    startTime: firstChangeAt,
    changes,
    times,
    memory,
  } = await measure(server, Number(options.changes)).finally(() => stopServer(server.child));
  const stolenPeriods = stealWatch.stop().filter(({ startTime }) => startTime >= firstChangeAt);
  const gcPauses = readPauses(gcLog).filter(({ startTime }) => startTime >= firstChangeAt);
  const undisturbed = times.filter(
    (keystroke) => ![...gcPauses, ...stolenPeriods].some((period) => isOverlapping(keystroke, period)),
  );
  const ms = (keystrokes: readonly TimedRequest[]): readonly number[] => keystrokes.map((keystroke) => keystroke.ms);
  const row = [
    ...today(),
    options.products,
    `${importResult.seconds.toFixed(1)} s`,
    `${firstServer.seconds.toFixed(1)} / ${server.seconds.toFixed(1)} s`,
    `${memory} MB`,
    `${changes.length}`,
    figures(
      changes.map(({ fromStart }) => fromStart),
      [0.5, 1],
    ),
    figures(
      changes.map(({ fromEnd }) => fromEnd),
      [0.5, 1],
    ),
    `${times.length}: ${figures(ms(times), [0.5, 0.99, 0.999, 1])}`,
    `${gcPauses.length}: ${figures(ms(gcPauses), [0.5, 0.99, 1])}`,
    `${stolenPeriods.length}: ${figures(ms(stolenPeriods), [0.5, 1])}`,
    `${undisturbed.length}: ${figures(ms(undisturbed), [0.99, 0.999, 1])}`,
  ];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, [row]);
} finally {
  agent.destroy();
  await store.remove();
}

/** Waits until the complete index is on disk. */
async function waitUntilStored(dir: string): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  while (!readdirSync(dir).some((name) => name.endsWith(".index"))) {
    if (performance.now() > end) throw new Error(`no index was kept in ${dir} within a minute`);
    await sleep(SAMPLE_MS);
  }
}

interface Change {
  readonly fromStart: number;
  readonly fromEnd: number;
}

interface Measurement {
  /** Time of the first change, in milliseconds since 1970. */
  readonly startTime: number;
  readonly changes: readonly Change[];
  /** Keystrokes since the first change. */
  readonly times: readonly TimedRequest[];
  /** Memory in MB after the last change. */
  readonly memory: number;
}

async function measure({ origin, child }: Server, changes: number): Promise<Measurement> {
  const files = Array.from({ length: changes }, (_, change) => writeChange(change));
  const shoppers = startTyping(origin, Number(options.rate));
  await sleep(WARM_UP_MS);
  const firstChangeAt = performance.timeOrigin + performance.now();
  const foundChanges: Change[] = [];
  for (const file of files) foundChanges.push(await importChange(origin, file));
  const times = await shoppers.stop();
  return {
    startTime: firstChangeAt,
    changes: foundChanges,
    times: times.filter(({ startTime }) => startTime >= firstChangeAt),
    memory: await memoryMb(child.pid ?? 0),
  };
}

interface ChangeFile {
  readonly path: string;
  /** Word that no other product has. */
  readonly word: string;
  readonly title: string;
}

/** Writes a row that adds a new word to one product. */
function writeChange(change: number): ChangeFile {
  const word = `changed${"abcdefghij"[change % 10]}${"klmnopqrst"[Math.floor(change / 10) % 10]}xyq`;
  const path = join(store.dir, `change-${change}.jsonl`);
  const title = `Umbrella ${word}`;
  const product = { kind: "product", handle: `p-${change * 7}`, title, variants: [{ price: 100 }] };
  writeFileSync(path, `${JSON.stringify(product)}\n`);
  return { path, word, title };
}

/** Imports a change and searches for its word.  @returns milliseconds until the search finds the product */
async function importChange(origin: string, { path, word, title }: ChangeFile): Promise<Change> {
  const start = performance.now();
  let end = Number.NaN;
  const command = runCommand(["import", "--store", store.dir, path]).then(() => (end = performance.now()));
  while (performance.now() - start < GIVE_UP_MS) {
    const { body } = await sendGet(`${origin}/search/suggest.json?type=product&q=${word}`, agent);
    if (body.includes(`"${title}"`)) {
      const foundAt = performance.now();
      await command;
      // A product that is found before the command ends counts as found immediately.
      return { fromStart: foundAt - start, fromEnd: Math.max(0, foundAt - end) };
    }
    await sleep(SAMPLE_MS);
  }
  throw new Error(`${title} was not found within a minute`);
}

function readPauses(file: string): readonly TimedRequest[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => line.split("\t").map(Number)).map(([startTime = 0, ms = 0]) => ({ startTime, ms }));
}

function isOverlapping(left: TimedRequest, right: TimedRequest): boolean {
  return left.startTime < right.startTime + right.ms && right.startTime < left.startTime + left.ms;
}

function figures(values: readonly number[], shares: readonly number[]): string {
  if (values.length === 0) return "-";
  return `${shares.map((share) => percentile(values, share).toFixed(1)).join(" / ")} ms`;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
