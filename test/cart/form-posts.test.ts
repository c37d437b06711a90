import assert from "node:assert/strict";
import { test } from "node:test";
import { add, readCart, summary } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import type { Client, Headers, Reply } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({
  themeFiles: { "sections/cart-form.liquid": "{% form 'cart', cart %}{{ cart.item_count }}{% endform %}" },
});
const compat = await startShop({ config: { compat: true } });

/** Request headers of a browser that submits a form without a script. */
const browser: Headers = {
  "content-type": "application/x-www-form-urlencoded",
  accept: "text/html,application/xhtml+xml",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "same-origin",
};

async function submit(
  client: Client,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Headers = {},
): Promise<Reply> {
  const csrf_token = await client.token();
  const body = new URLSearchParams({ form_type: "cart", utf8: "✓", csrf_token, ...fields }).toString();
  return client.send("POST", path, { headers: { ...browser, ...headers }, body });
}

function assertGoesTo(reply: Reply, path: string): void {
  assert.deepEqual([reply.status, reply.headers.location], [303, path], reply.text);
}

test("if a form has two fields of one line, the changed one counts", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 1);
  await add(client, variant.unlimited, 5);
  const csrf_token = await client.token();
  const send = async (quantities: readonly number[]): Promise<readonly number[]> => {
    const fields = [
      ...quantities.map((one) => ["updates[]", String(one)]),
      ["checkout", ""],
      ["csrf_token", csrf_token],
    ];
    const body = new URLSearchParams(fields).toString();
    assertGoesTo(await client.send("POST", "/cart", { headers: browser, body }), "/checkout");
    return summary(await readCart(client)).map(([, quantity]) => quantity);
  };
  assert.deepEqual(await send([1, 1, 5, 5]), [1, 5]);
  assert.deepEqual(await send([1, 5, 1, 5]), [1, 5]);
  assert.deepEqual(await send([1, 1, 5, 4]), [1, 4]);
  assert.deepEqual(await send([2, 4, 1, 4]), [2, 4]);
  assert.equal(
    (await submit(client, "/cart", { "updates[0]": "1", "updates[1]": "1", "updates[2]": "1" })).status,
    400,
  );
});

test("numbered form fields set quantities by position, select sections, and add items", async () => {
  const forms = await startShop({ config: { compat: { forms: true } } });
  const client = forms.client();
  const csrf_token = await client.token();
  const send = async (path: string, fields: Readonly<Record<string, string>>): Promise<Reply> => {
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-csrf-token": csrf_token };
    return client.send("POST", path, { headers, body: new URLSearchParams(fields).toString() });
  };
  const addReply = await send("/cart/add.js", {
    "items[0][id]": String(variant.tracked),
    "items[0][quantity]": "2",
    "items[1][id]": String(variant.unlimited),
    "sections[0]": "one",
    "sections[1]": "two",
  });
  assert.deepEqual(Object.keys(addReply.json<{ sections: object }>().sections), ["one", "two"]);
  assert.equal((await send("/cart/update.js", { "updates[1]": "4", "updates[0]": "1" })).status, 200);
  assert.deepEqual(
    summary(await readCart(client)).map(([, quantity]) => quantity),
    [1, 4],
  );
  assert.equal((await send("/cart/update.js", { [`updates[${variant.unlimited}]`]: "3" })).status, 200);
  assert.deepEqual(
    summary(await readCart(client)).map(([, quantity]) => quantity),
    [1, 3],
  );
  const page = await client.get("/products/canvas-tote?sections[0]=one&sections[1]=two");
  assert.deepEqual(Object.keys(page.json()), ["one", "two"]);
});

test("a shopper without scripts adds, sets quantities, removes, writes a note and checks out", async () => {
  const client = shop.client();
  assertGoesTo(await submit(client, "/cart", { id: String(variant.tracked), quantity: "2" }), "/cart");
  assertGoesTo(await submit(client, "/cart", { id: String(variant.unlimited), "properties[Name]": "Ada" }), "/cart");
  assertGoesTo(await submit(client, "/cart", { "updates[]": "3", update: "", note: "Ring twice" }), "/cart");
  const cart = await readCart(client);
  assert.deepEqual(
    summary(cart),
    [
      [String(variant.tracked), 3],
      [String(variant.unlimited), 1],
    ].map(([id, quantity]) => [id, quantity]),
  );
  assert.equal(cart.note, "Ring twice");
  assertGoesTo(await submit(client, "/cart", { remove: String(cart.items[0]?.key) }), "/cart");
  assertGoesTo(await submit(client, "/cart", { [`updates[${cart.items[1]?.key}]`]: "2", checkout: "" }), "/checkout");
  assert.deepEqual(summary(await readCart(client)), [[String(variant.unlimited), 2]]);
  assert.match(String((await client.get("/checkout")).headers.location), /^\/checkout\/\S{20,}$/);
});

