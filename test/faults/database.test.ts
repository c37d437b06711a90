import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { add, assertCartError, assertMutated, readCart } from "../support/assertions.ts";
import { product, rows, variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import type { SuggestJson } from "../support/replies.ts";
import { serve, vitrine } from "../support/server-process.ts";
import { makeStore, openShop, startShop, toJsonl } from "../support/shop.ts";
import { until } from "../support/until.ts";

const stopped = await makeStore({});
after(() => rm(stopped, { recursive: true, force: true }));
await (await openShop(stopped)).close();

test("7.2 502 cart_service_unavailable: while another process locks the database, writes return 502, search works, and the server recovers", async () => {
  const shop = await startShop();
  const client = shop.client();
  try {
    await add(client, variant.tracked);
    const otherDatabase = new DatabaseSync(join(shop.storeDir, "data", "vitrine.db"));
    otherDatabase.exec("BEGIN IMMEDIATE");
    const write = client.post("/cart/add.js", { id: variant.tracked });
    assert.equal((await client.get("/search/suggest.json?q=rain")).status, 200);
    assertCartError(await write, 502, "cart_service_unavailable");
    assert.equal((await client.get("/readyz")).status, 503);
    otherDatabase.exec("ROLLBACK");
    otherDatabase.close();
    assert.equal((await add(client, variant.tracked)).item_count, 2);
  } finally {
    await shop.close();
  }
});

test("on a full disk writes return 502, acknowledged data stays, search works, readiness fails, and one log line reports it", async () => {
  const storeDir = await stoppedStore();
  // Files of the child process are limited to a megabyte. The unit of ulimit is 512 bytes.
  const server = await serve(storeDir, "ulimit -f 2048", { LOG_LEVEL: "warn" });
  const client = createClient(server.origin);
  await add(client, variant.unlimited);
  let acknowledged = "";
  let refusal: Awaited<ReturnType<typeof client.post>> | undefined;
  for (let n = 0; n < 2_000 && refusal === undefined; n += 1) {
    const note = `${n} ${"x".repeat(4_900)}`;
    const reply = await client.post("/cart/update.js", { note });
    if (reply.status === 200) acknowledged = note;
    else refusal = reply;
  }
  assert.ok(refusal, "the limit was reached");
  assertCartError(refusal, 502, "cart_service_unavailable");
  assert.equal((await client.get("/search/suggest.json?q=rain")).status, 200);
  assert.equal((await readCart(client)).note, acknowledged);
  for (let n = 0; n < 20; n += 1)
    assertCartError(await client.post("/cart/update.js", { note: "y".repeat(4_900) }), 502, "cart_service_unavailable");
  await until(async () => (await client.get("/readyz")).status === 503, "the server is not ready");
  server.child.kill("SIGTERM");
  const { stderr } = await server.finished;
  const logLines = stderr.split("\n").filter((line) => line.includes('"carts are unavailable"'));
  assert.equal(logLines.length, 1, stderr);
  assert.match(logLines[0] ?? "", /vitrine\.db: .*free space/);
  assert.doesNotMatch(stderr, /\\n +at /);
});

test("after a start on a full disk that also contains the log, search and pages work, carts return 502, and readiness fails", async () => {
  const storeDir = await stoppedStore();
  // Each write to /dev/full fails as on a full disk. macOS does not have this device.
  const limits = "ulimit -f 0; [ ! -e /dev/full ] || exec 2>/dev/full";
  const server = await serve(storeDir, limits, { LOG_LEVEL: "info", METRICS_PORT: "0" });
  const client = createClient(server.origin);
  for (const path of ["/search/suggest.json?q=rain", "/", "/products/harbour-raincoat", "/search?q=rain"])
    assert.equal((await client.get(path)).status, 200, path);
  assertCartError(await client.post("/cart/add.js", { id: variant.unlimited }), 502, "cart_service_unavailable");
  assert.equal((await client.get("/readyz")).status, 503);
  server.child.kill("SIGTERM");
  assert.equal((await server.finished).code, 0);
});

test("a file that is no database prevents the start with a message, not a stack trace", async () => {
  const storeDir = await stoppedStore();
  await writeFile(join(storeDir, "data", "vitrine.db"), "this is no database ".repeat(500));
  const { code, stderr } = await vitrine(["serve", storeDir, "--port", "0"]).finished;
  assert.equal(code, 1);
  assert.ok(/vitrine\.db/.test(stderr) && !/^\s+at /m.test(stderr), stderr);
});

test("an import during operation is visible without a restart, while cart writes continue", async () => {
  const shop = await startShop();
  const client = shop.client();
  try {
    await add(client, variant.unlimited);
    let isImporting = true;
    let writes = 0;
    const writing = (async () => {
      while (isImporting) {
        assertMutated(await client.post("/cart/add.js", { id: variant.unlimited }));
        writes += 1;
      }
    })();
    const file = join(shop.storeDir, "more.jsonl");
    await writeFile(file, toJsonl([product(900, "astrolabe", "Astrolabe", [{ id: 9_000, price: 4_200 }])]));
    const { code, stderr } = await vitrine(["import", "--store", shop.storeDir, file]).finished;
    assert.equal(code, 0, stderr);
    await until(async () => (await titles(client, "astrolabe")).length > 0, "the import is shown");
    isImporting = false;
    await writing;
    assert.ok(writes > 5, `${writes} writes meanwhile`);
    assert.deepEqual(await titles(client, "raincoat"), ["Harbour Raincoat"], "what was there is still there");
    assert.equal((await client.post("/cart/add.js", { id: 9_000 })).status, 200);
  } finally {
    await shop.close();
  }
});

test("an invalid import changes nothing and names file, line and field", async () => {
  const shop = await startShop();
  try {
    const file = join(shop.storeDir, "bad.jsonl");
    await writeFile(file, toJsonl([product(901, "sextant", "Sextant", [{ id: 9_010, price: 1 }])]));
    await appendFile(file, '{"kind":"product","handle":"no-title","variants":[{"id":1,"price":-5}]}\nnot json\n');
    const { code, err } = await runCommand(shop, "import", file);
    assert.equal(code, 1);
    assert.match(err, /bad\.jsonl:2: title: /);
    assert.match(err, /bad\.jsonl:2: variants\S*price: /);
    assert.match(err, /bad\.jsonl:3: /);
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.deepEqual(await titles(shop.client(), "sextant"), []);
  } finally {
    await shop.close();
  }
});

test("changed prices, stock and products appear in carts at once, with issues", async () => {
  const shop = await startShop();
  const client = shop.client();
  try {
    await add(client, variant.tracked, 5);
    await add(client, variant.unlimited, 1);
    await add(client, variant.scarce, 1);
    const changed = rows
      .filter((row) => row.handle !== "brass-button")
      .map((row) =>
        row.handle === "canvas-tote" ? { ...row, variants: [{ id: variant.unlimited, price: 2_500 }] } : row,
      )
      .map((row) =>
        row.handle === "harbour-raincoat"
          ? { ...row, variants: [{ id: variant.tracked, options: ["S"], price: 12_000, inventory_quantity: 3 }] }
          : row,
      );
    const file = join(shop.storeDir, "new.jsonl");
    await writeFile(file, toJsonl(changed));
    const { code, err } = await runCommand(shop, "import", "--prune", file);
    assert.equal(code, 0, err);
    const wanted = [
      [String(variant.tracked), 12_000],
      [String(variant.unlimited), 2_500],
    ];
    await until(async () => {
      const { items } = await readCart(client);
      assert.deepEqual(
        items.map((line) => [String(line.variant_id), line.price]),
        wanted,
      );
      return true;
    });
    const { issues } = assertMutated(await client.post("/cart/update.js", { note: "x" }));
    const codes = new Set(issues.map((issue) => issue.code));
    assert.deepEqual([...codes].sort(), ["inventory_cap", "line_removed", "price_changed"]);
  } finally {
    await shop.close();
  }
});

/** Returns a store with an imported catalog and no running server. */
async function stoppedStore(): Promise<string> {
  const copy = `${stopped}-${randomUUID()}`;
  after(() => rm(copy, { recursive: true, force: true }));
  await cp(stopped, copy, { recursive: true });
  return copy;
}

async function titles(client: ReturnType<typeof createClient>, q: string): Promise<readonly string[]> {
  const reply = await client.get(`/search/suggest.json?type=product&q=${q}`);
  return reply.json<SuggestJson>().resources.results.products.map(({ title }) => title);
}
