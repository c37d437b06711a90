import assert from "node:assert/strict";
import { test } from "node:test";
import { add, readCart, summary } from "../support/assertions.ts";
import { rows, variant } from "../support/catalog.ts";
import type { Client, Headers, Reply } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const longId = "40230556827839";
const chart = { kind: "product", handle: "chart", title: "Chart", variants: [{ id: longId, price: 900 }] };
const shop = await startShop({
  rows: [...rows, chart],
  themeFiles: {
    "sections/context.liquid":
      "{% for item in checkout.items %}{{ item.product.title }} x {{ item.quantity }}, {% endfor %}-{{ checkout.total_discount }} codes={{ checkout.discount_codes.size }}",
  },
});

/** Request headers of a browser that follows a link on a page of the shop. */
const followed: Headers = {
  accept: "text/html,application/xhtml+xml",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
  "sec-fetch-site": "same-origin",
};
const elsewhere: Headers = { ...followed, "sec-fetch-site": "cross-site" };

async function visitor(): Promise<Client> {
  const client = shop.client();
  await client.get("/");
  return client;
}

function assertGoesTo(reply: Reply, path: string): void {
  assert.deepEqual([reply.status, reply.headers.location], [303, path], reply.text);
}

async function cartLines(client: Client): Promise<readonly (readonly [number, number])[]> {
  return summary(await readCart(client)).map(([id, quantity]) => [Number(id), quantity] as const);
}

test("a link to /cart/add on a page of the store adds with quantity and properties", async () => {
  const client = await visitor();
  assertGoesTo(
    await client.get(`/cart/add?id=${variant.unlimited}&quantity=3&properties[Gift]=yes`, followed),
    "/cart",
  );
  const cart = await readCart(client);
  assert.deepEqual(await cartLines(client), [[variant.unlimited, 3]]);
  assert.deepEqual(cart.items[0]?.properties, { Gift: "yes" });
  assertGoesTo(
    await client.get(`/fr/cart/add?id=${variant.tracked}&return_to=/pages/rain-care`, followed),
    "/pages/rain-care",
  );
  assert.deepEqual(await cartLines(client), [
    [variant.unlimited, 3],
    [variant.tracked, 1],
  ]);
});

test("links of a theme remove a line by key, variant or position, or clear the cart", async () => {
  const client = await visitor();
  for (const id of [variant.unlimited, variant.tracked, variant.scarce, variant.backorder]) await add(client, id, 2);
  const [first] = (await readCart(client)).items;
  assertGoesTo(await client.get(`/cart/change?id=${first?.key}&quantity=0`, followed), "/cart");
  assertGoesTo(await client.get(`/cart/change?id=${variant.tracked}&quantity=0`, followed), "/cart");
  assertGoesTo(await client.get("/cart/change?line=1&quantity=1", followed), "/cart");
  assert.deepEqual(await cartLines(client), [
    [variant.scarce, 1],
    [variant.backorder, 2],
  ]);
  assertGoesTo(await client.get(`/cart/update?updates[${variant.backorder}]=5`, followed), "/cart");
  assert.deepEqual((await cartLines(client))[1], [variant.backorder, 5]);
  assertGoesTo(await client.get("/cart/clear", followed), "/cart");
  assert.deepEqual(await cartLines(client), []);
});

test("a cross-site link, a prefetch, and an automatic request change nothing", async () => {
  const client = await visitor();
  await add(client, variant.unlimited, 1);
  for (const headers of [
    elsewhere,
    { ...followed, "sec-fetch-site": "same-site" },
    { ...followed, "sec-fetch-site": "none" },
    { ...followed, "sec-purpose": "prefetch;prerender" },
    { ...followed, "sec-fetch-dest": "iframe" },
    { accept: "text/html" },
  ])
    assertGoesTo(await client.get("/cart/clear", headers), "/cart");
  assert.equal((await client.get("/cart/clear")).status, 405);
  await client.send("HEAD", "/cart/clear", { headers: followed });
  assert.deepEqual(await cartLines(client), [[variant.unlimited, 1]]);
});

test("a cross-site link to /cart/add shows the product with the variant selected", async () => {
  const client = await visitor();
  const productPath = `/fr/products/harbour-raincoat?variant=${variant.tracked}`;
  assertGoesTo(await client.get(`/fr/cart/add?id=${variant.tracked}`, elsewhere), productPath);
  assertGoesTo(await client.get(`/cart/add?id=${variant.unknown}`, elsewhere), "/cart");
  assert.deepEqual(await cartLines(client), []);
});

test("a failed link shows the error on a page", async () => {
  const client = await visitor();
  const reply = await client.get(`/cart/add?id=${variant.soldOut}`, followed);
  assert.equal(reply.status, 422);
  assert.match(String(reply.headers["content-type"]), /^text\/html/);
});

test("/cart/<variant>:<quantity>,… opens a separate checkout from any site", async () => {
  const client = await visitor();
  await add(client, variant.scarce, 1);
  const path = `/fr/cart/${variant.unlimited}:2,${variant.tracked}:1?discount=TENOFF`;
  const reply = await client.get(path, elsewhere);
  assert.equal(reply.status, 303, reply.text);
  assert.match(String(reply.headers.location), /^\/fr\/checkout\/[\w-]{22,}$/);
  assert.equal(reply.headers["set-cookie"], undefined);
  const page = await client.get(String(reply.headers.location));
  assert.equal(page.status, 200);
  assert.match(page.text, /Canvas Tote x 2, Imperméable du port x 1, -1600/);
  assert.deepEqual(await cartLines(client), [[variant.scarce, 1]]);
});

