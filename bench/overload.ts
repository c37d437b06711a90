// What if five times as many requests come as can be answered? 100,000 products, the server on one core, 500 connections from another; looks at
// /healthz on connections of their own meanwhile, and at a keystroke a visitor types when it is over.
//   VITRINE_DATA=… node bench/overload.ts [--rows keystrokes,shop] [--seconds 15] [--times 5] [--threads 1] [--store <folder>] [--record]
import { spawn } from "node:child_process";
import { get } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { LoadPlan, LoadResult } from "./http/load.ts";
import { type Row, rowsOf } from "./http/rows.ts";
import type { Answered, FloodPlan, FloodResult } from "./overload/flood.ts";
import { appendRows, type Cells, today } from "./results.ts";
import { onCore, openLargeStore, percentile, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "" },
    seconds: { type: "string", default: "15" },
    times: { type: "string", default: "5" },
    threads: { type: "string", default: "1" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## overload.ts: five times what a server can do, over 500 connections";
const threads = Number(options.threads);
/** Several loops have all cores, of which the load takes its part. */
const serverCore = threads === 1 ? 0 : undefined;
const loadCore = 1;
const connections = 500;
/** Milliseconds between two looks at a server, and under which a look is as good as without load. */
const lookEvery = 50;
const asBefore = 50;

const { dir, remove } = await openLargeStore(options.store);
try {
  const { child, origin } = await startServer(dir, undefined, {}, serverCore, ["--threads", `${threads}`]);
  const rows: Cells[] = [];
  try {
    const wanted = options.rows.split(",");
    for (const row of await mixesOf(origin)) {
      if (!wanted.some((part) => row.name.includes(part))) continue;
      const name = threads === 1 ? row.name : `${row.name}; ${threads} threads`;
      rows.push([...today(), name, ...(await overload(row, origin))]);
      process.stdout.write(`| ${rows.at(-1)?.join(" | ")} |\n`);
    }
  } finally {
    await stopServer(child);
  }
  if (options.record) appendRows(heading, rows);
} finally {
  await remove();
}

async function mixesOf(origin: string): Promise<readonly Row[]> {
  const rows = new Map((await rowsOf(origin)).map((row) => [row.name, row]));
  const take = async (name: string): Promise<readonly string[]> => (await rows.get(name)?.requests()) ?? [];
  const shop = async (): Promise<readonly string[]> => {
    const keystrokes = await take("suggest json, fresh");
    const others = [
      await take("suggest json, repeated"),
      await take("suggest json, repeated"),
      await take("cart.js, three lines"),
      await take("change, many carts"),
      await take("product page"),
      await take("collections/all"),
    ];
    // Two keystrokes, and one of what else goes on in a shop.
    return keystrokes.map((request, number) => {
      const list = others[((number / 3) % others.length) | 0] ?? [];
      return number % 3 === 2 ? (list[number % list.length] ?? request) : request;
    });
  };
  const pages = async (): Promise<readonly string[]> => {
    const keystrokes = await take("suggest json, fresh");
    const renders = [await take("suggest section, fresh"), await take("change with two sections")];
    // Two keystrokes, and one of what is rendered anew each time.
    return keystrokes.map((request, number) => {
      const turn = (number / 3) | 0;
      const list = renders[turn % renders.length] ?? [];
      return number % 3 === 2 ? (list[((turn / renders.length) | 0) % list.length] ?? request) : request;
    });
  };
  return [
    { name: "keystrokes", requests: () => take("suggest json, fresh") },
    { name: "a shop: keystrokes, carts, pages", requests: shop },
    { name: "renders: keystrokes, sections, bundled sections", requests: pages },
  ];
}

async function overload(row: Row, origin: string): Promise<Cells> {
  const port = Number(new URL(origin).port);
  const calm: LoadPlan = { port, connections: 16, warmUpMs: 2_000, ms: 4_000, requests: await row.requests() };
  const before = await run<LoadResult>("http/load.ts", calm);
  const able = (before.count * 1_000) / before.ms;
  const rate = able * Number(options.times);
  const plan: FloodPlan = {
    port,
    connections,
    rate,
    ms: Number(options.seconds) * 1_000,
    requests: await row.requests(),
  };
  let isOver = false;
  const health = watch(`${origin}/healthz`, () => isOver);
  const flooded = await run<FloodResult>("overload/flood.ts", plan);
  isOver = true;
  const recovered = await recovery(origin);
  const looks = await health;
  const { 200: done, 503: refused, ...others } = flooded.statuses;
  for (const [path, some] of Object.entries(flooded.paths))
    process.stdout.write(`  ${path}: ${some.count} answered 200, ${inWords(some)}\n`);
  const strange = Object.entries(others).map(([status, { count }]) => `${count} of ${status}`);
  return [
    `${Math.round(able)}`,
    `${Math.round((flooded.sent * 1_000) / plan.ms)} of ${Math.round(rate)}, by ${Math.round(flooded.ownShare * 100)} % of a core`,
    `${Math.round(((done?.count ?? 0) * 1_000) / plan.ms)}`,
    inWords(done),
    inWords(refused),
    `${percentile(looks, 0.5).toFixed(0)} / ${percentile(looks, 0.99).toFixed(0)} / ${Math.max(...looks).toFixed(0)} ms`,
    `${recovered.toFixed(0)} ms`,
    [...strange, ...(flooded.closed > 0 ? [`${flooded.closed} connections lost`] : [])].join(", ") || "none",
  ];
}

function inWords(some: Answered | undefined): string {
  return some === undefined ? "none" : `${some.p50.toFixed(0)} / ${some.p99.toFixed(0)} / ${some.most.toFixed(0)} ms`;
}

/** Asks again and again, each time on a new connection. @returns milliseconds of each look; one that failed took for ever */
async function watch(url: string, isOver: () => boolean): Promise<readonly number[]> {
  const looks: Promise<number>[] = [];
  // Not while the flood's connections are opened.
  await sleep(1_500);
  for (; !isOver(); await sleep(lookEvery)) looks.push(look(url));
  return Promise.all(looks);
}

function look(url: string): Promise<number> {
  const start = performance.now();
  return new Promise((done) => {
    get(url, { agent: false }, (answer) =>
      answer.resume().once("end", () => done(answer.statusCode === 200 ? performance.now() - start : Infinity)),
    ).once("error", () => done(Number.POSITIVE_INFINITY));
  });
}

/** Milliseconds until ten keystrokes in succession are answered as without load. */
async function recovery(origin: string): Promise<number> {
  const start = performance.now();
  for (let good = 0, number = 0; ; number += 1) {
    const from = performance.now() - start;
    const ms = await look(`${origin}/search/suggest.json?q=recovery+${number}`);
    good = ms < asBefore ? good + 1 : 0;
    if (good === 10 || from > 60_000) return from;
  }
}

async function run<Result>(script: string, plan: object): Promise<Result> {
  const file = fileURLToPath(new URL(`./${script}`, import.meta.url));
  const [command, ...args] = onCore(loadCore, [process.execPath, file]);
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(plan));
  return (await readJson(child.stdout)) as Result;
}
