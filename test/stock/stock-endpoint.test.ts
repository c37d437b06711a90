import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { createThreadedApp } from "../../src/threads/threaded-app.ts";
import { add, readCart } from "../support/assertions.ts";
import { product, type RowJson, rows, variant } from "../support/catalog.ts";
import { createClient, type Reply, send } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { makeStore, startShop, testSecret } from "../support/shop.ts";
import { freshDatabase } from "../support/test-database.ts";
import { until } from "../support/until.ts";

const lamps: readonly RowJson[] = [
  { ...product(901, "lamp-one", "Lantern One", [{ id: 9011, price: 100, inventory_quantity: 4, sku: "L-1" }]) },
  { ...product(902, "lamp-two", "Lantern Two", [{ id: 9021, price: 100, inventory_quantity: 4, sku: "L-2" }]) },
  { ...product(903, "lamp-three", "Lantern Three", [{ id: 9031, price: 100, inventory_quantity: 0, sku: "twice" }]) },
  { ...product(904, "lamp-four", "Lantern Four", [{ id: 9041, price: 100, inventory_quantity: 4, sku: "twice" }]) },
  { kind: "collection", id: 950, handle: "lamps", title: "Lamps", products: ["lamp-one", "lamp-two", "lamp-three"] },
];
const themeFiles = {
  "templates/product.json": JSON.stringify({ sections: { main: { type: "stock" } }, order: ["main"] }),
  "sections/stock.liquid":
    "{% for variant in product.variants %}[{{ variant.id }}:{{ variant.inventory_quantity }}:{{ variant.available }}]{% endfor %}",
  "templates/collection.liquid":
    "{% for filter in collection.filters %}{% if filter.param_name contains 'availability' %}{% for value in filter.values %}({{ value.value }}:{{ value.count }}){% endfor %}{% endif %}{% endfor %}{% for product in collection.products %}<{{ product.handle }}:{{ product.available }}>{% endfor %}",
};
const shop = await startShop({ rows: [...rows, ...lamps], themeFiles });
const token = await createApiToken(shop, "stock:write");

const post = (
  body: string | readonly object[] | object,
  headers: Readonly<Record<string, string>> = {},
  origin = shop.origin,
): Promise<Reply> => {
  const isLines = Array.isArray(body);
  const text =
    typeof body === "string"
      ? body
      : isLines
        ? body.map((one) => JSON.stringify(one)).join("\n")
        : JSON.stringify(body);
  const usual = {
    authorization: `Bearer ${token}`,
    "content-type": isLines ? "application/x-ndjson" : "application/json",
  };
  return send(origin, "POST", "/admin/stock", { headers: { ...usual, ...headers }, body: text });
};

async function change(...lines: readonly object[]): Promise<void> {
  const reply = await post(lines);
  assert.equal(reply.status, 200, reply.text);
}

interface Suggested {
  readonly handle: string;
  readonly available: boolean;
}

async function suggested(query: string, origin = shop.origin): Promise<readonly Suggested[]> {
  const reply = await createClient(origin).get(`/search/suggest.json?resources[type]=product&${query}`);
  return reply.json<{ resources: { results: { products: Suggested[] } } }>().resources.results.products;
}

const pageOf = async (path: string): Promise<string> => (await shop.client().get(path)).text;

test("stock changes appear at once in suggestions, JSON, pages, facets and carts", async () => {
  const client = shop.client();
  await add(client, 9011, 4);
  assert.match(await pageOf("/products/lamp-one"), /\[9011:4:true\]/);
  assert.match(await pageOf("/collections/lamps"), /\(1:2\)\(0:1\)<lamp-one:true>/);
  assert.equal((await suggested("q=lantern+one"))[0]?.available, true);

  await change({ variant_id: 9011, quantity: 3 });
  assert.match(await pageOf("/products/lamp-one"), /\[9011:3:true\]/);
  const cart = (await readCart(client)) as unknown as { items: { available: boolean }[] };
  assert.equal(cart.items[0]?.available, false, "the cart holds four of three");
  const more = await client.post("/cart/add.js", { id: 9011, quantity: 1 });
  assert.match(more.text, /Only 3 of Lantern One|All 3/i);

  await change({ variant_id: "9011", adjust: -3 });
  assert.match(await pageOf("/products/lamp-one"), /\[9011:0:false\]/);
  assert.match(await pageOf("/collections/lamps"), /\(1:1\)\(0:2\)<lamp-one:false>/);
  assert.match(await pageOf("/collections/lamps?filter.v.availability=1"), /<lamp-two:true>/);
  assert.doesNotMatch(await pageOf("/collections/lamps?filter.v.availability=1"), /<lamp-one/);
  assert.equal((await shop.client().get("/products/lamp-one.js")).json().available, false);
  assert.equal((await shop.client().get("/variants/9011.js")).json().available, false);
  const soldOut = (await suggested("q=lantern+one")).find(({ handle }) => handle === "lamp-one");
  assert.equal(soldOut?.available, false);
  await change({ variant_id: "9011", quantity: 4 });
});

