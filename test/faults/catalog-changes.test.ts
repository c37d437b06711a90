import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { run as runImport } from "../../src/cli/commands/import.ts";
import { add, readCart } from "../support/assertions.ts";
import { product, type RowJson, rows } from "../support/catalog.ts";
import type { Client } from "../support/client.ts";
import { buckets, type CartJson, type MutationJson, type SuggestJson } from "../support/replies.ts";
import { startShop, type TestShop, toJsonl } from "../support/shop.ts";
import { until } from "../support/until.ts";

async function importRows(shop: TestShop, changed: readonly RowJson[], ...flags: readonly string[]): Promise<void> {
  const file = join(shop.storeDir, "change.jsonl");
  await writeFile(file, toJsonl(changed));
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const errorOutput = text(stderr);
  stdout.resume();
  const code = await runImport(["--store", shop.storeDir, ...flags, file], {
    cwd: "/",
    stdout,
    stderr,
    env: {},
    program: "vitrine",
  });
  stderr.end();
  assert.equal(code, 0, await errorOutput);
}

async function untilShown(shop: TestShop, before: number): Promise<void> {
  await until(() => shop.app.shop.snapshot().revision !== before, "the change is shown");
}

const queries = [
  "rain",
  "flag",
  "signal flag",
  "harbour",
  "tote",
  "cap",
  "r",
  "s",
  "norrland",
  "coats",
  "imper",
  "レイン",
  "zeppelin",
  "nor07",
  "yellow",
];

async function answers(client: Client): Promise<readonly string[]> {
  const foundHandles: string[] = [];
  for (const prefix of ["", "/fr", "/ja"]) {
    for (const q of queries) {
      const type = "product,collection,page,article,bundle";
      const path = `${prefix}/search/suggest.json?q=${encodeURIComponent(q)}&type=${type}&limit_scope=each`;
      const { results } = (await client.get(path)).json<SuggestJson>().resources;
      for (const bucket of buckets) {
        // A full list may contain any of the equally ranked results.
        if (results[bucket].length === 10) continue;
        const titles = results[bucket].map(({ title, available }) => `${title} ${available}`).sort();
        foundHandles.push(`${prefix} ${q} ${bucket}: ${titles.join(", ")}`);
      }
    }
  }
  return foundHandles;
}

test("after many imports a running server equals a new one with the same catalog", async () => {
  const shop = await startShop();
  const byHandle = (handle: string): RowJson => rows.find((row) => row.handle === handle) as RowJson;
  const without = (...handles: readonly string[]): readonly RowJson[] =>
    rows.filter((row) => !handles.includes(String(row.handle)));
  const zeppelin = product(700, "zeppelin", "Zeppelin Harbour", [{ id: 7_000, price: 1, inventory_quantity: 1 }]);
  const coat = { ...byHandle("harbour-raincoat"), title: "Harbour Mantle", translations: { fr: { title: "Manteau" } } };
  const torn = { ...byHandle("signal-flag-torn"), variants: [{ id: 111, price: 100, inventory_quantity: 5 }] };
  const hidden = { ...byHandle("canvas-tote"), published: false };
  const steps: readonly (readonly [readonly RowJson[], readonly RowJson[], string[]])[] = [
    [[zeppelin], [...rows, zeppelin], []],
    [[coat, torn], [...without("harbour-raincoat", "signal-flag-torn"), coat, torn, zeppelin], []],
    [[hidden], [...without("harbour-raincoat", "signal-flag-torn", "canvas-tote"), coat, torn, zeppelin, hidden], []],
    [
      [...without("captains-cap", "rain-care"), zeppelin],
      [...without("captains-cap", "rain-care"), zeppelin],
      ["--prune"],
    ],
  ];
  try {
    for (const [changed, whole, flags] of steps) {
      const before = shop.app.shop.snapshot().revision;
      await importRows(shop, changed, ...flags);
      await untilShown(shop, before);
      const fresh = await startShop({ rows: whole });
      assert.deepEqual(await answers(shop.client()), await answers(fresh.client()));
      await fresh.close();
    }
  } finally {
    await shop.close();
  }
});

test("one response never mixes two catalogs", async () => {
  const goods = (price: number): readonly RowJson[] =>
    Array.from({ length: 8 }, (_, n) => product(n + 1, `thing-${n}`, `Thing ${n}`, [{ id: n + 100, price }]));
  const shop = await startShop({ rows: goods(100) });
  const client = shop.client();
  try {
    for (let n = 0; n < 8; n += 1) await add(client, n + 100);
    const seenRevisions = new Set<number>();
    let isDone = false;
    const reading = (async () => {
      while (!isDone) {
        const cart: CartJson = await readCart(client);
        const prices = new Set(cart.items.map(({ price }) => price));
        assert.equal(prices.size, 1, `one price, not ${[...prices]}`);
        const [price = 0] = prices;
        assert.equal(cart.total_price_cents, price * 8);
        seenRevisions.add(price);
      }
    })();
    for (const price of [200, 300, 400, 500]) {
      const before = shop.app.shop.snapshot().revision;
      await importRows(shop, goods(price));
      await untilShown(shop, before);
    }
    isDone = true;
    await reading;
    assert.ok(seenRevisions.size >= 3, `${[...seenRevisions]}`);
  } finally {
    await shop.close();
  }
});

test("JSON and sections report equally that a line exceeds stock (spec 2.3)", async () => {
  const sold = (stock: number): RowJson =>
    product(1, "lamp", "Lamp", [{ id: 11, price: 500, inventory_quantity: stock }]);
  const line = "{% assign i = cart.items[0] %}[{{ i.available }},{{ i.quantity }},{{ i.max_quantity }}]";
  const shop = await startShop({ rows: [sold(10)], themeFiles: { "sections/line.liquid": line } });
  const client = shop.client();
  await add(client, 11, 5);
  const { revision } = shop.app.shop.snapshot();
  await importRows(shop, [sold(3)]);
  await untilShown(shop, revision);
  const reply = (await client.get("/cart.js?sections=line")).json<MutationJson>();
  const [item] = reply.items as unknown as readonly Record<string, unknown>[];
  assert.deepEqual([item?.available, item?.quantity, item?.max_quantity], [false, 5, 3]);
  assert.match(reply.sections?.line ?? "", /\[false,5,3\]/);
  await shop.close();
});