test("a cart form whose action is the checkout changes the cart and leads to the checkout", async () => {
  const client = shop.client();
  await add(client, variant.tracked, 2);
  assertGoesTo(await submit(client, "/checkout", { "updates[]": "3", note: "Ring twice" }), "/checkout");
  assertGoesTo(await submit(client, "/fr/checkout", {}), "/fr/checkout");
  const { item_count, note } = await readCart(client);
  assert.deepEqual([item_count, note], [3, "Ring twice"]);
  assert.equal((await submit(client, "/checkout", { "updates[]": "9", csrf_token: "" })).status, 403);
});

test("a form response is in the language of the form and redirects to a return_to within the store", async () => {
  const client = shop.client();
  const item = { id: String(variant.unlimited) };
  assertGoesTo(await submit(client, "/fr/cart", item), "/fr/cart");
  assertGoesTo(await submit(client, "/cart", { ...item, return_to: "/products/canvas-tote" }), "/products/canvas-tote");
  for (const return_to of ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
    assertGoesTo(await submit(client, "/cart", { ...item, return_to }), "/cart");
  for (const [referer, path] of [
    [`${shop.origin}/collections/all?page=2`, "/collections/all?page=2"],
    ["https://evil.example/x", "/cart"],
    [undefined, "/cart"],
  ] as const) {
    const headers = { referer, origin: shop.origin };
    assertGoesTo(await submit(client, "/cart", { ...item, return_to: "back" }, headers), path);
  }
});

test("a form with an invalid token or from another site changes nothing and shows an error page", async () => {
  const client = shop.client();
  const item = { id: String(variant.unlimited) };
  const rejectedReplies = [
    await submit(client, "/cart", { ...item, csrf_token: "" }),
    await submit(client, "/cart", { ...item, csrf_token: "made-up" }),
    await submit(client, "/cart", item, { "sec-fetch-site": "cross-site" }),
    await submit(client, "/cart", item, { origin: "https://evil.example" }),
  ];
  for (const reply of rejectedReplies) {
    assert.equal(reply.status, 403);
    assert.match(String(reply.headers["content-type"]), /^text\/html/);
    assert.match(reply.text, /<h1>This page has expired, or your browser blocks cookies\./);
  }
  assert.equal((await readCart(client)).item_count, 0);
});

test("a rejected form shows the reason on a page", async () => {
  const client = shop.client();
  const soldOut = await submit(
    client,
    "/cart",
    { id: String(variant.soldOut) },
    { referer: `${shop.origin}/products/harbour-raincoat` },
  );
  assert.equal(soldOut.status, 422);
  assert.match(soldOut.text, /<h1>Harbour Raincoat[^<]* is sold out\.<\/h1>/);
  assert.match(soldOut.text, /<a href="\/products\/harbour-raincoat">Back<\/a>/);
  assert.equal((await submit(client, "/cart", { "updates[]": "many" })).status, 400);
  assert.equal((await submit(client, "/cart", { id: "no-such" })).status, 400);
});

test("a rejected form shows the reason in the language of the form", async () => {
  const client = shop.client();
  const item = { id: String(variant.unlimited) };
  const expired = await submit(client, "/fr/cart", { ...item, csrf_token: "" });
  assert.match(expired.text, /<html lang="fr" dir="ltr">/);
  assert.match(expired.text, /<h1>Cette page a expiré/);
  assert.match(expired.text, /<a href="\/fr\/">Continuer mes achats<\/a>/);
  const tooLarge = await submit(client, "/fr/cart", { ...item, note: "x".repeat(70_000) });
  assert.equal(tooLarge.status, 413);
  assert.match(tooLarge.text, /<h1>Les données sont trop volumineuses/);
  const headers = { referer: `${shop.origin}/fr/products/harbour-raincoat` };
  const soldOut = await submit(client, "/fr/cart", { id: String(variant.soldOut) }, headers);
  assert.match(soldOut.text, /<h1>[^<]* est épuisé/);
  assert.match(soldOut.text, /<a href="\/fr\/products\/harbour-raincoat">Retour<\/a>/);
});

test("forms in fetched sections contain the visitor's token", async () => {
  const client = shop.client();
  const token = await client.token();
  await add(client, variant.unlimited);
  const answers = await Promise.all(
    ["/cart?section_id=cart-form", "/cart.js?sections=cart-form"].map(async (path) => (await client.get(path)).text),
  );
  for (const text of answers) assert.ok(text.includes(token), text);
  assert.doesNotMatch((await shop.client().get("/?section_id=cart-form")).text, /csrf_token" value="[^"]/);
});

test("cart endpoints accept the token of a form only with compat.forms", async () => {
  const fields = { id: String(variant.unlimited), quantity: "1" };
  assert.equal((await submit(shop.client(), "/cart/add", fields)).status, 403);
  const client = compat.client();
  assertGoesTo(await submit(client, "/cart/add", fields), "/cart");
  assertGoesTo(await submit(client, "/cart/update", { "updates[]": "4" }), "/cart");
  assertGoesTo(await submit(client, "/cart/change", { line: "1", quantity: "3" }), "/cart");
  assert.deepEqual(summary(await readCart(client)), [[String(variant.unlimited), 3]]);
  const script = await submit(client, "/cart/add", fields, { "sec-fetch-mode": "cors", accept: "text/html" });
  assert.match(String(script.headers["content-type"]), /^application\/json/);
  assertGoesTo(await submit(client, "/cart/clear", {}), "/cart");
  assert.equal((await readCart(client)).item_count, 0);
});

test("with compat.forms, htmx is redirected to the page of which it shows parts", async () => {
  const client = compat.client();
  const fields = { id: String(variant.unlimited), quantity: "2" };
  const headers = {
    "hx-request": "true",
    "sec-fetch-mode": "cors",
    accept: "*/*",
    "x-csrf-token": await client.token(),
  };
  assertGoesTo(await submit(client, "/cart/add", fields, headers), "/cart");
  const script = await submit(client, "/cart/add.js", fields, headers);
  assert.match(String(script.headers["content-type"]), /^application\/json/);
  assert.equal((await readCart(client)).item_count, 4);
});

test("with compat.forms, the query of a write without a body is its form", async () => {
  const client = compat.client();
  const headers = { "x-csrf-token": await client.token() };
  const post = async (path: string): Promise<number> => {
    const { status, text } = await client.send("POST", path, { headers });
    assert.equal(status, 200, text);
    return (await readCart(client)).item_count;
  };
  assert.equal(await post(`/cart/add.js?id=${variant.unlimited}&quantity=2`), 2);
  assert.equal(await post("/cart/change.js?line=1&quantity=1"), 1);
  assert.equal(await post("/cart/change?line=1&quantity=0"), 0);
  const withoutForms = await shop.client().send("POST", `/cart/add.js?id=${variant.unlimited}`, { headers });
  assert.notEqual(withoutForms.status, 200);
});

for (const [fields, location] of [
  [{ locale_code: "fr", return_to: "/products/canvas-tote?variant=21" }, "/fr/products/canvas-tote?variant=21"],
  [{ language_code: "EN", return_to: "/fr/cart" }, "/cart"],
  [{ locale_code: "ja", return_to: "/fr" }, "/ja"],
  [{ locale_code: "de", return_to: "/fr/cart" }, "/fr/cart"],
  [{ country_code: "FR", return_to: "/cart" }, "/cart"],
  [{ locale_code: "en", return_to: "/fr//evil.example" }, "/evil.example"],
  [{ locale_code: "fr", return_to: "https://evil.example/" }, "/fr"],
  [{}, "/"],
] as const)
  test(`the language picker redirects ${JSON.stringify(fields)} to ${location}`, async () => {
    assertGoesTo(await submit(shop.client(), "/localization", fields), location);
  });

test("a language picker without return_to stays on the page", async () => {
  const referer = `${shop.origin}/collections/flags?page=2`;
  assertGoesTo(
    await submit(shop.client(), "/localization", { locale_code: "fr" }, { referer }),
    "/fr/collections/flags?page=2",
  );
  assert.equal((await shop.client().post("/localization", {})).status, 400);
});

test("only with compat.script, an added item is answered with the id of its variant, next to the cart", async () => {
  const key = { "idempotency-key": "add-once" };
  for (const { client, hasVariantId } of [
    { client: compat.client(), hasVariantId: true },
    { client: shop.client(), hasVariantId: false },
  ]) {
    const items = [{ id: variant.unlimited }, { id: variant.tracked }];
    for (const _ of ["first", "repeated"]) {
      const { json } = await client.post("/cart/add.js", { items }, key);
      const reply = json<{ readonly id: unknown; readonly cart: { readonly id: string } }>();
      assert.equal(reply.id, hasVariantId ? variant.tracked : reply.cart.id);
      assert.match(reply.cart.id, /^[\w-]{10,}$/);
    }
  }
});

test("with compat.script, scripts get an error for a quantity above the stock, and forms the units in stock", async () => {
  const client = compat.client();
  const readQuantity = async (): Promise<number | undefined> => (await readCart(client)).items[0]?.quantity;
  const { key } = await add(client, variant.tracked, 2);
  const { status, json } = await client.post("/cart/change.js", { line: 1, quantity: 11, sections: "main" });
  const reply = json<{ readonly errors: string; readonly cart: object }>();
  assert.equal(status, 422);
  assert.match(reply.errors, /^Only 10 of .* available\. 2 already in your cart\.$/);
  assert.equal(await readQuantity(), 2);
  assertGoesTo(await submit(client, "/cart/change", { id: String(key), quantity: "11" }), "/cart");
  assert.equal(await readQuantity(), 10);
  assert.equal((await client.post("/cart/change.js", { line: 1, quantity: 9 })).status, 200);
});
