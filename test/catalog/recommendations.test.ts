import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { product, type RowJson } from "../support/catalog.ts";
import type { Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import type { ResultJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const jumpers: readonly RowJson[] = ["red", "blue", "green", "grey"].map((colour, index) => ({
  ...product(10 + index, `${colour}-jumper`, `${colour} jumper`, [
    { id: 100 + index, price: 5_000, inventory_quantity: colour === "blue" ? 0 : 5 },
  ]),
  product_type: "Jumpers",
  tags: colour === "green" ? ["wool", "warm"] : ["wool"],
}));
const shop = await startShop({
  rows: [
    {
      ...product(1, "warm-jumper", "Warm jumper", [{ id: 1, price: 5_200 }]),
      product_type: "Jumpers",
      tags: ["wool", "warm"],
      translations: { fr: { title: "Pull chaud" } },
    },
    ...jumpers,
    { ...product(20, "wool-wash", "Wool wash", [{ id: 20, price: 900 }]), product_type: "Care", tags: ["wool"] },
    { ...product(21, "anvil", "Anvil", [{ id: 21, price: 90_000 }]), product_type: "Smithy", vendor: "Forge" },
    { ...product(22, "hook", "Hook", [{ id: 22, price: 300 }]), product_type: "Hardware", vendor: "Forge" },
    {
      ...product(30, "chosen", "Chosen", [{ id: 30, price: 100 }]),
      vendor: "Solo",
      product_type: "Solo",
      metafields: {
        related_products: ["anvil", "no-such", "chosen", "hook"],
        "shopify--discovery--product_recommendation": {
          complementary_products: { type: "list.product_reference", value: ["hook", "warm-jumper"] },
        },
      },
    },
    {
      ...product(31, "hidden", "Hidden jumper", [{ id: 31, price: 5_000 }]),
      product_type: "Jumpers",
      published: false,
    },
    {
      ...product(50, "boots", "Boots", [
        { id: 500, price: 9_000, options: ["42", "Black"], inventory_quantity: 0 },
        { id: 501, price: 9_000, options: ["43", "Brown"], inventory_quantity: 4 },
        { id: 502, price: 9_000, options: ["42", "Brown"], inventory_quantity: 4 },
      ]),
      product_type: "Boots",
      vendor: "Solo",
      options: ["Size", "Color"],
    },
    {
      kind: "bundle",
      id: 40,
      handle: "care",
      name: "Care",
      type: "frequently_bought_together",
      products: ["warm-jumper", "hook"],
    },
  ],
  themeFiles: {
    "templates/cart.json": '{ "sections": { "more": { "type": "related" } }, "order": ["more"] }',
    "sections/issues.liquid":
      "{% for issue in cart.issues %}{{ issue.message }} {{ issue.substitute.product.title }} {{ issue.substitute.url }}{% endfor %}",
    "sections/related.liquid":
      "{% if recommendations.performed? %}{% for product in recommendations.products %}{{ product.handle }} {% endfor %}{% endif %}",
  },
});
const client = shop.client();

async function handles(query: string): Promise<readonly string[]> {
  const reply = await client.get(`/recommendations/products.json?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<{ products: readonly ResultJson[] }>().products.map(({ handle }) => handle);
}

test("related products are ranked by shared attributes, sold-out ones last, without the product itself", async () => {
  const recommendedHandles = await handles("product_id=1");
  assert.equal(recommendedHandles[0], "green-jumper");
  assert.deepEqual(recommendedHandles.slice(1, 3).toSorted(), ["grey-jumper", "red-jumper"]);
  assert.equal(recommendedHandles.at(-1), "blue-jumper");
  assert.ok(recommendedHandles.includes("wool-wash"));
  for (const handle of ["warm-jumper", "anvil", "hidden"]) assert.ok(!recommendedHandles.includes(handle), handle);
  assert.deepEqual(await handles("product_id=1&limit=1"), ["green-jumper"]);
});

test("complementary products are those of shared bundles, then products of other types", async () => {
  const recommendedHandles = await handles("product_id=1&intent=complementary");
  assert.deepEqual(recommendedHandles.slice(0, 2), ["hook", "wool-wash"]);
});

test("the merchant's selection comes first", async () => {
  assert.deepEqual(await handles("product_id=30&limit=2"), ["anvil", "hook"]);
  assert.deepEqual(await handles("product_id=30&limit=2&intent=complementary"), ["hook", "warm-jumper"]);
});

test("the JSON contains the intent, in the language of the path", async () => {
  const reply = await client.get("/fr/recommendations/products?product_id=10");
  const { intent, products } = reply.json<{ intent: string; products: readonly ResultJson[] }>();
  assert.equal(intent, "related");
  const warm = products.find(({ handle }) => handle === "warm-jumper");
  assert.deepEqual([warm?.title, warm?.url], ["Pull chaud", "/fr/products/warm-jumper"]);
});

test("section_id renders a section with recommendations that caches may store", async () => {
  const reply = await client.get("/recommendations/products?product_id=1&limit=1&section_id=related");
  assert.match(reply.text, /^<div id="store-section-related">green-jumper <\/div>$/);
  assert.match(String(reply.headers["cache-control"]), /^public/);
  assert.equal(reply.headers["set-cookie"], undefined);
  assert.equal((await client.get("/recommendations/products?product_id=1&section_id=none")).status, 404);
  assert.match(
    (await client.get("/products/warm-jumper?section_id=related")).text,
    /^<div id="store-section-related"><\/div>$/,
  );
});

async function substitutesOf(reply: Reply): Promise<readonly (Substitute | null)[]> {
  const { issues } = reply.json<{ issues: readonly { substitute: Substitute | null }[] }>();
  return issues.map(({ substitute }) => substitute);
}

interface Substitute {
  readonly variant_id: number;
  readonly title: string;
  readonly url: string;
  readonly price: number;
}

test("the error for a sold-out item contains the nearest item in stock", async () => {
  const soldOut = await client.post("/fr/cart/add.js", { id: 101 });
  assert.equal(soldOut.status, 422);
  assert.deepEqual(await substitutesOf(soldOut), [
    {
      ...{ variant_id: 100, product_id: 10, title: "red jumper", url: "/fr/products/red-jumper?variant=100" },
      ...{ image: null, price: 5_000 },
    },
  ]);
  const [sameSize] = await substitutesOf(await client.post("/cart/add.js", { id: 500 }));
  assert.deepEqual([sameSize?.variant_id, sameSize?.title], [502, "Boots - 42 / Brown"]);
  const [none] = await substitutesOf(await client.post("/cart/add.js", { id: 100, quantity: 6 }));
  assert.equal(none, null, "five units are in stock");
});

test("a response has at most five substitutes", async () => {
  const items = Array.from({ length: 7 }, (_, n) => ({ id: 101, quantity: 1, properties: { Engraving: String(n) } }));
  const reply = await client.post("/cart/add.js", { items });
  assert.equal(reply.status, 422);
  const substitutes = await substitutesOf(reply);
  assert.equal(substitutes.length, 7);
  assert.deepEqual(
    substitutes.map((substitute) => substitute !== null),
    [true, true, true, true, true, false, false],
  );
});

test("an item of a cart that sells out gets a substitute in the issues, until that one sells out", async () => {
  const shopper = shop.client();
  const token = await createApiToken(shop, "stock:write");
  const setStock = async (id: number, quantity: number): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ variant_id: id, quantity });
    assert.equal((await client.send("POST", "/admin/stock", { headers, body })).status, 200);
  };
  await add(shopper, 502, 1);
  await setStock(502, 0);
  const ids = async (): Promise<readonly unknown[]> =>
    (await substitutesOf(await shopper.get("/cart.js"))).map((substitute) => substitute?.variant_id);
  assert.deepEqual(await ids(), [501]);
  assert.match((await shopper.get("/fr/cart?section_id=issues")).text, /\S Boots \/fr\/products\/boots\?variant=501</);
  await setStock(501, 0);
  assert.deepEqual(await ids(), [undefined], "no other boots, and no similar product");
  await setStock(502, 4);
  assert.deepEqual(await ids(), []);
});

test("a limit above 10 gets 10 recommendations, because themes ask for 12 or 16", async () => {
  const get = async (limit: number): Promise<string> =>
    (await client.get(`/recommendations/products.json?product_id=1&limit=${limit}`)).text;
  const most = await get(10);
  for (const limit of [11, 16, 1_000_000]) assert.equal(await get(limit), most);
});

for (const [query, status] of [
  ["", 422],
  ["product_id=1&limit=0", 422],
  ["product_id=1&limit=-1", 422],
  ["product_id=1&limit=abc", 422],
  ["product_id=1&intent=other", 422],
  ["product_id=no-such", 404],
  ["product_id=31", 404],
] as const)
  test(`recommendations for "${query}" are rejected`, async () => {
    assert.equal((await client.get(`/recommendations/products.json?${query}`)).status, status);
  });

test("a section of the requesting page's template shows recommendations, which are then not cached", async () => {
  const path = "/recommendations/products?product_id=30&section_id=more";
  const reply = await client.get(path, { referer: `${shop.origin}/cart` });
  assert.equal(reply.status, 200, reply.text);
  assert.match(reply.text, /^<div id="store-section-more">anvil hook /);
  for (let times = 0; times < 2; times += 1) assert.equal((await client.get(path)).status, 404);
});

test("an item that leaves the cart with its parent gets no substitute, because it is in stock", async () => {
  const shopper = shop.client();
  const items = [{ id: 20 }, { id: 102, parent_id: 20 }];
  assert.equal((await shopper.post("/cart/add.js", { items })).status, 200);
  const headers = { authorization: `Bearer ${await createApiToken(shop, "catalog:write")}` };
  const body = JSON.stringify({ patch: { kind: "product", id: 20, published: false } });
  const type = { "content-type": "application/json" };
  assert.equal((await client.send("POST", "/admin/catalog", { headers: { ...headers, ...type }, body })).status, 200);
  await until(async () => (await client.get("/products/wool-wash.js")).status === 404);
  assert.deepEqual(await substitutesOf(await shopper.get("/cart.js")), [null, null]);
});
