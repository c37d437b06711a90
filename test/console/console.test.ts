import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { createApp } from "../../src/app.ts";
import { product, rows, variant } from "../support/catalog.ts";
import { type Client, type Headers, type Reply, send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { findHandles, logIn } from "../support/console.ts";
import { makeStore, startShop, testSecret } from "../support/shop.ts";
import { until } from "../support/until.ts";

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>'&lt;`;
let now = Date.parse("2026-11-25T12:00:00Z");
const shop = await startShop({
  rows: [
    ...rows,
    { ...product(950, "hostile", `Anchor ${hostile}`, [{ id: 9_500, price: 100 }]), vendor: hostile, tags: [hostile] },
  ],
  config: { console: true, trustProxy: ["127.0.0.1"], timezone: "Europe/Paris" },
  now: () => now,
});
const token = await createApiToken(shop, "console");

function post(
  client: Client,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Headers = {},
): Promise<Reply> {
  return client.send("POST", path, {
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      origin: shop.origin,
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
}

let { client: merchant, csrf } = await logIn(shop, token);

/** Adds a rule to the draft. */
async function draft(
  name: string,
  query: string,
  value: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return post(merchant, "/admin/rules", { csrf, name, query, value, ...more });
}

async function revision(): Promise<string> {
  return /name="revision" value="(\d+)"/.exec((await merchant.get("/admin/rules")).text)?.[1] ?? "";
}

async function publish(): Promise<void> {
  const reply = await post(merchant, "/admin/rules/publish", { csrf, revision: await revision() });
  assert.equal(reply.headers.location, "/admin/rules?done=published");
}

test("a request without the scope is rejected, wrong tokens are rate limited, and a cross-site form changes nothing", async () => {
  const stranger = shop.client();
  const asked = await stranger.get("/admin/orders?before=5");
  assert.deepEqual([asked.status, asked.headers.location], [303, "/admin/login?next=%2Fadmin%2Forders%3Fbefore%3D5"]);
  const other = await createApiToken(shop, "stock:write");
  const from = { "x-forwarded-for": "198.51.100.7" };
  for (const wrong of ["", "vitrine_nothing", other, `${token}x`, hostile])
    assert.equal((await post(stranger, "/admin/login", { token: wrong }, from)).status, 401);
  const limited = await post(stranger, "/admin/login", { token: "vitrine_more" }, from);
  assert.deepEqual([limited.status, limited.headers["retry-after"]], [429, "60"]);
  assert.equal(stranger.cookies.has("console"), false);
  assert.equal(
    (await post(shop.client(), "/admin/login", { token }, from)).status,
    303,
    "a valid token is never rejected",
  );
  const elsewhere = await post(stranger, "/admin/login", { token, next: "https://evil.test/admin" });
  assert.equal(elsewhere.headers.location, "/admin");
  assert.match(String(elsewhere.headers["set-cookie"]), /; HttpOnly; SameSite=Strict/);

  const rule = { name: "pins", query: "rope", value: "canvas-tote" };
  for (const [fields, headers] of [
    [rule, {}],
    [{ ...rule, csrf: "x" }, {}],
    [{ ...rule, csrf }, { "sec-fetch-site": "cross-site" }],
    [{ ...rule, csrf }, { origin: "https://evil.test" }],
  ] as const)
    assert.equal((await post(merchant, "/admin/rules", fields, headers)).status, 403);
  assert.doesNotMatch((await merchant.get("/admin/rules")).text, /canvas-tote/);

  const { headers } = await merchant.get("/admin");
  assert.match(String(headers["content-security-policy"]), /default-src 'none'.*frame-ancestors 'none'/);
  assert.deepEqual(
    [headers["x-frame-options"], headers["x-robots-tag"], headers["cache-control"]],
    ["DENY", "noindex, nofollow", "no-store"],
  );
  const leaver = await logIn(shop, token);
  assert.equal((await post(leaver.client, "/admin/logout", { csrf: leaver.csrf })).status, 303);
  assert.equal((await leaver.client.get("/admin")).status, 303);
});

test("the console is off by default, and the management API remains", async () => {
  const plain = await startShop({ rows, config: {} });
  assert.equal((await plain.client().get("/admin")).status, 404);
  assert.equal((await plain.client().get("/admin/login")).status, 404);
  for (const one of [plain, shop]) assert.equal((await one.client().send("POST", "/admin/stock")).status, 401);
  assert.equal(plain.app.shop.signals.tracksVisits, false, "nor is anything counted");
});

/** Types a text letter by letter, as a visitor from a separate network. */
async function types(
  n: number,
  text: string,
  more: Headers = {},
): Promise<{ readonly client: Client; readonly headers: Headers }> {
  const client = shop.client();
  const headers = { "x-forwarded-for": `198.${n}.100.7`, referer: `${shop.origin}/collections`, ...more };
  await client.get("/collections", { ...headers, accept: "text/html" });
  for (let length = 2; length <= text.length; length += 1) {
    now += 100;
    await client.get(`/search/suggest.json?q=${encodeURIComponent(text.slice(0, length))}`, headers);
  }
  return { client, headers };
}

test("completed searches of five networks or more are reported with their results", async () => {
  const shoppers = Array.from({ length: 6 }, (_, n) => n + 1);
  for (const n of shoppers) {
    const { client, headers } = await types(n, "oiled jumper");
    if (n > 4) continue;
    assert.equal((await client.get("/products/oiled-jumper", { ...headers, accept: "text/html" })).status, 200);
    if (n > 2) continue;
    const from = { ...headers, referer: `${shop.origin}/products/oiled-jumper` };
    assert.equal((await client.post("/cart/add.js", { id: variant.backorder }, from)).status, 200);
  }
  for (const n of shoppers.slice(0, 5)) await types(n, "zzqx kayak");
  for (const n of shoppers.slice(0, 4)) await types(n, "secret of four");
  // One shopper repeats a search, and some opt out of tracking.
  for (let n = 0; n < 8; n += 1) await types(9, "only of one");
  for (const n of shoppers) await types(n, "left alone", n % 2 === 0 ? { "sec-gpc": "1" } : { dnt: "1" });
  for (const n of shoppers) {
    const client = shop.client();
    await client.get(`/search?q=captain`, { "x-forwarded-for": `198.${n}.100.7`, accept: "text/html" });
  }
  now += 11_000;
  const list = async (by: string): Promise<string> => {
    const { text } = await merchant.get(`/admin/searches?by=${by}&days=1`);
    return text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  };
  await until(
    async () => /oiled jumper 6 4/.test(await list("searched")) && /captain 6/.test(await list("searched")),
    "searches",
  );
  await until(async () => /zzqx kayak 5 5/.test(await list("not_found")), "searches in vain");
  assert.match(await list("not_chosen"), /captain 6 6.*oiled jumper 2 6/);
  assert.match(await list("added"), /oiled jumper 2 4 6/);
  for (const by of ["searched", "not_found", "not_chosen", "added"])
    assert.doesNotMatch(await list(by), /secret|only of one|left alone|oile |oiled jumpe /, by);
  assert.match((await merchant.get("/admin/searches?days=28")).text, /Searches without results/);
});

test("rules stay a draft until published, are replayed first, and then apply within a second", async () => {
  assert.equal((await draft("synonyms", "wherry, tote", "")).status, 303);
  assert.equal((await draft("pins", "cape*, raincoat", "canvas-tote, oiled-jumper")).status, 303);
  assert.equal(
    (await draft("redirects", "returns", "/pages/rain-care", { from: "2026-11-27", until: "2026-11-30" })).status,
    303,
  );
  assert.equal((await draft("boosts", "signal flag", "flag-lima", { points: "20" })).status, 303);
  assert.deepEqual(await findHandles(shop, "wherry"), []);
  assert.notEqual((await findHandles(shop, "signal flag"))[0], "flag-lima");
  assert.match((await merchant.get("/admin/try?q=wherry&rules=draft")).text, /Canvas Tote/);
  assert.doesNotMatch((await merchant.get("/admin/try?q=wherry")).text, /Canvas Tote/);

  const replayed = await post(merchant, "/admin/rules/replay", { csrf, revision: await revision() });
  assert.equal(replayed.status, 200);
  const row = replayed.text.split("<tr>").find((part) => part.includes(">raincoat<")) ?? "";
  assert.match(row, /Harbour Raincoat[\s\S]*<ins>Canvas Tote/);

  const stale = String(Number(await revision()) - 1);
  const late = await post(merchant, "/admin/rules/publish", { csrf, revision: stale });
  assert.equal(late.headers.location, "/admin/rules?done=changed");
  assert.deepEqual(await findHandles(shop, "wherry"), []);
  await publish();
  await until(async () => (await findHandles(shop, "wherry"))[0] === "canvas-tote", "the synonym");
  assert.deepEqual((await findHandles(shop, "raincoat")).slice(0, 2), ["canvas-tote", "oiled-jumper"]);
  assert.equal((await findHandles(shop, "signal flag"))[0], "flag-lima");
  assert.match((await merchant.get("/admin/try?q=signal+flag")).text, /boosted by a search rule/);
  assert.match((await merchant.get("/admin/try?q=harbour")).text, /<summary>Why is it below /);
  const fieldSearch = encodeURIComponent("title:jumper OR handle:canvas-tote");
  assert.match((await merchant.get(`/admin/try?q=${fieldSearch}`)).text, /Oiled Jumper[\s\S]*Canvas Tote/);
  const exclusion = encodeURIComponent("title:tote -handle:canvas-tote");
  assert.doesNotMatch((await merchant.get(`/admin/try?q=${exclusion}`)).text, /Canvas Tote/);
  assert.equal((await findHandles(shop, "cape"))[0], "canvas-tote", "a prefix");
  const exported = await merchant.get("/admin/rules/export/redirects.txt");
  assert.equal(exported.text, "returns -> /pages/rain-care @ 2026-11-27..2026-11-30\n");

  const redirect = async (): Promise<string | undefined> =>
    (await shop.client().get("/search?q=returns")).headers.location;
  assert.equal(await redirect(), undefined);
  // The day in Paris begins an hour earlier than in UTC.
  now = Date.parse("2026-11-26T23:00:01Z");
  await until(async () => (await redirect()) === "/pages/rain-care", "the day begins");
  now = Date.parse("2026-11-30T23:00:01Z");
  await until(async () => (await redirect()) === undefined, "the days are over");
  assert.equal((await merchant.get("/admin")).status, 303, "a login lasts twelve hours");
  ({ client: merchant, csrf } = await logIn(shop, token));

  const removed = await post(merchant, "/admin/rules", {
    csrf,
    name: "synonyms",
    section: "[all]",
    remove: "wherry, tote",
  });
  assert.equal(removed.status, 303);
  assert.equal((await findHandles(shop, "wherry"))[0], "canvas-tote");
  const gone = await post(merchant, "/admin/rules/discard", { csrf, revision: await revision() });
  assert.equal(gone.headers.location, "/admin/rules?done=discarded");
  assert.match((await merchant.get("/admin/rules")).text, /wherry, tote/);
});

const { DATABASE_URL: databaseUrl } = shop.env;
test("rules published on one server apply on others with the same database", {
  skip: databaseUrl === undefined,
}, async () => {
  const storeDir = await makeStore({ rows, config: {} });
  const app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", databaseUrl: databaseUrl as string });
  const origin = await app.listen("127.0.0.1", 0);
  try {
    const found = async (): Promise<string> => (await send(origin, "GET", "/search/suggest.json?q=dinghy")).text;
    assert.doesNotMatch(await found(), /canvas-tote/);
    assert.equal((await draft("synonyms", "dinghy, tote", "")).status, 303);
    await publish();
    await until(async () => /canvas-tote/.test(await found()), "the synonym at the other server");
  } finally {
    await app.close();
    await rm(storeDir, { recursive: true, force: true });
  }
});

test("invalid rules are rejected with a correction", async () => {
  for (const [name, query, value, said] of [
    ["synonyms", "alone", "", /has no synonym/],
    ["pins", "", "canvas-tote", /query is missing/],
    ["pins", "rope", "no such/handle", /is not a handle/],
    ["boosts", "rope", "canvas-tote +0", /whole number from 1 to/],
    ["ranking", "rope", "price", /&quot;price&quot; is not a ranking/],
    ["redirects", "rope", "//evil.test", /is not a path of this shop/],
    ["redirects", "rope", "/search?q=x", /causes a loop/],
    ["hides", "rope # not", "canvas-tote", /starts a comment/],
    ["pins", hostile, hostile, /is not a handle/],
  ] as const) {
    const reply = await draft(name, query, value);
    assert.equal(reply.status, 422, `${name} ${query}`);
    assert.match(reply.text, said);
    assert.doesNotMatch(reply.text, /<script>alert|<img src=x/);
  }
  assert.equal((await draft("pins", "rope", "canvas-tote", { from: "2026-12-02", until: "2026-12-01" })).status, 422);
  assert.equal((await draft("nothing", "rope", "canvas-tote")).status, 400);
  assert.equal((await post(merchant, "/admin/rules/replay", { csrf })).status, 200);
});

test("no console page executes input of shoppers or catalogs, and none fails on any request", async () => {
  const shopper = shop.client();
  const csrf_token = await shopper.token();
  const sent = await post(shopper, "/contact", {
    form_type: "contact",
    csrf_token,
    "contact[email]": "a@b.test",
    ...Object.fromEntries(["body", "x<b>"].map((name) => [`contact[${name}]`, hostile])),
  });
  assert.ok(sent.status < 400, String(sent.status));
  assert.match((await merchant.get("/admin/contacts")).text, /&lt;script&gt;alert\(1\)/);
  const paths = " /try /searches /rules /products /products/hostile /orders /discounts /contacts /system".split(" ");
  const words = " -1 1e9 % NaN anchor toString __proto__ rain\u202ecoat".split(" ");
  const values = [hostile, "9".repeat(30), "\u0000\ud800", ...words];
  for (const path of paths)
    for (const name of ["q", "page", "days", "by", "before", "locale", "rules", "done"])
      for (const value of values) {
        const reply = await merchant.get(`/admin${path}?${name}=${encodeURIComponent(value.toWellFormed())}`);
        assert.ok(reply.status < 500, `${path} ${name} ${value}: ${reply.status}`);
        assert.doesNotMatch(reply.text, /<script>alert|<img src=x/, `${path} ${name}`);
      }
  assert.match((await merchant.get("/admin/products/hostile")).text, /&lt;script&gt;/);
  for (const path of "/products/%E0%A4%A /orders/x /rules/export/x.txt /rules/publish".split(" ")) {
    const { status } = await merchant.get(`/admin${path}`);
    assert.ok(status >= 400 && status < 500, `${path}: ${status}`);
  }
});
