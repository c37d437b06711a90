import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { takeCatalogLease } from "../../src/storage/catalog/lease.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { product, rows } from "../support/catalog.ts";
import { type Reply, send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const shop = await startShop({ rows });
const token = await createApiToken(shop, "catalog:write", "stock:write");

const post = (
  lines: readonly object[] | string,
  headers: Readonly<Record<string, string>> = {},
  path = "/admin/catalog",
): Promise<Reply> =>
  send(shop.origin, "POST", path, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson", ...headers },
    body: typeof lines === "string" ? lines : lines.map((line) => JSON.stringify(line)).join("\n"),
  });

/** Polls the titles of the suggested products until there are enough. */
async function titles(q: string, isEnough: (found: readonly string[]) => boolean): Promise<readonly string[]> {
  return until(async () => {
    const reply = await shop.client().get(`/search/suggest.json?resources[type]=product&q=${encodeURIComponent(q)}`);
    const found = reply
      .json<{ resources: { results: { products: { title: string }[] } } }>()
      .resources.results.products.map(({ title }) => title);
    return isEnough(found) ? found : undefined;
  }, `suggestions for ${q} change`);
}

const compass = (title: string, price = 900) => product(7_001, "compass", title, [{ id: 70_011, price, sku: "C-1" }]);

test("rows are added, replaced, patched and deleted, and searchable afterwards", async () => {
  const added = await post([
    compass("Brass Compass"),
    product(7_002, "sextant", "Sextant", [{ id: 70_021, price: 5 }]),
  ]);
  assert.equal(added.status, 200, added.text);
  assert.deepEqual(added.json(), { repeated: false, changed: 2, removed: 0 });
  assert.deepEqual(await titles("compass", (found) => found.length > 0), ["Brass Compass"]);

  const changed = await post([
    { patch: { kind: "product", handle: "compass", title: "Steel Compass", variants: [{ sku: "C-1", price: 950 }] } },
    { delete: { kind: "product", handle: "sextant" } },
    { delete: { kind: "product", id: 404_404 } },
  ]);
  assert.deepEqual(changed.json(), { repeated: false, changed: 1, removed: 1 });
  assert.deepEqual(await titles("compass", (found) => found[0] === "Steel Compass"), ["Steel Compass"]);
  assert.deepEqual(await titles("sextant", (found) => found.length === 0), []);
  const { price, sku } =
    (await shop.client().get("/products/compass.js")).json<{ variants: Record<string, unknown>[] }>().variants[0] ?? {};
  assert.deepEqual([price, sku], [950, "C-1"]);
  assert.deepEqual((await post([compass("Steel Compass", 950)])).json(), { repeated: false, changed: 0, removed: 0 });
});

test("an invalid batch changes nothing, and each invalid line is reported with field and reason", async () => {
  const reply = await post(
    [
      JSON.stringify(compass("Gone Wrong")),
      "",
      JSON.stringify({ kind: "product", handle: "x", title: "", variants: [] }),
      JSON.stringify({ patch: { kind: "product", handle: "none-such", title: "A" } }),
      JSON.stringify({ kind: "collection", handle: "c", title: "C", products: ["nowhere"] }),
      JSON.stringify({ ...product(9_999, "canvas-tote", "Stolen handle", [{ id: 99_991, price: 1 }]) }),
    ].join("\n"),
  );
  assert.equal(reply.status, 400);
  const { fields, message } = reply.json<{
    message: string;
    fields: { line: number; field: string; message: string }[];
  }>();
  assert.match(message, /Nothing was changed: line 3/);
  const of = (line: number) => fields.filter((fault) => fault.line === line);
  assert.ok(of(3).some(({ field }) => field === "title"));
  assert.match(of(4)[0]?.message ?? "", /the store has no product "none-such" to change: send it without patch/);
  const others = await post([
    { kind: "collection", handle: "c", title: "C", products: ["nowhere"] },
    product(9_999, "canvas-tote", "Stolen handle", [{ id: 99_991, price: 1 }]),
    { delete: { kind: "nothing", id: 1 } },
  ]);
  assert.equal(others.json<{ fields: { line: number }[] }>().fields[0]?.line, 3);
  for (const named of [{ id: "a\0" }, { handle: "\ud800" }])
    for (const verb of ["patch", "delete"])
      assert.equal((await post([{ [verb]: { kind: "page", ...named, title: "A" } }])).status, 400, verb);
  const clashes = await post([
    { kind: "collection", handle: "c", title: "C", products: ["nowhere"] },
    product(9_999, "canvas-tote", "Stolen handle", [{ id: 99_991, price: 1 }]),
  ]);
  assert.deepEqual(
    clashes
      .json<{ fields: { line: number; field: string }[] }>()
      .fields.map(({ line, field }) => [line, field])
      .sort(),
    [
      [1, "products[0]"],
      [2, "handle"],
    ],
  );
  assert.deepEqual(await titles("gone wrong", () => true), []);
  assert.match((await shop.client().get("/products/canvas-tote.js")).text, /Canvas Tote/);
});

test("a batch is applied once per key, also concurrently", async () => {
  const headers = { "idempotency-key": "sync-1" };
  const lines = [product(7_003, "lead-line", "Lead Line", [{ id: 70_031, price: 5 }])];
  const replies = await Promise.all([post(lines, headers), post(lines, headers)]);
  assert.deepEqual(
    replies.map((reply) => reply.json().changed),
    [1, 1],
  );
  assert.deepEqual(replies.map((reply) => reply.json().repeated).sort(), [false, true]);
  assert.deepEqual((await post([{ delete: { kind: "product", id: 7_003 } }])).json().removed, 1);
  assert.equal((await post(lines, headers)).json().repeated, true);
  assert.deepEqual(await titles("lead line", (found) => found.length === 0), [], "it is not added again");
  assert.equal((await post([compass("Other")], headers)).status, 409);
});