test("sold-out products are hidden or last at once, and restocked ones return", async () => {
  const hide = "resources[options][unavailable_products]=hide&q=lantern";
  const handles = async (query: string) => (await suggested(query)).map(({ handle }) => handle).sort();
  assert.deepEqual(await handles(hide), ["lamp-four", "lamp-one", "lamp-two"]);
  await change({ variant_id: 9011, quantity: 0 }, { variant_id: 9031, quantity: 2 });
  assert.deepEqual(await handles(hide), ["lamp-four", "lamp-three", "lamp-two"]);
  assert.equal((await suggested("q=lantern&resources[options][unavailable_products]=show")).length, 4);
  assert.deepEqual(
    (await suggested("q=lantern"))
      .map(({ handle }) => handle)
      .slice(-2)
      .includes("lamp-one"),
    true,
  );
  await change({ variant_id: 9011, quantity: 4 }, { variant_id: 9031, quantity: 0 });
  assert.deepEqual(await handles(hide), ["lamp-four", "lamp-one", "lamp-two"]);
});

test("each line gets a result: absolute and relative, by id and SKU, several of one variant in order", async () => {
  const lines = [
    { variant_id: 9021, quantity: 10 },
    { sku: "L-2", adjust: 5 },
    { sku: "NOR.0707-61", adjust: 2 },
    { variant_id: 9021, adjust: -1 },
  ];
  const reply = await post(lines);
  assert.equal(reply.status, 200, reply.text);
  const [left, other] = [14, 2];
  const shown = (line: number, id: number, quantity: number) => ({
    line,
    variant_id: String(id),
    quantity,
    held: 0,
    available: quantity,
  });
  assert.deepEqual(reply.json(), {
    repeated: false,
    lines: [shown(1, 9021, left), shown(2, 9021, left), shown(3, variant.soldOut, other), shown(4, 9021, left)],
  });
  assert.equal((await post({ variant_id: 9021, quantity: 4 })).status, 200);
  assert.equal((await post(JSON.stringify([{ variant_id: variant.soldOut, quantity: 0 }]))).status, 200);
});

test("SKU lookup is exact for any characters, unpublished products, and duplicates", async () => {
  const alike = Array.from({ length: 150 }, (_, n) => ({
    id: 97_000 + n,
    price: 1,
    inventory_quantity: 1,
    sku: `AB-${n}`,
  }));
  const many = alike.map((one, n) => product(9_700 + n, `alike-${n}`, `Alike AB ${n}`, [one]));
  const pair = (id: number, sku: string, published = true) => ({
    ...product(id, `p${id}`, `Plain ${id}`, [{ id: id * 10, price: 1, inventory_quantity: 3, sku }]),
    published,
  });
  const [odd, hidden, one, other] = [
    pair(981, "---"),
    pair(982, "H 1", false),
    pair(983, "both"),
    pair(984, "both", false),
  ];
  const twins = [1, 2].map((n) => ({
    id: 9_850 + n,
    options: [`${n}`],
    price: 1,
    inventory_quantity: 1,
    sku: "twins",
  }));
  const twin = { ...product(985, "twin", "Twin", twins), options: ["No"] };
  const otherShop = await startShop({ rows: [...many, odd, hidden, one, other, twin] });
  const bearer = { authorization: `Bearer ${await createApiToken(otherShop, "stock:write")}` };
  const ids = async (...skus: readonly string[]): Promise<unknown> => {
    const reply = await post(
      skus.map((sku) => ({ sku, adjust: -1 })),
      bearer,
      otherShop.origin,
    );
    if (reply.status === 200)
      return reply.json<{ lines: { variant_id: string }[] }>().lines.map((line) => line.variant_id);
    return reply.json<{ fields: { rule: string }[] }>().fields.map(({ rule }) => rule);
  };
  assert.deepEqual(await ids("---", "H 1", "AB-0", "AB-149", "AB-1"), ["9810", "9820", "97000", "97149", "97001"]);
  assert.deepEqual(await ids("both", "twins", "ab-0", "--", "H1"), ["unique", "unique", "known", "known", "known"]);
  const byId = await post([{ variant_id: "9820", quantity: 6 }], bearer, otherShop.origin);
  assert.equal(byId.status, 200, byId.text);
  assert.equal((await createClient(otherShop.origin).get("/products/p982.js")).status, 404);

  // Repeats the checks with changes made since the index was built.
  const path = join(otherShop.storeDir, "changed.jsonl");
  await writeFile(
    path,
    [{ ...odd, published: false }, pair(986, "new"), pair(984, "other", false)]
      .map((row) => JSON.stringify(row))
      .join("\n"),
  );
  const imported = await runCommand(otherShop, "import", path);
  assert.equal(imported.code, 0, imported.err);
  await until(
    async () => (await createClient(otherShop.origin).get("/products/p986.js")).status === 200,
    "the import is shown",
  );
  assert.deepEqual(await ids("---", "both", "new", "other"), ["9810", "9830", "9860", "9840"]);
  assert.equal((await createClient(otherShop.origin).get("/products/p981.js")).status, 404);
  await otherShop.close();
});

