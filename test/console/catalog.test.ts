import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConsoleServices } from "../../src/http/console/console-page.ts";
import { listConsoleRoutes } from "../../src/http/console/console-routes.ts";
import { variant } from "../support/catalog.ts";
import type { Client, Reply } from "../support/client.ts";
import { send } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

let now = Date.parse("2026-11-30T08:00:00Z");
const shop = await startShop({ now: () => now, hasTheme: false, config: { console: true } });
const scopes = "console,catalog:read,catalog:write,stock:write";
const token = (await runCommand(shop, "token", "create", "--scopes", scopes, "--name", "Office")).out.trim();
const { client, csrf } = await logIn(shop, token);

const fieldsOf = (page: string, names: RegExp): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/name="((?:variant|product)\[[^"]+)"[^>]* value="([^"]*)"/g)].flatMap(
      ([, name = "", value = ""]) => (names.test(name) ? [[name, value]] : []),
    ),
  );

const pageOf = async (path: string): Promise<string> => (await client.get(path)).text;

/** Returns the fields of the first form with prices of a page. */
const tableOf = async (path: string): Promise<Record<string, string>> =>
  fieldsOf(await pageOf(path), /^(?:variant|product\[\d+\]\[(?:id|revision))/);

const submit = (
  path: string,
  operation: string,
  fields: Readonly<Record<string, string>>,
  sender: Client = client,
): Promise<Reply> => postForm(shop, sender, path, { csrf, operation, ...fields });

const asApi = (
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  send(shop.origin, method, path, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const raincoat = "/admin/products/harbour-raincoat";
const cartPrice = async (id: number): Promise<unknown> =>
  (await shop.client().get("/products/harbour-raincoat.js"))
    .json<{ variants: { id: number; price: number }[] }>()
    .variants.find((one) => one.id === id)?.price;

test("prices and stock are edited in place, for shoppers at once, and the log says who changed what", async () => {
  const fields = await tableOf(raincoat);
  assert.equal(fields["variant[0][price]"], "120.00");
  assert.equal(fields["variant[0][quantity]"], "10");
  const changed = {
    ...fields,
    "variant[0][price]": "99.50",
    "variant[0][compare]": "120.00",
    "variant[0][quantity]": "7",
  };
  const reply = await submit(raincoat, "save", changed);
  assert.equal(reply.headers.location, `${raincoat}?done=save`, reply.text);
  assert.match(await pageOf(`${raincoat}?done=save`), /Changes saved\./);
  const saved = await tableOf(raincoat);
  assert.deepEqual(
    [saved["variant[0][price]"], saved["variant[0][compare]"], saved["variant[0][quantity]"]],
    ["99.50", "120.00", "7"],
  );
  assert.equal(saved["variant[1][price]"], "125.00");
  await until(async () => (await cartPrice(variant.tracked)) === 9_950, "shoppers see the price");
  const changes = (await pageOf("/admin/changes"))
    .replaceAll(/<\/?bdi>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
  assert.match(changes, /Office Harbour Raincoat - S: stock set to 7/);
  assert.match(
    changes,
    /Office Product &quot;Harbour Raincoat&quot;: Variant 11: Price \$120\.00 → \$99\.50; Variant 11: Compare-at price – → \$120\.00/,
  );
  assert.equal((await submit(raincoat, "save", saved)).headers.location, `${raincoat}?done=nothing`);
});

test("a table of several products is saved at once, and invalid fields are shown and change nothing", async () => {
  const path = "/admin/products?view=edit&q=";
  const fields = await tableOf(path);
  const ids = Object.entries(fields).filter(([name]) => /^variant\[\d+\]\[id\]$/.test(name));
  const fieldOf = (id: number, field: string): string =>
    `variant[${/\d+/.exec(ids.find(([, value]) => value === String(id))?.[0] ?? "")?.[0]}][${field}]`;
  const wrong = {
    ...fields,
    [fieldOf(variant.unlimited, "price")]: "cheap",
    [fieldOf(variant.scarce, "quantity")]: "2.5",
  };
  const rejected = await submit(path, "save", wrong);
  assert.equal(rejected.status, 400);
  assert.match(rejected.text, /Canvas Tote: &quot;cheap&quot; is not a price.*is not a quantity/);
  assert.match(rejected.text, /value="cheap"/);
  assert.deepEqual(await tableOf(path), fields);
  const right = { ...fields, [fieldOf(variant.unlimited, "price")]: "21", [fieldOf(variant.scarce, "quantity")]: "5" };
  assert.equal((await submit(path, "save", right)).status, 303);
  const saved = await tableOf(path);
  assert.equal(saved[fieldOf(variant.unlimited, "price")], "21.00");
  assert.equal(saved[fieldOf(variant.scarce, "quantity")], "5");
});

test("two users do not overwrite each other's prices or stock", async () => {
  const [first, second] = [await tableOf(raincoat), await tableOf(raincoat)];
  assert.equal((await submit(raincoat, "save", { ...first, "variant[0][price]": "80.00" })).status, 303);
  const late = await submit(raincoat, "save", { ...second, "variant[1][price]": "70.00" });
  assert.equal(late.status, 412);
  assert.match(late.text, /Someone else changed one of these products/);
  assert.match(late.text, /name="variant\[0\]\[price\]"[^>]*value="80.00"/);
  assert.match(late.text, /name="variant\[1\]\[price\]"[^>]*value="125.00"/);

  const seen = await tableOf(raincoat);
  assert.equal((await asApi("POST", "/admin/stock", { variant_id: variant.tracked, adjust: -1 })).status, 200);
  const stale = await submit(raincoat, "save", { ...seen, "variant[0][quantity]": "20", "variant[1][quantity]": "4" });
  assert.equal(stale.status, 412);
  const current = await tableOf(raincoat);
  assert.deepEqual([current["variant[0][quantity]"], current["variant[1][quantity]"]], ["6", "0"], "all or nothing");
});

test("products are unpublished and published, alone or together", async () => {
  const status = async (): Promise<number> => (await shop.client().get("/products/canvas-tote")).status;
  const path = "/admin/products/canvas-tote";
  const page = await pageOf(path);
  const fields = { ...fieldsOf(page, /^product/), "product[0][selected]": "yes" };
  assert.equal((await submit(path, "unpublish", fields)).headers.location, `${path}?done=unpublish`);
  await until(async () => (await status()) === 404, "the product is hidden");
  const all = fieldsOf(await pageOf("/admin/products?status=unpublished"), /^product/);
  const ids = Object.keys(all).filter((name) => name.endsWith("[id]"));
  assert.equal(ids.length, 2);
  const selected = Object.fromEntries(ids.map((name) => [name.replace("[id]", "[selected]"), "yes"]));
  const reply = await submit("/admin/products?status=unpublished", "publish", { ...all, ...selected });
  assert.equal(reply.status, 303);
  await until(async () => (await status()) === 200, "the product is shown");
  assert.equal((await shop.client().get("/products/rain-prototype")).status, 200);
  assert.match(await pageOf("/admin/products?status=unpublished"), /No products found/);
});

test("a product is in the list of its new status at once", async () => {
  const path = "/admin/products/canvas-tote";
  for (const operation of ["unpublish", "publish", "unpublish", "publish", "unpublish", "publish"]) {
    await submit(path, operation, { ...fieldsOf(await pageOf(path), /^product/), "product[0][selected]": "yes" });
    assert.equal((await pageOf("/admin/products?q=canvas+tote")).includes(path), operation === "publish");
  }
});

test("discounts are created and ended, and an existing code is not replaced", async () => {
  const create = (fields: Readonly<Record<string, string>>): Promise<Reply> =>
    submit("/admin/discounts", "create", { value_type: "percentage", value: "25", ...fields });
  assert.equal(
    (
      await create({
        code: "winter",
        title: "Winter sale",
        starts_on: "2026-11-01",
        ends_on: "2026-12-31",
        usage_limit: "100",
      })
    ).status,
    303,
  );
  const page = await pageOf("/admin/discounts");
  assert.match(page, /winter[\s\S]*25% off, at most 100 uses[\s\S]*Active/);
  const shopper = shop.client();
  await shopper.post("/cart/add.js", { id: variant.unlimited, quantity: 1 });
  const reduced = async (): Promise<boolean> =>
    /"code":"winter","applicable":true/i.test((await shopper.post("/cart/update.js", { discount: "WINTER" })).text);
  await until(reduced, "the code applies");
  const again = await create({ code: "WINTER", value: "90" });
  assert.equal(again.status, 412);
  assert.match(again.text, /already exists/);
  assert.equal(
    (await create({ title: "Automatic", value_type: "fixed_amount", value: "1.50", collections: "nowhere" })).status,
    400,
  );
  for (const [fields, message] of [
    [{ value: "101", code: "X" }, /percentage/],
    [{ value: "5" }, /Enter a code, or a title/],
    [{ code: "A,B" }, /cannot contain a comma/],
    [{ code: "X", usage_limit: "0" }, /number of uses/],
    [{ code: "X", minimum_subtotal: "x" }, /minimum order/],
  ] as const) {
    const rejected = await create(fields);
    assert.equal(rejected.status, 400);
    assert.match(rejected.text, message);
  }
  for (const [fields, text] of [
    [{ title: "Ship", value_type: "free_shipping" }, /Ship[\s\S]*Free shipping/],
    [
      {
        title: "Bulk",
        value_type: "percentage",
        quantity_breaks: "3: 10, 10: 20",
        customer_limit: "1",
        exclusive: "1",
      },
      /10% off from 3 units, 20% off from 10 units, at most 1 for each customer, not with other discounts/,
    ],
    [
      { title: "Gift", value_type: "buy_x_get_y", buy_quantity: "2", get_quantity: "1", products: "harbour-raincoat" },
      /Buy 2, get 1 free, for harbour-raincoat/,
    ],
  ] as const) {
    const created = await create({ value: "", starts_on: "2030-01-01", ...fields });
    assert.equal(created.status, 303, created.text);
    assert.match(await pageOf("/admin/discounts"), text);
  }
  for (const [fields, message] of [
    [{ title: "Bulk", quantity_breaks: "three" }, /Enter price breaks/],
    [{ title: "Gift", value_type: "buy_x_get_y", get_quantity: "1" }, /how many units the customer buys/],
  ] as const) {
    const rejected = await create(fields);
    assert.equal(rejected.status, 400);
    assert.match(rejected.text, message);
  }
  const [, id = "", revision = ""] =
    /name="id" value="([^"]+)"><input type="hidden" name="revision" value="(\d+)"><button[^>]*aria-label="End winter"/.exec(
      page,
    ) ?? [];
  now += 1_000;
  assert.equal((await submit("/admin/discounts", "end", { id, revision })).status, 303);
  now += 1_000;
  assert.match(await pageOf("/admin/discounts"), /winter[\s\S]*Ended/);
  await until(async () => !(await reduced()), "the code does not apply");
  assert.equal((await submit("/admin/discounts", "end", { id, revision })).status, 412);
});

test("the API returns revisions, and rejects a change of another revision", async () => {
  const read = await asApi("GET", "/api/products/harbour-raincoat");
  const { revision, product } = read.json<{ revision: number; product: { id: number } }>();
  assert.equal(read.headers.etag, `"${revision}"`);
  assert.equal(product.id, 1);
  const patch = { patch: { kind: "product", id: 1, vendor: "Nordland" } };
  const stale = await asApi("POST", "/admin/catalog", patch, { "if-match": `"${revision - 1}"` });
  assert.equal(stale.status, 412);
  assert.equal(stale.json().error, "catalog_changed");
  now += 1_000;
  assert.equal((await asApi("POST", "/admin/catalog", patch, { "if-match": `"${revision}"` })).status, 200);
  now += 1_000;
  const lines = [{ ...patch, if_match: revision }, { patch: { kind: "product", id: 2, vendor: "x" } }];
  const batch = await asApi("POST", "/admin/catalog", lines);
  assert.deepEqual([batch.status, batch.json<{ fields: unknown[] }>().fields.length], [412, 1]);
  assert.doesNotMatch((await asApi("GET", "/api/products/2")).text, /"vendor":"x"/);
  assert.equal((await asApi("POST", "/admin/catalog", { ...patch, if_match: "1" })).status, 400);
  const stock = { variant_id: variant.tracked, quantity: 3, compare_quantity: 1 };
  const reply = await asApi("POST", "/admin/stock", stock);
  assert.deepEqual([reply.status, reply.json().error], [412, "stock_changed"]);
  now += 1_000;
  assert.equal((await asApi("POST", "/admin/stock", { ...stock, compare_quantity: 6 })).status, 200);
  const { entries } = (await asApi("GET", "/api/catalog/log?limit=2")).json<{ entries: Record<string, unknown>[] }>();
  assert.deepEqual(
    entries.map(({ source, operation }) => [source, operation]).toSorted(),
    [
      ["api", "catalog"],
      ["api", "stock"],
    ].toSorted(),
  );
  const unpublished = await asApi("GET", "/api/products?published=false");
  assert.deepEqual(unpublished.json(), { products: [], next: null });
  assert.match((await asApi("GET", "/api/discounts/winter")).text, /"ends_at"/);
});

test("a login without the scopes sees the pages without forms, and each form that changes the shop rejects it", async () => {
  const viewer = await logIn(shop, await createApiToken(shop, "console"));
  const before = await tableOf(raincoat);
  for (const path of [raincoat, "/admin/products", "/admin/csv", "/admin/discounts"])
    assert.match((await viewer.client.get(path)).text, /Your token may only view this page/);
  const formRoutes = listConsoleRoutes({ process: {}, console: {} } as unknown as ConsoleServices).filter(
    ({ methods }) => methods.POST,
  );
  // The other forms change search rules, which need the scope of the console only, or the login itself.
  for (const { path } of formRoutes.filter(({ formScopes }) => formScopes === undefined))
    assert.match(path, /^\/admin\/(?:rules|login|first-login|logout|language)/);
  const paths = formRoutes.filter(({ formScopes }) => formScopes !== undefined).map(({ path }) => path);
  assert.ok(paths.length >= 5);
  for (const path of paths) {
    const target = path.replace(":handle", "harbour-raincoat").replace(":number", "1001");
    const fields = { ...before, csrf: viewer.csrf, operation: "save", "variant[0][price]": "1" };
    const reply = await postForm(shop, viewer.client, target, fields);
    assert.equal(reply.status, 403, path);
    assert.match(reply.text, /log in with a token of/);
  }
  const stockOnly = await logIn(shop, await createApiToken(shop, "console", "stock:write"));
  const fields = { ...before, csrf: stockOnly.csrf, operation: "save" };
  assert.equal((await postForm(shop, stockOnly.client, raincoat, { ...fields, "variant[0][price]": "1" })).status, 403);
  assert.equal((await postForm(shop, stockOnly.client, raincoat, { ...fields, operation: "unpublish" })).status, 403);
  assert.deepEqual(await tableOf(raincoat), before);
  assert.equal(
    (await postForm(shop, stockOnly.client, raincoat, { ...fields, "variant[1][quantity]": "2" })).status,
    303,
  );
});
