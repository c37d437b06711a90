import assert from "node:assert/strict";
import { test } from "node:test";
import { add, assertCartError, assertInvalid, assertMutated, summary } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ config: { compat: { forms: true } } });

const urlencoded = { "content-type": "application/x-www-form-urlencoded" };
const boundary = "----vitrine";
const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` };

function parts(fields: Readonly<Record<string, string>>): string {
  const each = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${each.join("")}--${boundary}--\r\n`;
}

test("5 with compat.forms a urlencoded add is read", async () => {
  const body = `id=${variant.tracked}&quantity=2&properties%5BName%5D=Ada&sections=one`;
  const cart = assertMutated(await shop.client().post("/cart/add.js", body, urlencoded));
  assert.deepEqual(summary(cart), [[String(variant.tracked), 2]]);
  assert.equal(cart.items[0]?.properties?.Name, "Ada");
  assert.match(String(cart.sections?.one), /<p>one<\/p>/);
});

test("2.3 with compat.script an unset note is null, as themes made for Shopify expect", async () => {
  const compat = await startShop({ config: { compat: { script: true } } });
  const client = compat.client();
  const noteOf = async (): Promise<unknown> => (await client.get("/cart.js")).json<{ note?: unknown }>().note;
  assert.equal(await noteOf(), null);
  const reply = await client.post("/cart/update.js", { updates: { [variant.tracked]: 1 } });
  assert.equal(reply.json<{ note?: unknown }>().note, null);
  await client.post("/cart/update.js", { note: "Ring twice" });
  assert.equal(await noteOf(), "Ring twice");
});

test("2.1 with compat.script prices of suggestions are decimals, as scripts made for Shopify print them", async () => {
  const compat = await startShop({ config: { compat: { script: true } } });
  // A request without the test client, which compares responses with the types of openapi.yaml.
  const suggest = async ({ origin }: typeof shop): Promise<Record<string, unknown>> => {
    const body = await (await fetch(`${origin}/search/suggest.json?q=NOR.0707-60`)).text();
    return JSON.parse(body).resources.results.products[0];
  };
  const product = await suggest(compat);
  assert.equal(product.price, "120.00");
  assert.equal(product.price_cents, 12_000);
  assert.ok(product.matched_variant);
  const toDecimal = (key: string, value: unknown): unknown =>
    /price(?:_min|_max)?$/.test(key) && typeof value === "number" ? (value / 100).toFixed(2) : value;
  assert.deepEqual(product, JSON.parse(JSON.stringify(await suggest(shop), toDecimal)));
});

test("5 with compat.forms the cart form can be posted to /cart.js", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 1);
  const cart = assertMutated(await client.post("/cart.js", "updates%5B%5D=2&note=Ring+twice", urlencoded));
  assert.deepEqual([summary(cart), cart.note], [[[String(variant.tracked), 2]], "Ring twice"]);
});

test("5 with compat.forms scripts that accept only JSON get the cart at /cart, browsers and requests for sections do not", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 2);
  for (const accept of ["application/json", "application/json, text/javascript, */*; q=0.01"]) {
    const reply = await client.get("/cart", { accept });
    assert.equal(reply.json().item_count, 2, accept);
    assert.match(String(reply.headers["cache-control"]), /no-store/);
  }
  assert.equal((await client.get("/fr/cart", { accept: "application/json" })).json().item_count, 2);
  for (const accept of ["text/html,application/xhtml+xml", "*/*", "text/html, application/json"])
    assert.match(String((await client.get("/cart", { accept })).headers["content-type"]), /^text\/html/, accept);
  const visitor = shop.client();
  for (const [accept, type] of [
    ["application/json", /json/],
    ["text/html", /html/],
    ["application/json", /json/],
    ["text/html", /html/],
  ] as const)
    assert.match(String((await visitor.get("/cart", { accept })).headers["content-type"]), type, "without a cart");
  const section = await client.get("/cart?section_id=one", { accept: "application/json" });
  assert.match(section.text, /<p>one<\/p>/);
});

test("5 with compat.forms writes also have URLs that end in .json", async () => {
  const cart = assertMutated(await shop.client().post("/cart/add.json", { id: variant.tracked }));
  assert.deepEqual(summary(cart), [[String(variant.tracked), 1]]);
});

test("5 with compat.forms an update with an empty body returns the cart, as liquid-ajax-cart 1 requests it", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 1);
  const cart = assertMutated(await client.post("/cart/update.js", {}));
  assert.deepEqual(summary(cart), [[String(variant.tracked), 1]]);
});

test("5 with compat.forms a multipart add is read", async () => {
  const body = parts({
    id: String(variant.tracked),
    quantity: "2",
    form_type: "product",
    utf8: "✓",
    sections: "one,two",
  });
  const cart = assertMutated(await shop.client().post("/cart/add", body, multipart));
  assert.deepEqual(summary(cart), [[String(variant.tracked), 2]]);
  assert.deepEqual(Object.keys(cart.sections ?? {}), ["one", "two"]);
});

