// How soon is a change found, and who waits for it? A running server with a big catalogue; one product at a time is changed with
// `vitrine import` while shoppers type.
//   VITRINE_DATA=… node bench/index-update.ts [--products 1000000] [--changes 20] [--rate 200] [--record]
// Requests are due at fixed times and measured from then, so that what waits behind a pause counts. A change is found when a search
// for its new word answers with it: measured from the moment the command is started, and from its end.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bigCatalogue } from "./catalogue-1m.ts";
import { keystrokes, realQueries } from "./keystrokes-typed.ts";
import { appendRows, today } from "./results.ts";
import { watchStolen } from "./stolen-time.ts";
import { makeStore, memoryMb, percentile, runCommand, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "1000000" },
    changes: { type: "string", default: "20" },
    rate: { type: "string", default: "200" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## index-update.ts: one product changed at a time under 200 searches a second over HTTP";
/** How often it is asked whether a change is found. */
const LOOK_MS = 10;
/** Shoppers have typed for so long before the first change: the server is warm, as one that has run for a minute is. */
const WARM_MS = 30_000;
/** A change that takes longer is not found at all. */
const GIVE_UP_MS = 60_000;

interface Timed {
  /** Milliseconds since 1970 when it was due. */
  readonly due: number;
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const store = await makeStore();
try {
  const imported = await runCommand(["import", "--store", store.dir, bigCatalogue(Number(options.products))]);
  const gcLog = join(store.dir, "gc.tsv");
  writeFileSync(gcLog, "");
  // The first start builds what the second finds on disk.
  const first = await startServer(store.dir);
  await untilKept(join(store.dir, "data", "index"));
  await stopServer(first.child);
  const server = await startServer(store.dir, gcLog);
  try {
    const stealing = watchStolen();
    const measured = await measure(server.origin, Number(options.changes));
    const stolen = stealing.stop().filter(({ due }) => due >= measured.from);
    const memory = await memoryMb(server.child.pid ?? 0);
    const { found, times } = measured;
    const pauses = readPauses(gcLog).filter(({ due }) => due >= measured.from);
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
    if (options.record) appendRows(heading, [row]);
  } finally {
    await stopServer(server.child);
  }
} finally {
  agent.destroy();
  await store.remove();
}

/** Waits until the index is on disk, whole. */
async function untilKept(dir: string): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  while (!readdirSync(dir).some((name) => name.endsWith(".index"))) {
    if (performance.now() > end) throw new Error(`no index was kept in ${dir} within a minute`);
    await pause(LOOK_MS);
  }
}

interface Change {
  readonly fromStart: number;
  readonly fromEnd: number;
}

/** @returns the changes, and the keystrokes from the first of them on */
async function measure(
  origin: string,
  changes: number,
): Promise<{ readonly from: number; readonly found: readonly Change[]; readonly times: readonly Timed[] }> {
  const typing = typeAway(origin, Number(options.rate));
  await pause(WARM_MS);
  const from = performance.timeOrigin + performance.now();
  const found: Change[] = [];
  for (let change = 0; change < changes; change += 1) found.push(await changeOne(origin, change));
  const times = await typing.stop();
  return { from, found, times: times.filter(({ due }) => due >= from) };
}

/** Gives one product a word nobody else has. @returns milliseconds until a search for it finds the product */
async function changeOne(origin: string, change: number): Promise<Change> {
  const word = `changed${"abcdefghij"[change % 10]}${"klmnopqrst"[Math.floor(change / 10) % 10]}xyq`;
  const file = join(store.dir, "change.jsonl");
  const title = `Umbrella ${word}`;
  writeFileSync(
    file,
    `${JSON.stringify({ kind: "product", handle: `p-${change * 7}`, title, variants: [{ price: 100 }] })}\n`,
  );
  const start = performance.now();
  let end = Number.NaN;
  const command = runCommand(["import", "--store", store.dir, file]).then(() => (end = performance.now()));
  while (performance.now() - start < GIVE_UP_MS) {
    const { body } = await ask(`${origin}/search/suggest.json?type=product&q=${word}`);
    if (body.includes(`"${title}"`)) {
      const at = performance.now();
      await command;
      // Found before the command has ended: at once.
      return { fromStart: at - start, fromEnd: Math.max(0, at - end) };
    }
    await pause(LOOK_MS);
  }
  throw new Error(`the change of product ${change * 7} was not found within a minute`);
}

/** Sends keystrokes at fixed times, whether or not those before are answered. `stop` throws where one was refused. */
function typeAway(origin: string, rate: number): { stop(): Promise<readonly Timed[]> } {
  const texts = keystrokes(realQueries(500).measured);
  const times: Timed[] = [];
  const refused: number[] = [];
  const open = new Set<Promise<void>>();
  const begin = performance.now();
  let sent = 0;
  const send = async (due: number): Promise<void> => {
    const { status } = await ask(
      `${origin}/search/suggest.json?q=${encodeURIComponent(texts[sent % texts.length] ?? "")}`,
    );
    if (status !== 200) refused.push(status);
    times.push({ due: performance.timeOrigin + due, ms: performance.now() - due });
  };
  const timer = setInterval(() => {
    for (; begin + (sent * 1_000) / rate <= performance.now(); sent += 1) {
      const request = send(begin + (sent * 1_000) / rate).finally(() => open.delete(request));
      open.add(request);
    }
  }, 1);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      if (refused.length > 0) throw new Error(`${refused.length} keystrokes were answered ${refused[0]}`);
      return times;
    },
  };
}

function ask(url: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((done, fail) => {
    get(url, { agent }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.once("end", () => done({ status: response.statusCode ?? 0, body })).once("error", fail);
    }).once("error", fail);
  });
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
