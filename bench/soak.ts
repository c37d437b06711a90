// Checks that memory does not grow. A server with 100,000 products runs for minutes under mixed load: shoppers type new
// queries, open pages, and fill and change carts. Memory is sampled every few seconds. The result is its growth after
// the caches are warm.
//   VITRINE_DATA=… node bench/soak.ts [--minutes 10] [--rate 60] [--rows suggest,cart] [--store <folder>] [--record]
// --rate is the number of requests per second, of all kinds in turn. --rows selects rows whose names contain one of the
// words (see http/rows.ts). --store reuses the imported shop in a folder.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { AnswerReader } from "./http/response-reader.ts";
import { type Row, rowsOf } from "./http/rows.ts";
import { openBenchServer } from "./http/run-load.ts";
import { recordRows, today } from "./results.ts";

/** All rows except those with repeated requests. */
const mixedRows = "fresh,cart,add,change,page,collections";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    rate: { type: "string", default: "60" },
    rows: { type: "string", default: mixedRows },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## soak.ts: memory under mixed load";
const SAMPLE_MS = 5_000;
/** Share of the duration in which caches fill, which is excluded. */
const WARM_SHARE = 0.3;
const MB = 1_024 * 1_024;
const CONNECTIONS = 16;

/** Memory in MB at a time. */
interface Sample {
  readonly minutes: number;
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
}

const metricsPort = await freePort();
process.env.METRICS_PORT = `${metricsPort}`;
const server = await openBenchServer(options.store, { hasProfile: false });
try {
  const selectedRows = options.rows.split(",");
  const rows = (await rowsOf(server.origin)).filter(({ name }) => selectedRows.some((part) => name.includes(part)));
  const load = await putLoad(server.origin, rows, Number(options.rate));
  const samples: Sample[] = [];
  const start = performance.now();
  const end = start + Number(options.minutes) * 60_000;
  while (performance.now() < end) {
    await wait(SAMPLE_MS);
    samples.push(await takeSample((performance.now() - start) / 60_000));
    const { minutes, resident, heap, external } = samples.at(-1) as Sample;
    process.stdout.write(
      `${minutes.toFixed(1)} min: ${resident} MB resident, heap ${heap} MB, external ${external} MB\n`,
    );
  }
  const statuses = await load.stop();
  const warmSamples = samples.slice(Math.floor(samples.length * WARM_SHARE));
  const row = [
    ...today(),
    options.minutes,
    options.rate,
    Object.entries(statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(", "),
    ...(["resident", "heap", "external"] as const).map((kind) => figures(samples, warmSamples, kind)),
  ];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, [row]);
} finally {
  await server.close();
}

/**
 * Returns the memory at the start, its minimum and maximum after warm-up, and its growth in ten minutes by least
 * squares.
 */
function figures(
  allSamples: readonly Sample[],
  warmSamples: readonly Sample[],
  kind: "resident" | "heap" | "external",
): string {
  const values = warmSamples.map((sample) => sample[kind]);
  const growth =
    slope(
      warmSamples.map(({ minutes }) => minutes),
      values,
    ) * 10;
  const sign = growth < 0 ? "" : "+";
  return `${allSamples[0]?.[kind]}; ${Math.min(...values)} to ${Math.max(...values)} MB, ${sign}${growth.toFixed(1)} MB in ten minutes`;
}

function slope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x0, y0] = [mean(xs), mean(ys)];
  const covariance = xs.reduce((sum, x, at) => sum + (x - x0) * ((ys[at] as number) - y0), 0);
  return covariance / xs.reduce((sum, x) => sum + (x - x0) ** 2, 0);
}

async function takeSample(minutes: number): Promise<Sample> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const readMegabytes = (name: string): number => {
    const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
    if (value === undefined) throw new Error(`no metric ${name}`);
    return Math.round(Number(value) / MB);
  };
  return {
    minutes,
    resident: readMegabytes("process_resident_memory_bytes"),
    heap: readMegabytes("nodejs_heap_size_used_bytes"),
    external: readMegabytes("nodejs_external_memory_bytes"),
  };
}

/**
 * Sends requests of all rows in turn at a constant rate, over persistent connections.
 * @returns a function that stops and returns the number of responses by status
 */
async function putLoad(
  origin: string,
  rows: readonly Row[],
  rate: number,
): Promise<{ stop(): Promise<Readonly<Record<string, number>>> }> {
  const statuses: Record<string, number> = {};
  const idleSockets: Socket[] = [];
  let isOver = false;
  const openConnection = async (): Promise<void> => {
    const socket = connect({ port: Number(new URL(origin).port), host: "127.0.0.1", noDelay: true });
    const reader = new AnswerReader();
    socket.on("data", (chunk) => {
      for (const { status, isLast } of reader.read(chunk as Buffer)) {
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (isOver) socket.destroy();
        else if (isLast) void openConnection();
        else idleSockets.push(socket);
      }
    });
    await once(socket, "connect");
    idleSockets.push(socket);
  };
  for (let number = 0; number < CONNECTIONS; number += 1) await openConnection();
  const requests: { readonly row: Row; texts: readonly string[]; nextIndex: number }[] = [];
  // Carts are created before the load, because a busy server could reject the requests.
  for (const row of rows) requests.push({ row, texts: await row.requests(), nextIndex: 0 });
  let sentCount = 0;
  const sendNext = async (): Promise<void> => {
    const group = requests[sentCount % requests.length] as (typeof requests)[number];
    sentCount += 1;
    // New requests are created after all were sent, so that keystrokes do not repeat.
    if (group.nextIndex >= group.texts.length) {
      group.nextIndex = 0;
      group.texts = await group.row.requests();
    }
    const request = group.texts[group.nextIndex] ?? "";
    group.nextIndex += 1;
    idleSockets.shift()?.write(request, "latin1");
  };
  const startTime = performance.now();
  let dueCount = 0;
  const sendLoop = (async () => {
    while (!isOver) {
      for (; startTime + (dueCount * 1_000) / rate <= performance.now() && idleSockets.length > 0; dueCount += 1)
        await sendNext();
      await wait(5);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await sendLoop;
      for (const socket of idleSockets) socket.destroy();
      return statuses;
    },
  };
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0);
  await once(listener, "listening");
  const address = listener.address();
  listener.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