test("5 with compat.forms a file in a property is kept as its name", async () => {
  const fields = [
    ['"id"', `\r\n${variant.tracked}`],
    ['"properties[Photo]"; filename="ahoy.png"', "Content-Type: image/png\r\n\r\n…"],
    // Browsers send this for a file field without a file.
    ['"properties[Logo]"; filename=""', "Content-Type: application/octet-stream\r\n\r\n"],
  ].map(([name, content]) => `--x\r\nContent-Disposition: form-data; name=${name}\r\n${content}\r\n`);
  const type = { "content-type": "multipart/form-data; boundary=x" };
  const cart = assertMutated(await shop.client().post("/cart/add", `${fields.join("")}--x--\r\n`, type));
  assert.deepEqual(cart.items[0]?.properties, { Photo: "ahoy.png" });
});

test("5 with compat.forms checked boxes of a group are joined, and a checked box replaces the hidden field before it", async () => {
  const group = "properties[Extras][]=Nuts&properties[Extras][]=Rum";
  const body = encodeURI(`id=${variant.tracked}&${group}&properties[Gift]=No&properties[Gift]=Yes&quantity=2.0`);
  const cart = assertMutated(await shop.client().post("/cart/add.js", body, urlencoded));
  assert.deepEqual(
    cart.items.map(({ quantity, properties }) => [quantity, properties]),
    [[2, { Extras: "Nuts, Rum", Gift: "Yes" }]],
  );
  const item = encodeURI(`items[0][id]=${variant.tracked}&items[0][properties][Extras][]=Nuts`);
  const items = assertMutated(await shop.client().post("/cart/add.js", item, urlencoded)).items;
  assert.deepEqual(items[0]?.properties, { Extras: "Nuts" });
});

test("5 with compat.forms the fields of a theme may have any name except those that the server reads", async () => {
  const odd = { "options[Size]-main-1": "S", "quantity]": "7", "[": "a", "__proto__[id]": "1", "x[y": "z" };
  const cart = assertMutated(
    await shop.client().post("/cart/add", parts({ id: String(variant.tracked), ...odd }), multipart),
  );
  assert.deepEqual(summary(cart), [[String(variant.tracked), 1]]);
  for (const name of [
    "properties[Note",
    "items[0][id]]",
    "properties[__proto__]",
    "contact[toString]",
    "properties[a][b][c][d][e]",
  ])
    assertInvalid(
      await shop.client().post("/cart/add", parts({ id: String(variant.tracked), [name]: "a" }), multipart),
      "body",
      "form",
    );
});

test("5 with compat.forms items may lack a number, or have numbers with gaps in any order", async () => {
  const [first, second] = [variant.unlimited, variant.tracked].map(String);
  for (const body of [
    `items[5][id]=${second}&items[2][id]=${first}&items[5][quantity]=3`,
    `items[][id]=${first}&items[][id]=${second}&items[][quantity]=3`,
  ]) {
    const cart = assertMutated(await shop.client().post("/cart/add.js", encodeURI(body), urlencoded));
    assert.deepEqual(summary(cart), [
      [first, 1],
      [second, 3],
    ]);
  }
});

test("5 with compat.forms the name of a property may contain brackets", async () => {
  const body = parts({ id: String(variant.tracked), "properties[_Engraving [20 letters]]": "Ada" });
  const { items } = assertMutated(await shop.client().post("/cart/add", body, multipart));
  assert.deepEqual(items[0]?.properties, { "_Engraving [20 letters]": "Ada" });
  for (const item of ["items[0]", "items[]"]) {
    const fields = {
      [`${item}[id]`]: String(variant.tracked),
      [`${item}[properties][_Engraving [20 letters]]`]: "Ada",
    };
    const cart = assertMutated(await shop.client().post("/cart/add", parts(fields), multipart));
    assert.deepEqual(cart.items[0]?.properties, { "_Engraving [20 letters]": "Ada" });
  }
});

test("5 with compat.forms change and update are read", async () => {
  const client = shop.client();
  await add(client, variant.tracked);
  await add(client, variant.unlimited);
  const changed = assertMutated(await client.post("/cart/change.js", "line=2&quantity=4", urlencoded));
  assert.equal(changed.items[1]?.quantity, 4);
  const updated = assertMutated(
    await client.post("/cart/update.js", "updates%5B%5D=3&updates%5B%5D=5&note=Hello+you", urlencoded),
  );
  assert.deepEqual([updated.items.map(({ quantity }) => quantity), updated.note], [[3, 5], "Hello you"]);
});

test("5 with compat.forms the token, the cart id and all values are still checked", async () => {
  const client = shop.client();
  const body = `id=${variant.tracked}&quantity=`;
  assertCartError(
    await client.post("/cart/add.js", `${body}1`, { ...urlencoded, "x-csrf-token": undefined }),
    403,
    "csrf_missing",
  );
  for (const quantity of ["-1", "0", "1.5", "abc"])
    assertInvalid(await client.post("/cart/add.js", body + quantity, urlencoded), "quantity");
  assertInvalid(await client.post("/cart/add.js", `${body}1&cartId=x`, urlencoded), "cartId", "forbidden");
});
