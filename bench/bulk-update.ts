// Measures how soon thousands of changed products are found, and whom the change delays. A server with a large catalog
// runs, and `vitrine import` changes an increasing number of rows while shoppers type.
//   VITRINE_DATA=… node bench/bulk-update.ts [--products 1000000] [--rows 1000,10000,100000] [--rate 100] [--store DIR] [--record]
// Each changed row gets a new word. The change is found when a search for the word returns a product. The time starts
// with the command. --store reuses a store that already has the catalog.
import { createWriteStream } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { parseArgs } from "node:util";
import { readLines } from "../src/import/formats/lines.ts";
import { bigCatalogue } from "./catalog-1m.ts";
import { type Cells, recordRows, today } from "./results.ts";
import { sendGet, startTyping, type TimedRequest } from "./simulated-users.ts";
import {
  type BenchStore,
  makeStore,
  memoryMb,
  percentile,
  runCommand,
  type Server,
  startServer,
  stopServer,
} from "./store.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "1000000" },
    rows: { type: "string", default: "1000,10000,100000" },
    rate: { type: "string", default: "100" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## bulk-update.ts: thousands of changes under searches";
const SAMPLE_MS = 20;
/** Milliseconds for which shoppers type before the first change. */
const WARM_UP_MS = 20_000;
/** Milliseconds for which shoppers type after a change is found, while layers are merged in the background. */
const AFTER_MS = 15_000;
const GIVE_UP_MS = 600_000;

const agent = new Agent({ keepAlive: true });
const catalogue = bigCatalogue(Number(options.products));
const store: BenchStore = options.store === undefined ? await makeStore() : { dir: options.store, async remove() {} };
try {
  if (options.store === undefined) await runCommand(["import", "--store", store.dir, catalogue]);
  const server = await startServer(store.dir);
  try {
    await sleep(WARM_UP_MS);
    const rows: Cells[] = [];
    for (const count of options.rows.split(",").map(Number)) {
      const row = await measureChange(server, count);
      process.stdout.write(`| ${row.join(" | ")} |\n`);
      rows.push(row);
    }
    if (options.record) recordRows(heading, rows);
  } finally {
    await stopServer(server.child);
  }
} finally {
  agent.destroy();
  await store.remove();
}

/** Changes a number of products and waits until the change is found. */
async function measureChange({ origin, child }: Server, count: number): Promise<Cells> {
  const word = `changed${toLetters(count)}${toLetters(Date.now() % 100_000)}xyq`;
  const file = await writeChange(count, word);
  const initialMemory = await memoryMb(child.pid ?? 0);
  let peak = initialMemory;
  const watch = setInterval(() => void memoryMb(child.pid ?? 0).then((mb) => (peak = Math.max(peak, mb))), 100);
  const shoppers = startTyping(origin, Number(options.rate), true);
  await sleep(WARM_UP_MS);
  const start = performance.now();
  const from = performance.timeOrigin + start;
  const command = runCommand(["import", "--store", store.dir, file]);
  await waitUntilFound(origin, word);
  const foundMs = performance.now() - start;
  const { seconds } = await command;
  await sleep(AFTER_MS);
  clearInterval(watch);
  const times = await shoppers.stop();
  const timesBefore = times.filter(({ startTime }) => startTime < from && startTime > from - WARM_UP_MS / 2);
  const timesDuring = times.filter(({ startTime }) => startTime >= from);
  const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  return [
    ...today(),
    options.products,
    `${count}`,
    `${seconds.toFixed(1)} s`,
    formatSeconds(foundMs),
    figures(timesBefore),
    figures(timesDuring),
    `${initialMemory} / ${peak} / ${await memoryMb(child.pid ?? 0)} MB`,
  ];
}

/** Writes evenly distributed rows of the catalog with an additional word in each title. */
async function writeChange(count: number, word: string): Promise<string> {
  const file = join(store.dir, `change-${count}.jsonl`);
  const output = createWriteStream(file);
  const stride = Math.floor(Number(options.products) / count);
  for await (const { line, text } of readLines(catalogue)) {
    if (line % stride !== 0) continue;
    const row = JSON.parse(text) as { readonly title: string };
    output.write(`${JSON.stringify({ ...row, title: `${row.title} ${word}` })}\n`);
  }
  output.end();
  await finished(output);
  return file;
}

async function waitUntilFound(origin: string, word: string): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadline) {
    const { body } = await sendGet(`${origin}/search/suggest.json?resources[type]=product&q=${word}`, agent);
    if (body.includes(`${word}"`)) return;
    await sleep(SAMPLE_MS);
  }
  throw new Error(`${word} was not found within ${GIVE_UP_MS / 1_000} s`);
}

/** Writes a number in letters, because the tokenizer splits words at digits. */
function toLetters(number: number): string {
  return [...`${number}`].map((digit) => "abcdefghij"[Number(digit)]).join("");
}

function figures(times: readonly TimedRequest[]): string {
  const ms = times.filter(({ isRejected }) => !isRejected).map((keystroke) => keystroke.ms);
  const rejectedCount = times.length - ms.length;
  const shares = [0.5, 0.99, 0.999, 1].map((share) => percentile(ms, share).toFixed(1));
  return `${ms.length}: ${shares.join(" / ")} ms${rejectedCount > 0 ? `, ${rejectedCount} refused` : ""}`;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