test("a batch waits for a running import, and is rejected with Retry-After if it takes long", async () => {
  const { DATABASE_URL } = shop.env;
  const source =
    DATABASE_URL === undefined ? { file: join(shop.storeDir, "data", "vitrine.db") } : { url: DATABASE_URL };
  const database = await openDatabase(source);
  try {
    const lease = await takeCatalogLease(database, "another import");
    const refused = await post([compass("While Busy")]);
    assert.equal(refused.status, 409, refused.text);
    assert.equal(refused.json().error, "catalog_busy");
    assert.equal(refused.headers["retry-after"], "5");
    const waiting = post([compass("After All")]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await lease.release();
    assert.deepEqual((await waiting).json(), { repeated: false, changed: 1, removed: 0 });
  } finally {
    await database.close();
  }
});

test("a row sets stock only if its quantity changed, and a patch of other fields keeps sold units", async () => {
  const rope = (quantity: number, title = "Mooring Rope") =>
    product(7_010, "mooring", title, [{ id: 70_101, price: 5, inventory_quantity: quantity }]);
  const left = async (): Promise<unknown> => {
    const reply = await post([{ variant_id: 70_101, adjust: 0 }], {}, "/admin/stock");
    return reply.json<{ lines: { available: number }[] }>().lines?.[0]?.available;
  };
  const shown = async (title: string): Promise<void> => {
    assert.deepEqual(await titles("mooring", (found) => found[0] === title), [title]);
  };
  await post([rope(20)]);
  await shown("Mooring Rope");
  await post([{ variant_id: 70_101, adjust: -6 }], {}, "/admin/stock");
  await post([rope(20, "Mooring Line")]);
  await post([{ patch: { kind: "product", id: 7_010, title: "Mooring Cable" } }]);
  await shown("Mooring Cable");
  assert.equal(await left(), 14);
  await post([rope(30, "Mooring Chain")]);
  await shown("Mooring Chain");
  assert.equal(await left(), 30);
});

test("a restocked product ranks as available after its next change", async () => {
  const anchor = (id: number, title: string, quantity: number) =>
    product(id, `anchor-${id}`, title, [{ id: id * 10, price: 5, inventory_quantity: quantity }]);
  await post([anchor(7_021, "Anchor", 0), anchor(7_022, "Anchor", 5)]);
  const order = (isEnough: (handles: readonly string[]) => boolean): Promise<readonly string[]> =>
    until(async () => {
      const reply = await shop.client().get("/search/suggest.json?resources[type]=product&q=anchor");
      const handles = reply
        .json<{ resources: { results: { products: { handle: string }[] } } }>()
        .resources.results.products.map(({ handle }) => handle);
      return isEnough(handles) ? handles : undefined;
    }, "the order of suggestions");
  assert.deepEqual(await order((handles) => handles.length === 2), ["anchor-7022", "anchor-7021"]);
  await post([{ variant_id: 70_210, quantity: 3 }], {}, "/admin/stock");
  await post([{ patch: { kind: "product", id: 7_021, vendor: "Skerry" } }]);
  assert.deepEqual(await order(([first]) => first === "anchor-7021"), ["anchor-7021", "anchor-7022"]);
});

test("catalog edits require a token with their scope", async () => {
  const other = await createApiToken(shop, "stock:write");
  assert.equal((await post([compass("X")], { authorization: `Bearer ${other}` })).status, 403);
  assert.equal((await post([compass("X")], { authorization: "Bearer vitrine_nothing" })).status, 401);
});

test("deeply nested rows are rejected with their line, and pages are served meanwhile", async () => {
  const levels = 300_000;
  const deep = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const row = JSON.stringify({ ...compass("Deep Compass"), metafields: { custom: "DEEP" } }).replace('"DEEP"', deep);
  for (const body of [
    row,
    `{"patch":{"kind":"product","handle":"canvas-tote","metafields":${deep}}}`,
    `{"kind":"page","handle":"deep","title":"Deep","content":${deep.replaceAll('{"a":', "[").replaceAll("}", "]")}}`,
    `{"delete":${deep}}`,
  ]) {
    const reply = await post(body);
    assert.equal(reply.status, 400, reply.text);
    assert.match(reply.text, /is nested more than 64 levels deep/);
  }
  const shallow = row.replace(deep, `${'{"a":'.repeat(60)}1${"}".repeat(60)}`);
  assert.equal((await post(shallow)).status, 200);
  assert.equal((await shop.client().get("/products/canvas-tote")).status, 200);
});

test("keys and revisions of the wrong type are errors, and never a failure of the server", async () => {
  for (const value of [{ toString: 1 }, [{ toString: 1 }], {}, [], true, "1"])
    for (const line of [
      { ...compass("Brass Compass"), if_match: value },
      { patch: { kind: "product", handle: "compass", variants: [{ id: value }, { id: value }] } },
      { patch: { kind: "product", handle: "compass", variants: [{ sku: value }, { id: 70_011, sku: value }] } },
    ]) {
      const reply = await post([line]);
      assert.ok(reply.status < 500, `${JSON.stringify(line)}: ${reply.text}`);
    }
});