test("a permalink of 100 items with long ids opens a checkout", async () => {
  const client = await visitor();
  const reply = await client.get(`/cart/${Array(100).fill(`${longId}:1`).join(",")}`, elsewhere);
  assert.match(String(reply.headers.location), /^\/checkout\//, reply.text);
});

test("a permalink has a note, and properties of its first item", async () => {
  const client = await visitor();
  const properties = Buffer.from(JSON.stringify({ Engraving: "Pétrel" })).toString("base64url");
  const path = `/cart/${variant.unlimited}:2,${variant.tracked}:1?note=For%20Ada&storefront=true&properties=${properties}`;
  assertGoesTo(await client.get(path, elsewhere), "/cart");
  const { note, items } = await readCart(client);
  assert.equal(note, "For Ada");
  assert.deepEqual(
    items.map(({ quantity, properties }) => [quantity, properties]),
    [
      [2, { Engraving: "Pétrel" }],
      [1, {}],
    ],
  );
  for (const query of ["properties=e30x", "properties=WzFd", `note=${"x".repeat(5_001)}`])
    assert.equal((await client.get(`/cart/${variant.unlimited}:1?${query}`)).status, 400, query);
});

test("a permalink fills in the form of the checkout, with the names of Shopify's links", async () => {
  const fields = "email name address1 zip city country province phone".split(" ");
  const checkout = fields.map((name) => `{{ order_form.${name} | escape }}`).join("|");
  const filled = await startShop({ themeFiles: { "templates/checkout.liquid": checkout } });
  const texts = { first_name: "Ada", last_name: "<b>", address1: "1 Quay", zip: "94110", city: "Rye", phone: "5" };
  const address = { ...texts, country: "United States", province: "California", company: "x" };
  const params = Object.entries(address).map(([name, text]) => [`checkout[shipping_address][${name}]`, text]);
  const query = new URLSearchParams([["checkout[email]", "ada@harbour.example"], ...params, ["ref", "x"]]);
  const client = filled.client();
  const link = await client.get(`/cart/${variant.unlimited}:1?${query}`, elsewhere);
  assert.equal(link.status, 303, link.text);
  const page = await client.get(String(link.headers.location), elsewhere);
  assert.match(page.text, /ada@harbour\.example\|Ada &lt;b&gt;\|1 Quay\|94110\|Rye\|US\|CA\|5/);
});

test("a permalink with storefront=true fills an empty cart, and never changes another one", async () => {
  const client = await visitor();
  assertGoesTo(await client.get("/discount/FIVE", elsewhere), "/");
  const path = `/fr/cart/${variant.unlimited}:2?storefront=true&discount=TENOFF`;
  assertGoesTo(await client.get(path, elsewhere), "/fr/cart");
  const cart = await readCart(client);
  assert.equal(cart.item_count, 2);
  const codes = cart.discount_codes as readonly { code: string }[];
  assert.deepEqual(
    codes.map(({ code }) => code),
    ["FIVE", "TENOFF"],
  );
  const reply = await client.get(`/cart/${variant.tracked}:1?storefront=true`, elsewhere);
  assert.match(String(reply.headers.location), /^\/checkout\//);
  assert.deepEqual(await cartLines(client), [[variant.unlimited, 2]]);
});

test("a permalink that is malformed, names unknown variants, or is prefetched creates no checkout", async () => {
  const client = await visitor();
  assert.equal((await client.get(`/cart/${variant.unknown}:1`)).status, 400);
  assert.equal((await client.get(`/cart/${variant.soldOut}:1`)).status, 422);
  for (const items of [`${variant.unlimited}:0`, `${variant.unlimited}:x`, ":1", ",", `${"1:1,".repeat(101)}1:1`]) {
    const { status } = await client.get(`/cart/${items}`);
    assert.ok(status === 400 || status === 404, `${items.slice(0, 20)}: ${status}`);
  }
  assertGoesTo(await client.send("HEAD", `/cart/${variant.unlimited}:1`), "/cart");
  assertGoesTo(await client.get(`/cart/${variant.unlimited}:1`, { "sec-purpose": "prefetch" }), "/cart");
});

test("an invalid code in a permalink is dropped, and the checkout continues", async () => {
  for (const code of ["%00", "x".repeat(300), "%20"]) {
    const client = await visitor();
    const reply = await client.get(`/cart/${variant.unlimited}:1?discount=${code}`);
    assert.equal(reply.status, 303, reply.text);
    assert.match((await client.get(String(reply.headers.location))).text, /Canvas Tote x 1, -0 codes=0/);
  }
});

test("/discount/<code> applies the code, also to a cart created later, and redirects", async () => {
  const client = await visitor();
  assertGoesTo(await client.get("/discount/TENOFF?redirect=/collections/flags", elsewhere), "/collections/flags");
  await add(client, variant.unlimited, 1);
  const codes = async () =>
    ((await readCart(client)).discount_codes as readonly { code: string }[]).map(({ code }) => code);
  assert.deepEqual(await codes(), ["TENOFF"]);
  assertGoesTo(await client.get("/fr/discount/five", elsewhere), "/fr/");
  assertGoesTo(await client.get("/discount/FIVE?redirect=https://other.example", elsewhere), "/");
  assert.deepEqual(await codes(), ["TENOFF", "FIVE"]);
});

test("a prefetched or malformed code is not applied", async () => {
  const client = await visitor();
  await add(client, variant.unlimited, 1);
  await client.send("HEAD", "/discount/TENOFF");
  await client.get("/discount/TENOFF", { "sec-fetch-dest": "image" });
  assertGoesTo(await client.get(`/discount/${"x".repeat(300)}`), "/");
  assert.deepEqual((await readCart(client)).discount_codes, []);
});
