// Measures which load one server handles, how fast, and what it rejects. The server has 100,000 products and runs on
// one core. The load comes from another core. Prints a row for each load: connections in a closed loop, bursts, load
// during an import, the first thousand requests after a start, and multiples of the capacity (the rate of 16 connections).
//   VITRINE_DATA=… node bench/overload.ts [--loads closed,burst,import,cold,rate] [--mix keystrokes] [--seconds 5] [--threads 1] [--store <folder>] [--record]
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { catalogueFile } from "./catalogs.ts";
import { type Row, rowsOf, warmUpRequests } from "./http/rows.ts";
import { flood } from "./http/run-load.ts";
import type { FloodPlan, ResponseTimes } from "./overload/flood.ts";
import { type Cells, recordRows, today } from "./results.ts";
import { openLargeStore, percentile, runCommand, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    loads: { type: "string", default: "closed,burst,rate,import,cold" },
    mix: { type: "string", default: "keystrokes" },
    seconds: { type: "string", default: "5" },
    threads: { type: "string", default: "1" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## overload.ts: load and goodput";
const threads = Number(options.threads);
const ms = Number(options.seconds) * 1_000;
/** Several event loops use all cores, including the core of the load. */
const serverCore = threads === 1 ? 0 : undefined;
/**
 * Number of connections in an open loop. It exceeds the longest wait times the capacity, so that an idle connection
 * exists.
 */
const manyConnections = 2_000;
const importedRows = 12_000;
/** Milliseconds between two health checks, and the time below which a response counts as undelayed. */
const checkIntervalMs = 50;
const undelayedMs = 50;

const { dir, remove } = await openLargeStore(options.store);
try {
  const rows: Cells[] = [];
  const measure = async (
    load: string,
    origin: string,
    mix: Row,
    plan: Pick<FloodPlan, "connections" | "rate" | "maxAnswers">,
  ) => {
    const result = await overload(mix, origin, { ...plan, ms: plan.rate === "burst" ? 0 : ms });
    rows.push([...today(), mix.name + (threads === 1 ? "" : `; ${threads} threads`), load, ...result.cells]);
    process.stdout.write(`| ${rows.at(-1)?.join(" | ")} |\n`);
    return result.goodput;
  };
  const withServer = async (measureLoad: (origin: string, mix: Row) => Promise<void>, isWarm = true): Promise<void> => {
    const { child, origin } = await startServer(dir, {}, serverCore, ["--threads", `${threads}`]);
    try {
      const mix = (await mixesOf(origin)).find(({ name }) => name.includes(options.mix));
      if (mix === undefined) throw new Error(`no such mix: ${options.mix}`);
      const plan = { port: Number(new URL(origin).port), connections: 16, rate: "closed", ms: 5_000 } as const;
      if (isWarm)
        await flood({ ...plan, kinds: [{ name: "warm-up", share: 1, requests: await warmUpRequests(origin) }] });
      await measureLoad(origin, mix);
    } finally {
      await stopServer(child);
    }
  };
  const loads: Readonly<Record<string, () => Promise<void>>> = {
    closed: () =>
      withServer(async (origin, mix) => {
        for (const connections of [8, 16, 64, 100, 200, 500, 1_000])
          await measure(`${connections} connections`, origin, mix, { connections, rate: "closed" });
      }),
    burst: () =>
      withServer(async (origin, mix) => {
        for (const connections of [50, 100, 200, 500, 1_000])
          await measure(`${connections} at once`, origin, mix, { connections, rate: "burst" });
      }),
    rate: () =>
      withServer(async (origin, mix) => {
        const capacity = await measure("16 connections", origin, mix, { connections: 16, rate: "closed" });
        for (const times of [0.5, 0.9, 1, 2, 5, 10])
          await measure(`${times} times the capacity`, origin, mix, {
            connections: manyConnections,
            rate: capacity * times,
          });
      }),
    import: () =>
      withServer(async (origin, mix) => {
        const file = await writeChangedRows();
        const pendingImport = runCommand(["import", "--store", dir, file]);
        await measure(`64 connections, import of ${importedRows} rows`, origin, mix, {
          connections: 64,
          rate: "closed",
        });
        process.stdout.write(`  the import took ${(await pendingImport).toFixed(1)} s\n`);
      }),
    cold: () =>
      withServer(
        async (origin, mix) =>
          void (await measure("first thousand after a start, 16 connections", origin, mix, {
            connections: 16,
            rate: "closed",
            maxAnswers: 1_000,
          })),
        false,
      ),
  };
  for (const load of options.loads.split(",")) await loads[load]?.();
  if (options.record) recordRows(heading, rows);
} finally {
  await remove();
}

/** Writes rows of the catalog with a different tag in each.  @returns path of the file */
async function writeChangedRows(): Promise<string> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(catalogueFile("products-100k")) })) {
    if (lines.length === importedRows) break;
    const row = JSON.parse(line) as { readonly tags?: readonly string[] };
    lines.push(JSON.stringify({ ...row, tags: [...(row.tags ?? []), `imported ${Date.now()}`] }));
  }
  const file = join(dir, "changed.jsonl");
  await writeFile(file, `${lines.join("\n")}\n`);
  return file;
}

