// Measures the response time of each letter that a shopper types. Imports a catalog, serves it, and types real queries
// letter by letter over HTTP. Also writes to carts while the same catalog is imported again.
//   VITRINE_DATA=… node bench/keystrokes.ts products-100k | icecat-19k

import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { catalogueFile, catalogues, isCatalogueName } from "./catalogs.ts";
import { recordRows, today } from "./results.ts";
import { dataFolder, makeStore, memoryMb, percentile, runCommand, startServer, stopServer } from "./store.ts";

const heading = "## keystrokes.ts";
const catalogue = process.argv[2] ?? "products-100k";
if (!isCatalogueName(catalogue)) throw new Error(`no catalogue ${catalogue}: ${Object.keys(catalogues).join(", ")}`);
const store = await makeStore();
try {
  const file = catalogueFile(catalogue);
  const importResult = await runCommand(["import", "--store", store.dir, file]);
  const server = await startServer(store.dir);
  const keystrokes = await typeQueries(server.origin, await readQueries());
  const memory = await memoryMb(server.child.pid ?? 0);
  const writes = await writeWhile(server.origin, () => runCommand(["import", "--store", store.dir, file]));
  await stopServer(server.child);
  const row = [
    ...today(),
    catalogue,
    `${importResult.seconds.toFixed(1)} s, ${importResult.peakMb} MB`,
    `${server.seconds.toFixed(1)} s, ${memory} MB`,
    `${keystrokes.length}`,
    `${percentile(keystrokes, 0.5).toFixed(2)} / ${percentile(keystrokes, 0.99).toFixed(2)} ms`,
    `${writes.length}: ${percentile(writes, 0.5).toFixed(1)} / ${percentile(writes, 0.99).toFixed(1)} / ${Math.max(...writes).toFixed(0)} ms`,
  ];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  recordRows(heading, [row]);
} finally {
  await store.remove();
}

async function readQueries(): Promise<readonly string[]> {
  const text = await readFile(join(dataFolder(), "queries", "wands-480-queries.tsv"), "utf8");
  const rows = text
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  return rows
    .slice(1)
    .map((row) => row[1] ?? "")
    .filter((query) => query !== "")
    .slice(0, 200);
}

/** Types each query letter by letter.  @returns milliseconds of each keystroke */
async function typeQueries(origin: string, queries: readonly string[]): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const ask = async (text: string): Promise<number> => {
    const start = performance.now();
    const status = await get(agent, `${origin}/search/suggest.json?q=${encodeURIComponent(text)}`);
    if (status !== 200) throw new Error(`"${text}" was answered ${status}`);
    return performance.now() - start;
  };
  for (const query of queries.slice(0, 20)) await ask(query);
  for (const query of queries) {
    for (let length = 1; length <= query.length; length += 1) times.push(await ask(query.slice(0, length)));
  }
  agent.destroy();
  return times;
}

function get(agent: Agent, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    })
      .once("error", reject)
      .end();
  });
}

/** Adds to carts in sequence until `work` is done.  @returns milliseconds of each write */
async function writeWhile(origin: string, work: () => Promise<unknown>): Promise<readonly number[]> {
  const csrf = await fetch(`${origin}/api/csrf`);
  const token = csrf.headers.get("x-csrf-token") ?? "";
  const suggestions = (await (await fetch(`${origin}/search/suggest.json?q=a&type=product`)).json()) as {
    readonly resources: {
      readonly results: { readonly products: readonly { readonly variants: readonly { readonly id: unknown }[] }[] };
    };
  };
  const id = suggestions.resources.results.products[0]?.variants[0]?.id;
  let isDone = false;
  const pendingWork = work().finally(() => (isDone = true));
  const times: number[] = [];
  while (!isDone) {
    const start = performance.now();
    const response = await fetch(`${origin}/cart/add.js`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": token, cookie: `csrf_token=${token}` },
      body: JSON.stringify({ id, quantity: 1 }),
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a write during the import was answered ${response.status}`);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await pendingWork;
  return times;
}
