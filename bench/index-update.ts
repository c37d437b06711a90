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
import { ask, type Timed, typeAway } from "./simulated-users.ts";
import { watchStolen } from "./stolen-time.ts";
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
const WARM_MS = 30_000;
/** Milliseconds after which a change counts as not found. */
const GIVE_UP_MS = 60_000;

const agent = new Agent({ keepAlive: true });
const store = await makeStore();
try {
  const imported = await runCommand(["import", "--store", store.dir, bigCatalogue(Number(options.products))]);
  const gcLog = join(store.dir, "gc.tsv");
  writeFileSync(gcLog, "");
  // The first start builds the index files, so that the second start loads them.
  const first = await startServer(store.dir);
  await untilStored(join(store.dir, "data", "index"));
  await stopServer(first.child);
  const server = await startServer(store.dir, gcLog);
  const stealing = watchStolen();
  const { from, found, times, memory } = await measure(server, Number(options.changes)).finally(() =>
    stopServer(server.child),
  );
  const stolen = stealing.stop().filter(({ due }) => due >= from);
  const pauses = readPauses(gcLog).filter(({ due }) => due >= from);
  const free = times.filter((one) => ![...pauses, ...stolen].some((other) => overlap(one, other)));
  const ms = (timed: readonly Timed[]): readonly number[] => timed.map((one) => one.ms);
  const row = [
    ...today(),
    options.products,
    `${imported.seconds.toFixed(1)} s`,
    `${first.seconds.toFixed(1)} / ${server.seconds.toFixed(1)} s`,
    `${memory} MB`,
    `${found.length}`,
    figures(
      found.map(({ fromStart }) => fromStart),
      [0.5, 1],
    ),
    figures(
      found.map(({ fromEnd }) => fromEnd),
      [0.5, 1],
    ),
    `${times.length}: ${figures(ms(times), [0.5, 0.99, 0.999, 1])}`,
    `${pauses.length}: ${figures(ms(pauses), [0.5, 0.99, 1])}`,
    `${stolen.length}: ${figures(ms(stolen), [0.5, 1])}`,
    `${free.length}: ${figures(ms(free), [0.99, 0.999, 1])}`,
  ];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, [row]);
} finally {
  agent.destroy();
  await store.remove();
}

/** Waits until the complete index is on disk. */
async function untilStored(dir: string): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  while (!readdirSync(dir).some((name) => name.endsWith(".index"))) {
    if (performance.now() > end) throw new Error(`no index was kept in ${dir} within a minute`);
    await pause(SAMPLE_MS);
  }
}

interface Change {
  readonly fromStart: number;
  readonly fromEnd: number;
}

interface Measured {
  /** Time of the first change, in milliseconds since 1970. */
  readonly from: number;
  readonly found: readonly Change[];
  /** Keystrokes since the first change. */
  readonly times: readonly Timed[];
  /** Memory in MB after the last change. */
  readonly memory: number;
}

async function measure({ origin, child }: Server, changes: number): Promise<Measured> {
  const files = Array.from({ length: changes }, (_, change) => writeChange(change));
  const typing = typeAway(origin, Number(options.rate));
  await pause(WARM_MS);
  const from = performance.timeOrigin + performance.now();
  const found: Change[] = [];
  for (const file of files) found.push(await changeOne(origin, file));
  const times = await typing.stop();
  return { from, found, times: times.filter(({ due }) => due >= from), memory: await memoryMb(child.pid ?? 0) };
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
async function changeOne(origin: string, { path, word, title }: ChangeFile): Promise<Change> {
  const start = performance.now();
  let end = Number.NaN;
  const command = runCommand(["import", "--store", store.dir, path]).then(() => (end = performance.now()));
  while (performance.now() - start < GIVE_UP_MS) {
    const { body } = await ask(`${origin}/search/suggest.json?type=product&q=${word}`, agent);
    if (body.includes(`"${title}"`)) {
      const at = performance.now();
      await command;
      // A product that is found before the command ends counts as found immediately.
      return { fromStart: at - start, fromEnd: Math.max(0, at - end) };
    }
    await pause(SAMPLE_MS);
  }
  throw new Error(`${title} was not found within a minute`);
}

function readPauses(file: string): readonly Timed[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => line.split("\t").map(Number)).map(([due = 0, ms = 0]) => ({ due, ms }));
}

function overlap(one: Timed, other: Timed): boolean {
  return one.due < other.due + other.ms && other.due < one.due + one.ms;
}

function figures(values: readonly number[], shares: readonly number[]): string {
  if (values.length === 0) return "-";
  return `${shares.map((share) => percentile(values, share).toFixed(1)).join(" / ")} ms`;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