test("an invalid batch changes nothing, and each invalid line is reported", async () => {
  const reply = await post([
    { variant_id: 9021, quantity: 77 },
    { variant_id: "nobody's", quantity: 1 },
    { sku: "twice", adjust: 1 },
    { sku: "none such", adjust: 1 },
    { variant_id: variant.unlimited, quantity: 3 },
    { variant_id: 9021, quantity: 1, adjust: 1 },
    { variant_id: 9021, quantity: 1.5 },
    { quantity: 1 },
    { variant_id: 9021, adjust: 1_000_000_000 },
  ]);
  assert.equal(reply.status, 400);
  const { fields, error } = reply.json<{ error: string; fields: { line: number; field: string; rule: string }[] }>();
  assert.equal(error, "validation_failed");
  assert.deepEqual(
    fields.map(({ line, field, rule }) => [line, field, rule]),
    [
      [2, "variant_id", "known"],
      [3, "sku", "unique"],
      [4, "sku", "known"],
      [5, "variant_id", "tracked"],
      [6, "quantity", "required"],
      [7, "quantity", "integer"],
      [8, "variant_id", "required"],
      [9, "adjust", "max"],
    ],
  );
  assert.match(await pageOf("/products/lamp-two"), /\[9021:4:true\]/);
  for (const [body, type, rule] of [
    ['{"variant_id":1', "application/json", "json"],
    ["[1]", "application/json", "object"],
    ['{"a":1}\nx', "application/x-ndjson", "object"],
    ["", "application/x-ndjson", "required"],
    ["{}", "text/plain", "content_type"],
  ] as const) {
    const refused = await post(body, { "content-type": type });
    assert.equal(refused.status, 400, body);
    assert.equal(refused.json<{ fields: { rule: string }[] }>().fields[0]?.rule, rule, body);
  }
  const large = await post(`${'{"variant_id":9021,"quantity":1}\n'.repeat(70_000)}`);
  assert.equal(large.status, 413);
});

test("a batch is applied once per key", async () => {
  const headers = { "idempotency-key": "delivery-7" };
  const lines = [{ variant_id: 9041, adjust: 3 }];
  const replies = await Promise.all([post(lines, headers), post(lines, headers), post(lines, headers)]);
  for (const reply of replies) {
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.json<{ lines: { quantity: number }[] }>().lines[0]?.quantity, 7);
  }
  assert.equal(replies.filter((reply) => reply.json().repeated === false).length, 1);
  assert.equal((await post([{ variant_id: 9041, adjust: 1 }], headers)).status, 409);
  assert.match(await pageOf("/products/lamp-four"), /\[9041:7:true\]/);
});

test("stock changes require a token with their scope", async () => {
  const other = await createApiToken(shop, "catalog:write");
  assert.equal((await post([{ variant_id: 9021, quantity: 1 }], { authorization: "" })).status, 401);
  assert.equal((await post([{ variant_id: 9021, quantity: 1 }], { authorization: `Bearer ${other}` })).status, 403);
  assert.equal((await shop.client().get("/admin/stock")).status, 405);
});

test("servers and threads with one database share stock changes", async () => {
  const storeDir = await makeStore({ rows: [...rows, ...lamps], themeFiles });
  const database = await freshDatabase();
  const options = { storeDir, secret: testSecret, logLevel: "silent", ...database };
  const threaded = await createThreadedApp(options, 2);
  after(() => threaded.close());
  const origins = [await threaded.listen("127.0.0.1", 0)];
  const env = database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl };
  if (database.databaseUrl !== undefined) {
    const second = await createApp(options);
    after(() => second.close());
    origins.push(await second.listen("127.0.0.1", 0));
  }
  const own = await createApiToken({ storeDir, env }, "stock:write");
  for (let quantity = 5; quantity >= 0; quantity -= 1) {
    const reply = await post([{ variant_id: 9021, quantity }], { authorization: `Bearer ${own}` }, origins[0]);
    assert.equal(reply.status, 200, reply.text);
    // Any thread may accept a connection.
    for (let look = 0; look < 6; look += 1) {
      const { text } = await send(origins[0] ?? "", "GET", "/products/lamp-two", { headers: { connection: "close" } });
      assert.match(text, new RegExp(`\\[9021:${quantity}:`));
    }
    for (const origin of origins.slice(1)) {
      const page = async () => (await send(origin, "GET", "/products/lamp-two")).text;
      await until(async () => (await page()).includes(`[9021:${quantity}:`), `${origin} shows ${quantity}`);
    }
  }
});
