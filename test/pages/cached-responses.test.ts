import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { send } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const layout = "{{ content_for_header }}<b>{{ cart.item_count }}</b>{{ content_for_layout }}";
const shop = await startShop({ themeFiles: { "layout/theme.liquid": layout } });

test("anonymous visitors share one page with separate tokens, compressed or not", async () => {
  const [one, other] = [shop.client(), shop.client()];
  const pages = [await one.get("/pages/rain-care"), await other.get("/pages/rain-care")];
  const tokens = [one, other].map(({ cookies }) => cookies.get("csrf_token") ?? "");
  assert.notEqual(tokens[0], tokens[1]);
  for (const [index, page] of pages.entries()) {
    const [own = "", foreign = ""] = index === 0 ? tokens : tokens.toReversed();
    assert.ok(page.text.includes(`<meta name="csrf-token" content="${own}">`));
    assert.ok(!page.text.includes(foreign));
    assert.equal(page.headers["cache-control"], "no-store");
    assert.equal(page.text.replaceAll(own, ""), pages[0]?.text.replaceAll(tokens[0] ?? "", ""));
  }
  assert.equal((await one.get("/pages/rain-care")).text, pages[0]?.text);
  assert.notEqual(one.cookies.get("visitor"), other.cookies.get("visitor"));
});

test("no visitor's token is shown to another, in any use by a theme", async () => {
  const mangled = await startShop({
    themeFiles: {
      "layout/theme.liquid":
        "{{ content_for_header | upcase }} {{ content_for_header | slice: 30, 60 }} {{ content_for_layout }}",
    },
  });
  const [one, other] = [mangled.client(), mangled.client()];
  await one.get("/");
  const { text } = await other.get("/");
  const token = one.cookies.get("csrf_token") ?? "";
  const parts = token.split(".").filter((part) => part.length > 8 && !other.cookies.get("csrf_token")?.includes(part));
  assert.ok(parts.length > 0);
  for (const part of parts) assert.ok(!text.toUpperCase().includes(part.toUpperCase()));
});

test("a cached anonymous page shows a visitor's cart to that visitor only", async () => {
  const [stranger, shopper] = [shop.client(), shop.client()];
  await stranger.get("/collections");
  await add(shopper, variant.tracked, 2);
  assert.match((await shopper.get("/collections")).text, /<b>2<\/b>/);
  assert.match((await stranger.get("/collections")).text, /<b>0<\/b>/);
});

test("a theme change invalidates cached pages", async () => {
  const changing = await startShop({ themeFiles: { "templates/page.liquid": "before" } });
  const visitor = changing.client();
  assert.match((await visitor.get("/pages/rain-care")).text, /before/);
  await writeFile(join(changing.storeDir, "theme/templates/page.liquid"), "after, and longer");
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.match((await visitor.get("/pages/rain-care")).text, /after/);
});

test("a cached response is equal for GET, HEAD, conditional requests, and other host names", async () => {
  for (const path of ["/search/suggest.json?q=rain", "/search/suggest?q=rain&section_id=one", "/pages/rain-care"]) {
    const [first, again] = [await send(shop.origin, "GET", path), await send(shop.origin, "GET", path)];
    const head = await send(shop.origin, "HEAD", path);
    assert.deepEqual([again.status, head.status], [first.status, first.status], path);
    assert.deepEqual([head.text, head.headers["content-length"]], ["", first.headers["content-length"]]);
    const { etag } = first.headers;
    assert.equal(again.headers.etag, etag);
    if (etag === undefined) continue;
    assert.equal(again.text, first.text);
    const headers = { "if-none-match": etag, "accept-encoding": "gzip" };
    const known = await send(shop.origin, "GET", path, { headers });
    assert.deepEqual([known.status, known.text, known.headers.etag], [304, "", etag]);
    const elsewhere = await send(shop.origin, "GET", path, { headers: { host: "other.test" } });
    assert.deepEqual([elsewhere.status, elsewhere.text.includes(new URL(shop.origin).host)], [200, false]);
  }
});

test("repeated reads of a cart return its current state", async () => {
  const [one, other, stranger] = [shop.client(), shop.client(), shop.client()];
  await add(one, variant.tracked, 1);
  await add(other, variant.tracked, 3);
  const count = async (client: typeof one): Promise<unknown> => (await client.get("/cart.js")).json().item_count;
  for (const held of [1, 2, 3]) {
    for (let reads = 0; reads < 2; reads += 1)
      assert.deepEqual([await count(one), await count(other), await count(stranger)], [held, 3, 0]);
    await add(one, variant.tracked, 1);
  }
});
