import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createThreadedApp } from "../../src/threads/threaded-app.ts";
import { product, variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { parsePrometheus } from "../support/prometheus-text.ts";
import type { CartJson, MutationJson } from "../support/replies.ts";
import { makeStore, testSecret, toJsonl } from "../support/shop.ts";
import { freshDatabase, serverVariable } from "../support/test-database.ts";
import { until } from "../support/until.ts";

/** Number of threads. Few machines have three cores, so shares per thread may have a remainder. */
const THREADS = 3;
/** Opens a new connection per request, which any thread may accept. */
const anyThread = { connection: "close" };
/** Number of requests. It is large enough that they do not all reach one thread by chance. */
const MANY = 24;

async function startThreads() {
  const storeDir = await makeStore({ config: { search: { implicitFeedback: true } } });
  const options = { storeDir, secret: testSecret, logLevel: "silent", hasMetrics: true, ...(await freshDatabase()) };
  const app = await createThreadedApp(options, THREADS);
  after(async () => {
    await app.close();
    await rm(storeDir, { recursive: true, force: true });
  });
  const origin = await app.listen("127.0.0.1", 0);
  return { app, origin, storeDir, client: () => createClient(origin) };
}

async function countIn(client: Client): Promise<number> {
  return (await client.get("/cart.js", anyThread)).json<CartJson>().item_count;
}

async function addAnywhere(client: Client, quantity = 1): Promise<number> {
  const reply = await client.post("/cart/add.js", { id: variant.unlimited, quantity }, anyThread);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<MutationJson>().item_count;
}

/** Polls until every thread returns true. */
async function untilAll(check: () => Promise<boolean>): Promise<void> {
  await until(async () => (await Promise.all(Array.from({ length: MANY }, check))).every(Boolean), "all threads agree");
}

const shop = await startThreads();

test("reads see earlier writes of every thread", async () => {
  const client = shop.client();
  for (let expected = 1; expected <= MANY; expected += 1) {
    assert.equal(await addAnywhere(client), expected);
    assert.equal(await countIn(client), expected);
  }
});

test("concurrent writes to one cart by all threads all apply", async () => {
  const client = shop.client();
  await addAnywhere(client);
  await Promise.all(Array.from({ length: 100 }, () => addAnywhere(client)));
  assert.equal(await countIn(client), 101);
});

// A server of a shared database does not change its settings.
test("all threads apply changed settings", { skip: process.env[serverVariable] !== undefined }, async () => {
  const token = await createApiToken({ storeDir: shop.storeDir, env: {} }, "settings:write");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "Kontor" });
  assert.equal((await shop.client().send("POST", "/api/settings", { headers, body })).status, 200);
  await untilAll(async () => (await shop.client().get("/agents.md", anyThread)).text.includes("Kontor"));
});

test("threads do not increase the rate of guessed codes", async () => {
  const client = shop.client();
  await addAnywhere(client);
  const update = async (discount: string) => client.post("/cart/update.js", { discount }, anyThread);
  // Each thread by itself would verify as many codes of one cart.
  for (let guess = 0; guess < 12; guess += 1) await update(`GUESS-${guess}`);
  assert.equal((await update("TENOFF")).json<MutationJson>().total_discount_cents, 0);
});

test("a crashed thread fails only its current requests and is replaced", async () => {
  const client = shop.client();
  let acknowledged = await addAnywhere(client);
  let tried = acknowledged;
  let failed = 0;
  let isOver = false;
  const shopping = async (): Promise<void> => {
    while (!isOver) {
      tried += 1;
      const reply = await client
        .post("/cart/add.js", { id: variant.unlimited, quantity: 1 }, anyThread)
        .catch(() => undefined);
      if (reply?.status === 200) acknowledged += 1;
      else failed += 1;
      await setTimeout(10);
    }
  };
  const shoppers = Array.from({ length: 4 }, shopping);
  await shop.app.loopThreads.kill(1);
  await until(async () => (await shop.app.loopThreads.collect()).length === THREADS);
  isOver = true;
  await Promise.all(shoppers);
  const count = await countIn(client);
  assert.ok(count >= acknowledged && count <= tried, `${acknowledged} <= ${count} <= ${tried}, ${failed} failed`);
  await Promise.all(Array.from({ length: MANY }, () => addAnywhere(client)));
  assert.equal(await countIn(client), count + MANY);
});

async function searchFor(q: string): Promise<string> {
  return (await shop.client().get(`/search/suggest.json?q=${q}`, anyThread)).text;
}

test("a click counts for the search before it on any thread", {
  skip: process.env[serverVariable] !== undefined,
}, async () => {
  const { storeDir, origin } = shop;
  const flags = "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima".split(" ");
  for (const flag of flags) {
    const client = shop.client();
    const search = `/search?q=signal+flag+${flag}`;
    const open = (path: string, headers = {}) => client.get(path, { ...anyThread, accept: "text/html", ...headers });
    assert.equal((await open(search)).status, 200);
    assert.equal((await open(`/products/flag-${flag.toLowerCase()}`, { referer: origin + search })).status, 200);
  }
  const database = new DatabaseSync(join(storeDir, "data", "vitrine.db"), { readOnly: true });
  const chosen = database.prepare(
    "SELECT term, product, weight FROM signal_counts WHERE kind = 'chosen' ORDER BY term",
  );
  await until(() => chosen.all().length === flags.length, "all clicks are counted");
  assert.deepEqual(
    chosen.all().map(({ term, product, weight }) => `${term} ${product} ${weight}`),
    flags.map((flag, index) => `signal flag ${flag.toLowerCase()} ${200 + index} 1`),
  );
  database.close();
});

test("all threads apply a changed catalog, theme and synonym list", async () => {
  const { storeDir } = shop;
  const added = product(901, "zeppelin-lamp", "Zeppelin Lamp", [{ id: 9_010, price: 1_000 }]);
  await writeFile(join(storeDir, "catalog", "more.jsonl"), toJsonl([added]));
  await untilAll(async () => (await searchFor("zeppelin")).includes("Zeppelin Lamp"));
  await writeFile(join(storeDir, "theme", "sections", "fresh.liquid"), "fresh as paint");
  await untilAll(async () =>
    (await shop.client().get("/?section_id=fresh", anyThread)).text.includes("fresh as paint"),
  );
});

test("metrics are summed over all threads", async () => {
  const before = await shop.app.listenForScrapes("127.0.0.1", 0);
  const count = async (): Promise<number> => {
    const text = await (await fetch(before)).text();
    return (parsePrometheus(text).get("vitrine_http_requests_total")?.samples ?? [])
      .filter(({ labels }) => labels.route === "/search/suggest.json")
      .reduce((sum, { value }) => sum + value, 0);
  };
  const first = await count();
  await Promise.all(Array.from({ length: MANY }, () => searchFor("rain")));
  assert.equal(await count(), first + MANY);
});

test("a port in use is rejected", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => other.once("listening", done));
  const { port } = other.address() as { port: number };
  await assert.rejects(shop.app.listen("127.0.0.1", port), { code: "EADDRINUSE" });
  const taken = Number(new URL(shop.origin).port);
  await assert.rejects(shop.app.listen("127.0.0.1", taken), { code: "EADDRINUSE" });
  other.close();
});
