import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ConsoleServices } from "../../src/http/console/console-page.ts";
import { listConsoleRoutes } from "../../src/http/console/console-routes.ts";
import { getCountryName, listCountryCodes } from "../../src/pricing/countries.ts";
import { rows, variant } from "../support/catalog.ts";
import type { Client, Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { logIn, postCsvForm, postForm } from "../support/console.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const receiver = await startReceiver();
const shop = await startShop({
  hasTheme: false,
  config: {
    console: true,
    name: "My shop",
    events: { webhooks: [{ url: "http://127.0.0.1:9/", secret: receiver.secret, types: ["order.created"] }] },
  },
});
const scopes = ["console", "orders:write", "catalog:write", "stock:write", "settings:write"] as const;
const token = await createApiToken(shop, ...scopes);
const { client, csrf } = await logIn(shop, token);

/** Texts that both languages spell alike, and words of the shop's data. */
const texts = (folder: string, language: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../src/${folder}/${language}.json`, import.meta.url)), "utf8"));
const sameTexts = ["messages", "console/messages"].flatMap((folder) => {
  const german = texts(folder, "de");
  return Object.entries(texts(folder, "en")).flatMap(([key, text]) =>
    typeof text === "string" && text === german[key] ? [text] : [],
  );
});
const data = `${JSON.stringify(rows)} Ada Quay Pier Hamburg Germany My shop SQLite PostgreSQL Vitrine Node example com
  IBAN BIC smtp {year} ${listCountryCodes()
    .map((code) => getCountryName(code, "en"))
    .join(" ")}
  winter Bulk Gift yes maybe en fr ja csv kB MB GB TB ${sameTexts.join(" ")}`.toLowerCase();

/** Returns the words of each text and label of a page. Omits names, commands, and the menu of languages. */
function wordsOf(page: string): readonly string[] {
  const content = page
    .replace(/<details class="menu">[\s\S]*?<\/details>/, "")
    // The packing slip has the language of the customer.
    .replace(/<div class="slip"[\s\S]*/, "")
    .replace(/<title>[^<]*<\/title>/, "")
    .replaceAll(/<(code|bdi|time)\b[^>]*>.*?<\/\1>/g, "")
    .replaceAll(/<(?:a|b|li|dd)[^>]* lang="[^"]*"[^>]*>[^<]*/g, "")
    .replaceAll(/<span lang="en"[^>]*>[^<]*/g, "");
  const labels = [...content.matchAll(/ (?:aria-label|alt|title|placeholder)="([^"]*)"/g)].map(([, text = ""]) => text);
  return [...labels, ...content.split(/<[^>]*>/)]
    .map((text) => (text.replaceAll(/&[#\w]+;/g, " ").match(/[\p{L}-]{2,}/gu) ?? []).join(" "))
    .filter((words) => words !== "");
}

/** Asserts that a reply in German has no text of the reply in English, except data. */
function assertTranslated(english: Reply, german: Reply, name: string): void {
  assert.equal(german.status, english.status, `${name}: ${german.text}`);
  assert.match(german.text, /<html lang="de" dir="ltr">/, name);
  const englishWords = new Set(wordsOf(english.text));
  const leftWords = wordsOf(german.text).filter(
    (words) => englishWords.has(words) && words.split(" ").some((word) => !data.includes(word.toLowerCase())),
  );
  assert.deepEqual([...new Set(leftWords)], [], name);
}

async function inBoth(name: string, send: (client: Client) => Promise<Reply>): Promise<Reply> {
  client.cookies.set("console_language", "en");
  const english = await send(client);
  client.cookies.set("console_language", "de");
  const german = await send(client);
  client.cookies.set("console_language", "en");
  assertTranslated(english, german, name);
  return english;
}

const pageInBoth = (path: string): Promise<Reply> => inBoth(path, (visitor) => visitor.get(path));
const post = (path: string, fields: Readonly<Record<string, string>>): Promise<Reply> =>
  postForm(shop, client, path, { csrf, ...fields });
const rejectedInBoth = async (path: string, fields: Readonly<Record<string, string>>): Promise<void> => {
  const reply = await inBoth(`${path} ${JSON.stringify(fields)}`, () => post(path, fields));
  assert.ok(reply.status >= 400 && reply.status < 500, `${path} ${JSON.stringify(fields)}: ${reply.status}`);
};

test("the language is that of the cookie, else of the browser, else of the shop", async () => {
  const languageOf = async (header: string | undefined, visitor = shop.client()): Promise<string | undefined> =>
    /<html lang="([^"]*)"/.exec((await visitor.get("/admin/login", { "accept-language": header })).text)?.[1];
  assert.equal(await languageOf(undefined), "en");
  assert.equal(await languageOf("xx, de-AT;q=0.8, ar;q=0.9"), "ar");
  assert.equal(await languageOf("de-CH,de;q=0.9"), "de");
  assert.equal(await languageOf(`${"x,".repeat(5_000)};q=;;=`), "en");
  const visitor = shop.client();
  const reply = await postForm(shop, visitor, "/admin/language", {
    language: "de",
    next: "/admin/login?next=%2Fadmin",
  });
  assert.deepEqual([reply.status, reply.headers.location], [303, "/admin/login?next=%2Fadmin"]);
  assert.equal(await languageOf("ar", visitor), "de");
  assert.equal((await postForm(shop, visitor, "/admin/language", { language: "xx" })).status, 400);
  const elsewhere = await postForm(shop, visitor, "/admin/language", { language: "ar", next: "//evil.test/admin" });
  assert.equal(elsewhere.headers.location, "/admin");
  assert.match((await visitor.get("/admin/login")).text, /<html lang="ar" dir="rtl">/);
});

test("no page and no rejected form contains English if the language is German", async () => {
  const shopper = shop.client();
  for (const quantity of [3, 1]) await placeOrder(shopper, "ada@example.com", "", { id: variant.unlimited, quantity });
  const fields = { form_type: "contact", csrf_token: await shopper.token(), "contact[email]": "ada@example.com" };
  await postForm(shop, shopper, "/contact", { ...fields, "contact[body]": "Norrland" });
  const numbers = [...(await client.get("/admin/orders")).text.matchAll(/\/admin\/orders\/(\d+)"/g)].map(([, n]) => n);
  const orderPath = `/admin/orders/${numbers[0]}`;
  const operate = async (operation: string, more: Readonly<Record<string, string>>): Promise<Reply> => {
    const page = (await client.get(orderPath)).text;
    const [, revision = "1"] = /name="revision" value="(\d+)"/.exec(page) ?? [];
    return post(orderPath, { operation, revision, ...more });
  };
  const rejectOperation = async (operation: string, more: Readonly<Record<string, string>>): Promise<void> => {
    const [, revision = "1"] = /name="revision" value="(\d+)"/.exec((await client.get(orderPath)).text) ?? [];
    await rejectedInBoth(orderPath, { operation, revision, ...more });
  };
  const [, key = ""] = /name="(quantity\[[^"]+\])"/.exec((await client.get(orderPath)).text) ?? [];
  await pageInBoth(orderPath);
  await rejectOperation("ship", {});
  await rejectOperation("ship", { [key]: "9" });
  await rejectOperation("ship", { [key]: "1", tracking_url: "x" });
  for (const [operation, field] of [
    ["pay", "reference"],
    ["note", "text"],
  ] as const)
    await rejectOperation(operation, { [field]: " " });
  await rejectOperation("refund", { amount: "x" });
  await operate("pay", { reference: "Ada" });
  await operate("ship", { [key]: "1", carrier: "Ada" });
  await rejectOperation("pay", { reference: "Quay" });
  await rejectOperation("refund", { amount: "1", reference: "Ada", reason: " " });
  await rejectOperation("refund", { amount: "999", reference: "Ada", reason: "Ada" });
  await rejectOperation("note", { text: "Ada", revision: "99" });
  await operate("refund", { amount: "1", reference: "Ada", reason: "Ada" });
  await pageInBoth(orderPath);
  await operate("cancel", { note: "Ada" });
  for (const done of ["pay", "ship", "cancel", "refund", "note", "email"])
    await pageInBoth(`${orderPath}?done=${done}`);
  await rejectOperation("ship", { [key]: "1" });

  const discount = { operation: "create", value_type: "percentage", value: "10" };
  for (const more of [
    {},
    { code: "X", value: "101" },
    { code: "X", minimum_subtotal: "x" },
    { code: "X", usage_limit: "0" },
    { code: "X", quantity_breaks: "x" },
    { code: "X", value_type: "buy_x_get_y" },
    { code: "X", value_type: "fixed_amount", value: "x" },
  ])
    await rejectedInBoth("/admin/discounts", { ...discount, ...more });
  for (const more of [
    { code: "winter", minimum_subtotal: "50", usage_limit: "3", customer_limit: "1", ends_on: "2030-01-01" },
    { title: "Bulk", quantity_breaks: "3: 10, 10: 20", exclusive: "1", starts_on: "2030-01-01" },
    { title: "Gift", value_type: "buy_x_get_y", buy_quantity: "2", get_quantity: "1", products: "harbour-raincoat" },
    { title: "Ada", value_type: "free_shipping" },
  ])
    assert.equal((await post("/admin/discounts", { ...discount, ...more })).status, 303);
  await rejectedInBoth("/admin/discounts", { ...discount, code: "winter" });

  const product = "/admin/products/harbour-raincoat";
  const page = (await client.get(product)).text;
  const fieldOf = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  const edit = {
    operation: "save",
    "product[0][id]": fieldOf("product\\[0\\]\\[id\\]"),
    "product[0][revision]": fieldOf("product\\[0\\]\\[revision\\]"),
    "variant[0][id]": String(variant.tracked),
  };
  for (const more of [{ price: "x" }, { compare: "x" }, { quantity: "x", seen: "10" }])
    await rejectedInBoth(product, {
      ...edit,
      ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`variant[0][${name}]`, value])),
    });
  assert.equal((await post(product, { ...edit, "variant[0][price]": "99", "variant[0][quantity]": "8" })).status, 303);
  await rejectedInBoth(product, { ...edit, "variant[0][price]": "98" });

  for (const more of [
    { name: "synonyms", query: "ada", value: "" },
    { name: "synonyms", query: "-", value: "" },
    { name: "pins", query: "", value: "canvas-tote" },
    { name: "pins", query: "rope", value: "no such/handle" },
    { name: "pins", query: "a*b", value: "canvas-tote" },
    { name: "pins", query: "rope", value: "canvas-tote", from: "2026-12-02", until: "2026-12-01" },
    { name: "boosts", query: "rope", value: "canvas-tote", points: "99" },
    { name: "redirects", query: "rope", value: "//evil.test" },
    { name: "redirects", query: "rope", value: "/search?q=x" },
    { name: "redirects", query: "*", value: "/pages/x" },
    { name: "hides", query: "rope # not", value: "canvas-tote" },
  ])
    await rejectedInBoth("/admin/rules", more);
  assert.equal((await post("/admin/rules", { name: "pins", query: "rain*", value: "canvas-tote" })).status, 303);
  // With synonyms in the draft, all searches would be compared, which takes seconds.
  await inBoth("replay", () => post("/admin/rules/replay", {}));
  for (const more of [
    { name: "synonyms", query: "sack, tote", value: "" },
    { name: "boosts", query: "rain*", value: "oiled-jumper", points: "4" },
    { name: "hides", query: "sack", value: "oiled-jumper" },
    { name: "redirects", query: "cap", value: "/pages/rain-care" },
    { name: "ranking", query: "*", value: "newness", amount: "60", points: "4" },
    { name: "ranking", query: "*", value: "stock", amount: "20", points: "4" },
  ])
    assert.equal((await post("/admin/rules", more)).status, 303);
  await rejectedInBoth("/admin/rules", { name: "pins", query: "rain*", value: "captains-cap" });
  for (const q of ["", "rain", "harbor rain", "rai", "raincaot", "sack", "cap", "signal flag", "keeps spray", "zzqx"])
    await pageInBoth(`/admin/try?rules=draft&q=${encodeURIComponent(q)}`);
  const [, draft = ""] = /name="revision" value="(\d+)"/.exec((await client.get("/admin/rules")).text) ?? [];
  await post("/admin/rules/test", { revision: draft });
  for (const done of ["added", "removed", "published", "discarded", "changed", "test_started", "files", "copied"])
    await pageInBoth(`/admin/rules?done=${done}`);

  const paths = [
    ...["/admin", "/admin/reports", "/admin/reports?days=7", "/admin/searches", "/admin/searches?by=not_found"],
    ...["/admin/orders", "/admin/orders?q=none", `${orderPath}/packing-slip`, "/admin/products", product],
    ...["/admin/products?view=edit", "/admin/products?status=unpublished&done=nothing", "/admin/csv?done=save"],
    ...["/admin/discounts?done=create", "/admin/changes", "/admin/contacts", "/admin/contacts?before=1"],
    ...["/admin/events", "/admin/system", "/admin/orders/99999", "/admin/products/none", "/admin/login"],
    "/admin/first-login",
    ...["/admin/rules", "/admin/settings", "/admin/settings?done=shop", "/admin/settings/policies"],
    "/admin/settings/test-email",
  ];
  for (const path of paths) await pageInBoth(path);
  await rejectedInBoth("/admin/login", { token: "x" });
  const [, settings = ""] = /name="revision" value="(\w+)"/.exec((await client.get("/admin/settings")).text) ?? [];
  for (const [section, fields] of [
    ["shop", { revision: "0" }],
    ["shop", { "contact.address.country": "XX" }],
    ["shipping", { "rates[0][name]": "Ada", "rates[0][price]": "x" }],
    ["tax", { "tax.rates": "x" }],
    ["invoices", { "invoices.iban": "DE00", "invoices.bic": "x", "invoices.daysUntilDue": "x" }],
    ["email", { smtp_host: "x", smtp_user: "ada" }],
    ["email", { smtp_host: "x y" }],
    ["email", { smtp_host: "ada" }],
    ["email", { "mail.from": "x" }],
    ["domain", { origin: "x" }],
  ] as const)
    await rejectedInBoth("/admin/settings", { section, revision: settings, ...fields });
  const visited = [...paths, orderPath, "/admin/try"].map((path) => path.replace(/\?.*/, ""));
  const routes = listConsoleRoutes({ process: {}, console: {} } as unknown as ConsoleServices);
  const pages = routes.filter(({ path, methods }) => methods.GET && !/\.(?:csv|css|js)$|invoices|:file/.test(path));
  const unvisited = pages.filter(
    ({ path }) => !visited.some((one) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(one)),
  );
  assert.deepEqual(
    unvisited.map(({ path }) => path),
    [],
  );
});

test("a file that is rejected or previewed contains no English if the language is German", async () => {
  const upload = (text: string): Promise<Reply> =>
    postCsvForm(shop, client, { csrf, file: new File([text], "products.csv") });
  const header = "Variant ID,SKU,Published,Price,Stock";
  for (const file of [
    "Foo\n1\n",
    `${header}\n`,
    `${header}\n"a`,
    `${header}\n11,,maybe,x,y\n11,,,,\nnone,none,,,\n`,
    `${header}\n11,,yes,1,\n12,,no,,\n`,
    `${header}\n11,,,77,5\n`,
    `${header}\n11,,,,\n`,
    `${header},Values at download\n11,,,66,,price=55\n`,
  ])
    await inBoth(file, () => upload(file));
});
