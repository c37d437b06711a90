import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { rows, variant } from "../support/catalog.ts";
import { createClient, send } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { type Family, parsePrometheus, seriesValue } from "../support/prometheus-text.ts";
import { openSocket } from "../support/raw-socket.ts";
import { makeStore, testSecret, toJsonl } from "../support/shop.ts";
import { freshDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

interface Measured {
  readonly origin: string;
  readonly storeDir: string;
  readonly metricsOrigin: string;
  scrape(): Promise<{ readonly text: string; readonly families: ReadonlyMap<string, Family> }>;
}

async function startMeasured(): Promise<Measured> {
  const storeDir = await makeStore({});
  const database = await freshDatabase();
  const app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", hasMetrics: true, ...database });
  after(async () => {
    await app.close();
    await rm(storeDir, { recursive: true, force: true });
  });
  const address = await app.listenForScrapes("127.0.0.1", 0);
  const origin = await app.listen("127.0.0.1", 0);
  const metricsOrigin = new URL(address).origin;
  return {
    origin,
    storeDir,
    metricsOrigin,
    async scrape() {
      const reply = await send(metricsOrigin, "GET", "/metrics");
      assert.equal(reply.status, 200);
      assert.equal(reply.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
      return { text: reply.text, families: parsePrometheus(reply.text) };
    },
  };
}

test("requests are counted by their route's pattern, method and status", async () => {
  const shop = await startMeasured();
  const client = createClient(shop.origin);
  for (const path of ["/products/harbour-raincoat", "/fr/products/harbour-raincoat", "/products/no-such-product"])
    await client.get(path);
  for (const path of ["/nowhere", "/nowhere/else.php", "/%ff"]) await client.get(path);
  await client.get("/products/harbour-raincoat.js");
  await client.send("HEAD", "/healthz");
  await client.send("BREW", "/healthz");
  await client.send("DELETE", "/cart/add.js");
  await client.get("/favicon.ico");
  const { families } = await shop.scrape();
  const counted = (route: string, status: number, method = "GET"): number =>
    seriesValue(families, "vitrine_http_requests_total", { route, method, status: String(status) });
  assert.equal(counted("/products/:handle", 200), 2);
  assert.equal(counted("/products/:handle", 404), 1);
  assert.equal(counted("/products/:file(^.+\\.js(?:on)?$)", 200), 1);
  assert.equal(counted("*", 404), 2);
  assert.equal(counted("*", 400), 1);
  assert.equal(counted("/healthz", 200, "HEAD"), 1);
  assert.equal(counted("/cart/add.js", 405, "DELETE"), 1);
  const timed = (route: string): number =>
    seriesValue(families, "vitrine_http_request_duration_seconds_count", { route });
  assert.deepEqual([timed("/products/:handle"), timed("*"), timed("/cart/add.js")], [3, 3, 1]);
  assert.ok(seriesValue(families, "vitrine_http_request_duration_seconds_sum", { route: "/products/:handle" }) > 0);
  assert.equal(seriesValue(families, "vitrine_http_requests_in_flight"), 0);
  assert.equal(seriesValue(families, "vitrine_http_unreadable_total", { status: "400" }), 1, "BREW is no method");
});

test("a client that disconnects early is counted as such and not timed", async () => {
  const shop = await startMeasured();
  const client = createClient(shop.origin);
  const token = await client.token();
  const socket = openSocket(shop.origin);
  socket.write(
    `POST /cart/add.js HTTP/1.1\r\nHost: ${new URL(shop.origin).host}\r\nX-CSRF-Token: ${token}\r\nCookie: csrf_token=${token}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  );
  await eventually(async () => {
    assert.equal(seriesValue((await shop.scrape()).families, "vitrine_http_requests_in_flight"), 1);
  });
  socket.destroy();
  await eventually(async () => {
    const { families } = await shop.scrape();
    const labels = { route: "/cart/add.js", method: "POST", status: "none" };
    assert.equal(seriesValue(families, "vitrine_http_requests_total", labels), 1);
    assert.equal(seriesValue(families, "vitrine_http_requests_in_flight"), 0);
    assert.equal(seriesValue(families, "vitrine_cart_writes_total", { operation: "add", outcome: "client_gone" }), 1);
    assert.equal(
      seriesValue(families, "vitrine_http_request_duration_seconds_count", { route: "/cart/add.js" }),
      0,
      "an upload that was given up says nothing of how fast answers are",
    );
  });
});

test("searches are counted with their results, cached responses separately", async () => {
  const shop = await startMeasured();
  const client = createClient(shop.origin);
  for (let times = 0; times < 4; times += 1) await client.get("/search/suggest.json?q=raincoat");
  await client.get("/search/suggest.json?q=zzzzqqqq");
  await client.get("/search?q=raincoat");
  const { families } = await shop.scrape();
  const result = (name: string) => seriesValue(families, "vitrine_search_cache_total", { result: name });
  assert.deepEqual([result("hit"), result("miss")], [2, 3], "kept once it is asked for again");
  assert.equal(seriesValue(families, "vitrine_search_hits_count", { source: "json" }), 3);
  assert.equal(seriesValue(families, "vitrine_search_hits_bucket", { source: "json", le: "0" }), 1);
  assert.equal(seriesValue(families, "vitrine_search_hits_count", { source: "page" }), 1);
  assert.equal(seriesValue(families, "vitrine_search_duration_seconds_count", { source: "json" }), 3);
});

test("each mechanism of runtime/ reports metrics under its name", async () => {
  const shop = await startMeasured();
  const client = createClient(shop.origin);
  const cacheLookups = async (): Promise<readonly number[]> => {
    const { samples = [] } = (await shop.scrape()).families.get("vitrine_cache_lookups_total") ?? {};
    // The values are hits and misses. Other shops of this process share the series.
    return samples.filter(({ labels }) => labels.cache === "responses").map(({ value }) => value);
  };
  const [hits = 0, misses = 0] = await cacheLookups();
  for (let times = 0; times < 3; times += 1) await client.get("/products/harbour-raincoat.js");
  assert.deepEqual(await cacheLookups(), [hits + 2, misses + 1]);
  for (let times = 0; times < 3; times += 1) await client.get("/search.json?queries[]=q%3Dtote");
  assert.deepEqual(await cacheLookups(), [hits + 3, misses + 3], "search results are cached with the second request");
  const { families, text } = await shop.scrape();
  assert.ok(seriesValue(families, "vitrine_cache_weight", { cache: "responses" }) > 0);
  for (const series of [
    'slots{slots="body_bytes",state="used"}',
    'poll_runs_total{job="',
    'queue_wait_seconds_count{lane="',
  ])
    assert.ok(text.includes(`vitrine_${series}`), series);
  assert.ok(families.has("vitrine_limit_reached_total"));
});

test("cart writes are counted by operation and outcome, with their database work", async () => {
  const shop = await startMeasured();
  const client = createClient(shop.origin);
  await client.token();
  const before = await shop.scrape();
  const write = (families: ReadonlyMap<string, Family>, operation: string, outcome: string) =>
    seriesValue(families, "vitrine_cart_writes_total", { operation, outcome });
  const databaseWrites = (families: ReadonlyMap<string, Family>) =>
    seriesValue(families, "vitrine_database_operations_total", { operation: "write", outcome: "done" });
  for (let times = 0; times < 3; times += 1) await client.post("/cart/add.js", { id: variant.unlimited });
  await client.post("/cart/add", { id: "no-such-variant" });
  await client.post("/cart/add.js", "{");
  await client.post("/cart/add.js", { id: variant.unlimited }, { "x-csrf-token": undefined });
  await client.post("/cart/change.js", { line: 1, quantity: 2 });
  await client.post("/cart/update.js", { note: "Ring twice." });
  await client.post("/cart/clear.js");
  const { families } = await shop.scrape();
  const outcomes = families.get("vitrine_cart_writes_total")?.samples.map(({ value }) => value) ?? [];
  assert.equal(
    outcomes.reduce((sum, value) => sum + value, 0),
    9,
  );
  assert.deepEqual(
    ["add", "change", "update", "clear"].map((operation) => write(families, operation, "done")),
    [3, 1, 1, 1],
  );
  assert.equal(write(families, "add", "csrf_missing"), 1);
  assert.equal(write(families, "add", "validation_failed"), 2);
  assert.ok(databaseWrites(families) - databaseWrites(before.families) >= 6);
  if (families.has("vitrine_database_connections")) {
    const state = (name: string) => seriesValue(families, "vitrine_database_connections", { state: name });
    assert.ok(state("in_use") + state("idle") >= 1);
    assert.equal(state("waiting"), 0);
  } else {
    const groups = (at: typeof families) => seriesValue(at, "vitrine_sqlite_group_writes_count");
    assert.ok(groups(families) >= groups(before.families) + 6, "writes one after the other share no commit");
    assert.ok(seriesValue(families, "vitrine_sqlite_group_writes_sum") >= groups(families));
    assert.ok(seriesValue(families, "vitrine_sqlite_commit_duration_seconds_sum") > 0);
  }
});

test("metrics cover catalog, index, event loop and version, and follow a catalog change", async () => {
  const shop = await startMeasured();
  const { families } = await shop.scrape();
  const revision = seriesValue(families, "vitrine_catalog_revision");
  assert.ok(revision >= 1);
  assert.ok(seriesValue(families, "vitrine_catalog_entries", { kind: "product" }) > 0);
  for (const name of ["vitrine_index_documents", "vitrine_index_bytes", "vitrine_catalog_bytes"])
    assert.ok(seriesValue(families, name) > 0, name);
  assert.equal(seriesValue(families, "vitrine_index_build_duration_seconds_count", { part: "whole" }), 1);
  assert.equal(families.get("vitrine_build_info")?.samples[0]?.value, 1);
  assert.ok(families.has("nodejs_eventloop_lag_p99_seconds"));
  // The command below would import into the store's SQLite file.
  if (families.has("vitrine_database_connections")) return;
  const file = join(shop.storeDir, "more.jsonl");
  await writeFile(file, toJsonl(rows.filter(({ kind }) => kind === "page").slice(0, 1)).replace("Rain", "Snow"));
  const { code, err } = await runCommand({ storeDir: shop.storeDir, env: {} }, "import", file);
  assert.equal(code, 0, err);
  await eventually(async () => {
    const later = (await shop.scrape()).families;
    assert.equal(seriesValue(later, "vitrine_catalog_revision"), revision + 1);
    assert.equal(seriesValue(later, "vitrine_index_build_duration_seconds_count", { part: "changes" }), 1);
  });
});

test("metrics contain no input of visitors, and visitors cannot create series", async () => {
  const shop = await startMeasured();
  const client = createClient(shop.origin);
  const mark = (place: string): string => `canary${place}`;
  const round = async (salt: string): Promise<void> => {
    const marked = (place: string): string => mark(place + salt);
    await client.get(`/search/suggest.json?q=${marked("query")}`);
    const browser = { "user-agent": marked("agent"), referer: `https://x.test/${marked("referer")}` };
    await client.get(`/search?q=${marked("page")}`, browser);
    await client.get(`/search/suggest?q=a&section_id=${marked("section")}`);
    for (const path of ["/", "/products/", "/collections/", "/pages/", "/assets/", "/media/", "/checkout/", "/fr/"])
      await client.get(path + marked("path"));
    await client.get("/cart.js", { cookie: `cart=${marked("cookie")}`, [marked("header")]: marked("value") });
    await client.post("/cart/add.js", { id: variant.unlimited, properties: { [marked("name")]: marked("value") } });
    await client.post("/cart/update.js", { note: marked("note"), discount: marked("code") });
    await client.post("/cart/add.js", `{"${marked("json")}`);
    await client.post("/cart/add.js", { id: marked("id") });
    await client.post("/cart/add.js", {}, { "x-csrf-token": marked("token") });
  };
  const seriesOf = (text: string): number => text.split("\n").filter((line) => !line.startsWith("#")).length;
  await round("0");
  const first = (await shop.scrape()).text;
  for (let times = 1; times < 20; times += 1) await round(String(times));
  const { text } = await shop.scrape();
  assert.doesNotMatch(text, /canary|harbour|127\.0\.0\.1/i);
  for (const [name, value] of client.cookies) assert.ok(!text.includes(value), name);
  // Heap spaces and garbage collection kinds appear at run time. Routes, statuses and outcomes do not.
  const own = (all: string): number => seriesOf(all.replaceAll(/^(?:nodejs|process)_.*$/gm, "#"));
  assert.equal(own(text), own(first));
});

test("the metrics listener serves only /metrics, and the store does not serve it", async () => {
  const shop = await startMeasured();
  const { metricsOrigin } = shop;
  for (const path of ["/", "/metrics/", "/cart.js", "/healthz", "//metrics", "/metrics/../cart.js"])
    assert.equal((await send(metricsOrigin, "GET", path)).status, 404, path);
  const posted = await send(metricsOrigin, "POST", "/metrics", { body: "x" });
  assert.deepEqual([posted.status, posted.headers.allow], [405, "GET, HEAD"]);
  const head = await send(metricsOrigin, "HEAD", "/metrics");
  assert.deepEqual([head.status, head.text], [200, ""]);
  assert.equal((await createClient(shop.origin).get("/metrics")).status, 404);
  const together = await Promise.all(Array.from({ length: 8 }, () => shop.scrape()));
  for (const { families } of together) assert.ok(families.size > 20);
});

/** Polls until the assertions of `check` hold. */
async function eventually(check: () => Promise<void>): Promise<void> {
  await until(() => check().then(() => true), "the assertions hold");
}
