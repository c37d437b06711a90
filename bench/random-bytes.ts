// Checks robustness against arbitrary input. Random byte strings as `q` are parsed and searched in-process, and some of
// them over HTTP.
//   VITRINE_DATA=… node bench/random-bytes.ts [--count 100000] [--requests 3000] [--record]
// Each string is searched in several passes. The first pass includes garbage collection and steal time. The minimum
// over all passes is the time of the search itself. Between two passes, other searches evict all cached results. A
// third of the strings has random bytes, a third printable ASCII, and a third random characters. They have 1 to 400
// bytes. Exits with 1 if a search throws an unexpected error, or a request returns a status of 500 or more.
import { parseArgs } from "node:util";
import { openVitrineIndex, productType } from "../packages/search/bench/engines/vitrine-index.ts";
import { parseSuggestParams } from "../src/predictive-search/suggest-params.ts";
import { Problem } from "../src/problem.ts";
import { catalogueFile, flatFile } from "./catalogs.ts";
import { createRandom, type Random } from "./random.ts";
import { recordRows, today } from "./results.ts";
import { makeStore, percentile, runCommand, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    requests: { type: "string", default: "3000" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## random-bytes.ts: random queries";
const maxLength = 400;
const passCount = 3;
const locale = "en";

const inProcess = await searchInProcess(Number(options.count));
const overHttp = await askServer(Number(options.requests));
const row = [...today(), `${options.count}`, ...inProcess.cells, `${options.requests}`, ...overHttp.cells];
process.stdout.write(`| ${row.join(" | ")} |\n`);
if (options.record) recordRows(heading, [row]);
process.exitCode = inProcess.isSuccessful && overHttp.isSuccessful ? 0 : 1;

interface Outcome {
  readonly isSuccessful: boolean;
  readonly cells: readonly string[];
}

async function searchInProcess(count: number): Promise<Outcome> {
  const { index } = await openVitrineIndex(await flatFile(catalogueFile("products-100k")), locale);
  let rejectedCount = 0;
  let thrownCount = 0;
  /** Searches once.  @returns milliseconds */
  const search = (bytes: Buffer): number => {
    const start = performance.now();
    try {
      const { q } = parseSuggestParams(new URLSearchParams(`q=${percentEncode(bytes)}`));
      index.search({ text: q, locale, limits: new Map([[productType, 10]]), typos: true, unavailable: "last" });
      index.complete(q, locale, 10);
    } catch (error) {
      if (error instanceof Problem) rejectedCount += 1;
      else {
        thrownCount += 1;
        process.stderr.write(`${bytes.toString("hex")}: ${error}\n`);
      }
    }
    return performance.now() - start;
  };
  const random = createRandom(21);
  const warmUpStrings = Array.from({ length: 1_000 }, () => randomBytes(random));
  const strings = Array.from({ length: count }, () => randomBytes(random));
  warmUpStrings.forEach(search);
  [rejectedCount, thrownCount] = [0, 0];
  const times = strings.map(search);
  const cells = [`${thrownCount}`, `${rejectedCount}`, figures(times)];
  const minTimes = Float64Array.from(times);
  for (let pass = 1; pass < passCount; pass += 1)
    strings.forEach((bytes, index) => {
      minTimes[index] = Math.min(minTimes[index] as number, search(bytes));
    });
  return { isSuccessful: thrownCount === 0, cells: [...cells, figures([...minTimes])] };
}

async function askServer(count: number): Promise<Outcome> {
  const store = await makeStore();
  try {
    await runCommand(["import", "--store", store.dir, catalogueFile("bestbuy-3k")]);
    const server = await startServer(store.dir);
    const random = createRandom(22);
    const times: number[] = [];
    const statuses = new Map<number, number>();
    for (let index = 0; index < count; index += 1) {
      const start = performance.now();
      const response = await fetch(`${server.origin}/search/suggest.json?q=${percentEncode(randomBytes(random))}`);
      await response.arrayBuffer();
      times.push(performance.now() - start);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
    await stopServer(server.child);
    const counts = [...statuses].sort(([left], [right]) => left - right).map(([status, n]) => `${n} × ${status}`);
    return {
      isSuccessful: [...statuses.keys()].every((status) => status < 500),
      cells: [counts.join(", "), figures(times)],
    };
  } finally {
    await store.remove();
  }
}

function randomBytes(random: Random): Buffer {
  const length = 1 + random.below(random.below(maxLength) + 1);
  const randomBytesOf: readonly (() => number)[] = [
    () => random.below(256),
    () => 0x20 + random.below(0x5f),
    () => random.below(random.pick([0x80, 0x800, 0x10000, 0x110000])),
  ];
  const kind = random.below(randomBytesOf.length);
  const values = Array.from({ length }, randomBytesOf[kind] ?? (() => 0));
  return kind === 2 ? Buffer.from(String.fromCodePoint(...values)).subarray(0, length) : Buffer.from(values);
}

function percentEncode(bytes: Buffer): string {
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

function figures(times: readonly number[]): string {
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => percentile(times, share).toFixed(2));
  return `${p50} / ${p99} / ${p999} / ${percentile(times, 1).toFixed(1)} ms`;
}