async function mixesOf(origin: string): Promise<readonly Row[]> {
  const rows = new Map((await rowsOf(origin)).map((row) => [row.name, row]));
  const requestsOf = async (name: string): Promise<readonly string[]> => (await rows.get(name)?.requests()) ?? [];
  const shop = async (): Promise<readonly string[]> => {
    const keystrokes = await requestsOf("suggest json, fresh");
    const otherRequests = [
      await requestsOf("suggest json, repeated"),
      await requestsOf("suggest json, repeated"),
      await requestsOf("cart.js, three lines"),
      await requestsOf("change, many carts"),
      await requestsOf("product page"),
      await requestsOf("collections/all"),
    ];
    // Each group has two keystrokes and one other request.
    return keystrokes.map((request, number) => {
      const list = otherRequests[((number / 3) % otherRequests.length) | 0] ?? [];
      return number % 3 === 2 ? (list[number % list.length] ?? request) : request;
    });
  };
  const pages = async (): Promise<readonly string[]> => {
    const keystrokes = await requestsOf("suggest json, fresh");
    const renders = [await requestsOf("suggest section, fresh"), await requestsOf("change with two sections")];
    // Each group has two keystrokes and one uncached render.
    return keystrokes.map((request, number) => {
      const turn = (number / 3) | 0;
      const list = renders[turn % renders.length] ?? [];
      return number % 3 === 2 ? (list[((turn / renders.length) | 0) % list.length] ?? request) : request;
    });
  };
  return [
    { name: "keystrokes", requests: () => requestsOf("suggest json, fresh") },
    { name: "a shop: keystrokes, carts, pages", requests: shop },
    { name: "renders: keystrokes, sections, bundled sections", requests: pages },
  ];
}

async function overload(
  mix: Row,
  origin: string,
  plan: Omit<FloodPlan, "port" | "kinds">,
): Promise<{ readonly cells: Cells; readonly goodput: number }> {
  let isOver = false;
  const health = watchHealth(`${origin}/healthz`, () => isOver);
  const kinds = [{ name: mix.name, share: 1, requests: await mix.requests() }];
  const floodResult = await flood({ ...plan, port: Number(new URL(origin).port), kinds });
  isOver = true;
  const recoveryMs = await measureRecovery(origin);
  const checks = await health;
  const statuses = floodResult.kinds[mix.name] ?? {};
  const { 200: accepted, 503: rejectedResult, ...otherRequests } = statuses;
  const goodput = ((accepted?.count ?? 0) * 1_000) / floodResult.ms;
  const answerCount = Object.values(statuses).reduce((sum, { count }) => sum + count, 0);
  const otherStatuses = Object.entries(otherRequests).map(([status, { count }]) => `${count} of ${status}`);
  const worstCheck = Math.max(...checks);
  return {
    goodput,
    cells: [
      `${Math.round((floodResult.sentCount * 1_000) / floodResult.ms)}`,
      `${Math.round(goodput)}`,
      formatTimes(accepted),
      `${rejectedResult?.count ?? 0} (${((100 * (rejectedResult?.count ?? 0)) / answerCount).toFixed(1)} %)`,
      formatTimes(rejectedResult),
      checks.length === 0
        ? "none"
        : `${percentile(checks, 0.5).toFixed(0)} / ${percentile(checks, 0.99).toFixed(0)} / ${worstCheck.toFixed(0)} ms`,
      `${recoveryMs.toFixed(0)} ms`,
      `${Math.round(floodResult.cpuShare * 100)} %`,
      [...otherStatuses, ...(floodResult.closedCount > 0 ? [`${floodResult.closedCount} connections lost`] : [])].join(
        ", ",
      ) || "none",
    ],
  };
}

function formatTimes(times: ResponseTimes | undefined): string {
  return times === undefined
    ? "none"
    : `${times.p50.toFixed(0)} / ${times.p99.toFixed(0)} / ${times.max.toFixed(0)} ms`;
}

/**
 * Checks a server's health, each time on a new connection.
 * @returns milliseconds of each check; infinite if it failed
 */
async function watchHealth(url: string, isOver: () => boolean): Promise<readonly number[]> {
  const checks: Promise<number>[] = [];
  for (; !isOver(); await sleep(checkIntervalMs)) checks.push(timeRequest(url));
  return Promise.all(checks);
}

function timeRequest(url: string): Promise<number> {
  const start = performance.now();
  return new Promise((done) => {
    get(url, { agent: false }, (answer) =>
      answer.resume().once("end", () => done(answer.statusCode === 200 ? performance.now() - start : Infinity)),
    ).once("error", () => done(Number.POSITIVE_INFINITY));
  });
}

/** Returns the milliseconds until ten consecutive keystrokes have undelayed responses. */
async function measureRecovery(origin: string): Promise<number> {
  const start = performance.now();
  for (let fastCount = 0, number = 0; ; number += 1) {
    const startMs = performance.now() - start;
    const elapsedMs = await timeRequest(`${origin}/search/suggest.json?q=recovery+${number}`);
    fastCount = elapsedMs < undelayedMs ? fastCount + 1 : 0;
    if (fastCount === 10 || startMs > 60_000) return startMs;
  }
}
