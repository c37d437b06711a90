// Replays a day of a shop through Varnish 7, with the configuration of docs/how-to/scaling.md: which share of requests
// does the cache answer, how many reach the server, and how soon do changed pages leave the cache?
//   node bench/cdn-day.ts [--visits 1500] [--edits 100] [--record]
// The day is the same in every run. A visit has 1 to 8 pages of the demo store: products (the n-th is 1/n as frequent as
// the first), collections, and the start page. One in five visits searches, one in twelve adds a product to a cart.
// Two crawlers request all products and collections. Pages are requested as fast as possible, six at a time; the rates
// are those of 24 hours. Images and scripts are not requested.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createClient, send } from "../test/support/client.ts";
import { findFreePort } from "../test/support/postgres-server.ts";
import { startVarnish } from "../test/support/varnish.ts";
import { createRandom } from "./random.ts";
import { recordRows, today } from "./results.ts";
import { percentile, runForText, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    visits: { type: "string", default: "1500" },
    edits: { type: "string", default: "100" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## cdn-day.ts: a day behind Varnish";
const DAY_SECONDS = 86_400;
const PARALLEL_VISITS = 6;
const SAMPLE_MS = 5;

interface Product {
  readonly handle: string;
  readonly title: string;
  readonly variants: readonly { readonly id: number }[];
}

const demoDir = fileURLToPath(new URL("../examples/harbour-outfitters", import.meta.url));
const readRows = <Row>(file: string): readonly Row[] =>
  readFileSync(join(demoDir, "catalog", file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const products = readRows<Product>("products.jsonl");
const collections = readRows<Product>("collections.jsonl").map(({ handle }) => `/collections/${handle}`);
const random = createRandom(1);

const dir = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
const storeDir = join(dir, "store");
cpSync(demoDir, storeDir, { recursive: true, filter: (path) => !path.endsWith("/data") });
renameSync(join(storeDir, "vitrine.config.ts"), join(storeDir, "demo.config.ts"));
const port = await findFreePort();
const origin = `http://127.0.0.1:${port}`;
const cdn = { maxAge: DAY_SECONDS, purge: { format: "varnish", url: origin } };
writeFileSync(
  join(storeDir, "vitrine.config.ts"),
  `import demo from "./demo.config.ts";\nexport default ${JSON.stringify({ origin, cdn, trustProxy: ["127.0.0.1"] }).replace("{", "{ ...demo, ")};\n`,
);
const server = await startServer(storeDir);
const token = (await runForText(["token", "create", "--store", storeDir, "--scopes", "catalog:write"])).trim();
const varnish = await startVarnish(port, new URL(server.origin).port);
try {
  // Varnish must run, and the purge at the start of the server must be over.
  while (!(await send(origin, "GET", "/healthz").catch(() => undefined))) await setTimeout(100);
  await setTimeout(3_000);
  const before = readCounters();
  const delays: number[] = [];
  const visits = createDay();
  const total = visits.length;
  const edits = Number(options.edits);
  let editJob = Promise.resolve();
  let visitCount = 0;
  const runVisits = async (): Promise<void> => {
    for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
      await visit();
      visitCount += 1;
      // Edits are spread over the day. One runs at a time.
      const isDue = Math.floor((visitCount * edits) / total) > Math.floor(((visitCount - 1) * edits) / total);
      if (isDue) editJob = editJob.then(async () => void delays.push(await measureEdit(delays.length)));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_VISITS }, runVisits));
  await editJob;
  const after = readCounters();
  const requests = after.requests - before.requests;
  const originRequests = after.originRequests - before.originRequests;
  const hits = after.hits - before.hits;
  const perSecond = (count: number): string => (count / DAY_SECONDS).toFixed(3);
  const row = [
    ...today(),
    `${total}`,
    `${requests}`,
    `${((100 * hits) / requests).toFixed(1)} %`,
    `${perSecond(requests)} / ${perSecond(originRequests)}`,
    `${delays.length}`,
    `${[0.5, 0.99, 1].map((share) => percentile(delays, share).toFixed(0)).join(" / ")} ms`,
  ];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, [row]);
} finally {
  await varnish.close();
  await stopServer(server.child);
  rmSync(dir, { recursive: true, force: true });
}

/** Returns the visits of the day in random order. */
function createDay(): (() => Promise<void>)[] {
  const visits = Array.from({ length: Number(options.visits) }, createVisit);
  const crawl = async (): Promise<void> => {
    const client = createClient(origin);
    for (const path of ["/", ...collections, ...products.map(({ handle }) => `/products/${handle}`)])
      await client.get(path);
  };
  return random.sample([...visits, crawl, crawl], visits.length + 2);
}

function createVisit(): () => Promise<void> {
  const paths = Array.from({ length: 1 + random.below(8) }, () => pickPath());
  const searchesAt = random.below(5) === 0 ? random.below(paths.length) : undefined;
  const addsAt = random.below(12) === 0 ? random.below(paths.length) : undefined;
  const { title, variants } = pickProduct();
  return async () => {
    const client = createClient(origin);
    for (const [index, path] of paths.entries()) {
      await client.get(path);
      if (index === searchesAt) {
        const text = title.toLowerCase().slice(0, 6);
        for (let length = 2; length <= text.length; length += 1)
          await client.get(`/search/suggest.json?q=${encodeURIComponent(text.slice(0, length))}`);
        await client.get(`/search?q=${encodeURIComponent(text)}`);
      }
      if (index === addsAt) await client.post("/cart/add.js", { id: variants[0]?.id, quantity: 1 });
    }
  };
}

function pickPath(): string {
  const share = random.below(10);
  if (share === 0) return "/";
  return share < 4 ? random.pick(collections) : `/products/${pickProduct().handle}`;
}

/** Returns a product; the n-th is 1/n as frequent as the first. */
function pickProduct(): Product {
  const rank = Math.floor((products.length + 1) ** (random.below(1_000_000) / 1_000_000)) - 1;
  return products[rank] as Product;
}

/** Changes the title of a product.  @returns milliseconds from the response until Varnish sends the new page */
async function measureEdit(number: number): Promise<number> {
  const { handle, title } = products[(number * 7) % products.length] as Product;
  const path = `/products/${handle}`;
  await send(origin, "GET", path);
  const newTitle = `${title} ${number}x`;
  const reply = await send(server.origin, "POST", "/admin/catalog", {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: JSON.stringify({ patch: { kind: "product", handle, title: newTitle } }),
  });
  if (reply.status !== 200) throw new Error(`the edit was answered with ${reply.status}: ${reply.text}`);
  const startTime = performance.now();
  while (!(await send(origin, "GET", path)).text.includes(newTitle)) await setTimeout(SAMPLE_MS);
  return performance.now() - startTime;
}

function readCounters(): { readonly requests: number; readonly originRequests: number; readonly hits: number } {
  const names = ["client_req", "backend_req", "cache_hit"];
  const args = ["-n", varnish.workDir, "-1", ...names.flatMap((name) => ["-f", `MAIN.${name}`])];
  const text = execFileSync("varnishstat", args, { encoding: "utf8" });
  const [requests = 0, originRequests = 0, hits = 0] = names.map((name) =>
    Number(new RegExp(`MAIN\\.${name} +(\\d+)`).exec(text)?.[1]),
  );
  return { requests, originRequests, hits };
}
