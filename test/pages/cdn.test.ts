import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { add, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { startCdn } from "../support/cdn.ts";
import { createClient, type Headers } from "../support/client.ts";
import { startPurgeReceiver } from "../support/purge-receiver.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const cdn = await startCdn();
after(() => cdn.close());
const layout = "{{ content_for_header }}<b>{{ cart.item_count }}</b>{{ content_for_layout }}";
const shop = await startShop({
  config: { origin: cdn.origin, cdn: { maxAge: 30 }, compat: { forms: true } },
  themeFiles: { "layout/theme.liquid": layout },
});
cdn.target = shop.origin;

/** Request headers of a browser that submits a form without a script. */
const form: Headers = {
  "content-type": "application/x-www-form-urlencoded",
  accept: "text/html",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "same-origin",
};

test("with the setting cdn, anonymous visitors get the same page, without token and cookies", async () => {
  const [one, other] = [shop.client(), shop.client()];
  const page = await one.get("/pages/rain-care");
  const { "cache-control": cacheControl, etag = "", "set-cookie": cookies } = page.headers;
  assert.equal(cacheControl, "public, max-age=0, s-maxage=30, stale-while-revalidate=600");
  assert.equal(cookies, undefined);
  assert.doesNotMatch(page.text, /csrf/);
  await other.token();
  const again = await other.get("/pages/rain-care");
  assert.deepEqual([again.text, again.headers.etag], [page.text, etag]);
  const notModified = await one.get("/pages/rain-care", { "if-none-match": etag });
  assert.deepEqual([notModified.status, notModified.headers["cache-control"]], [304, cacheControl]);
});

test("pages of one visitor, carts, results of searches, and missing pages are not cached", async () => {
  const client = shop.client();
  for (const path of ["/cart", "/search?q=rain", "/pages/missing"])
    assert.equal((await client.get(path)).headers["cache-control"], "no-store", path);
  await add(client, variant.unlimited, 2);
  const page = await client.get("/pages/rain-care", { "if-none-match": "*" });
  assert.deepEqual([page.status, page.headers["cache-control"]], [200, "no-store"]);
  assert.match(page.text, /<b>2<\/b>/);
  assert.match(page.text, /csrf-token/);
});

test("a form of a cached page works without a script, and forms of other sites do not", async () => {
  const client = createClient(cdn.origin);
  await client.get("/products/canvas-tote");
  await createClient(cdn.origin).get("/products/canvas-tote");
  assert.ok(cdn.hitCount > 0);
  const body = `id=${variant.unlimited}&quantity=3`;
  for (const site of ["cross-site", "same-site", "none", undefined]) {
    const { status } = await client.send("POST", "/cart/add", { headers: { ...form, "sec-fetch-site": site }, body });
    assert.equal(status, 403, String(site));
  }
  const reply = await client.send("POST", "/cart/add", { headers: form, body });
  assert.equal(reply.status, 303, reply.text);
  assert.equal((await readCart(client)).item_count, 3);
  assert.match((await client.get("/products/canvas-tote")).text, /<b>3<\/b>/);
});

test("scripts still need the token", async () => {
  const client = shop.client();
  const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const body = JSON.stringify({ id: variant.unlimited });
  assert.equal((await client.send("POST", "/cart/add.js", { headers, body })).status, 403);
});

test("pages name their tags for the CDN, and a purge is repeated until the CDN accepts it", async () => {
  const receiver = await startPurgeReceiver();
  receiver.status = 503;
  const purge = { format: "cloudflare", url: receiver.url, token: "secret" };
  const purgedShop = await startShop({ config: { origin: cdn.origin, cdn: { purge } } });
  const { headers } = await purgedShop.client().get("/pages/rain-care");
  assert.match(String(headers["cache-tag"]), /^shop,(?:[^ ,]+,)*page-rain-care\b/);
  await until(() => receiver.rejectedCount > 0);
  receiver.status = 200;
  await until(() => receiver.received.length > 0);
  const [received] = receiver.received;
  assert.deepEqual([received?.headers.authorization, received?.body], ["Bearer secret", '{"tags":["shop"]}']);
});

test("a changed setting applies without a restart, and purges all pages", async () => {
  const receiver = await startPurgeReceiver();
  const purge = { format: "cloudflare", url: receiver.url };
  const changedShop = await startShop({ config: { origin: cdn.origin, cdn: { purge } }, hasTheme: false });
  const readTitle = async () => /<title>(.*)</.exec((await changedShop.client().get("/pages/rain-care")).text)?.[1];
  await until(() => receiver.received.length > 0);
  assert.equal(await readTitle(), "Rain care · Test Harbour");
  receiver.received.length = 0;
  const file = join(changedShop.storeDir, "vitrine.config.ts");
  await writeFile(file, (await readFile(file, "utf8")).replace("Test Harbour", "Other Harbour"));
  await until(async () => (await readTitle()) === "Rain care · Other Harbour");
  await until(() => receiver.received.some(({ body }) => body === '{"tags":["shop"]}'));
});
