import assert from "node:assert/strict";
import { after, test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient, type Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { findFreePort } from "../support/postgres-server.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { isVarnishInstalled, startVarnish } from "../support/varnish.ts";

test("behind Varnish with the documented configuration, pages are shared until they change, and carts never", {
  skip: isVarnishInstalled() ? false : "varnishd is not installed",
}, async (context) => {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const shop = await startShop({
    hasTheme: false,
    config: { origin, cdn: { maxAge: 86_400, purge: { format: "varnish", url: origin } } },
  });
  const varnish = await startVarnish(port, new URL(shop.origin).port);
  after(varnish.close);
  await until(async () => (await createClient(origin).get("/healthz")).status === 200);
  const paths = await crawl(origin);
  const pages = new Map<string, string>();
  // The purge at the start of the server may remove pages at any time of the first visits.
  await until(async () => {
    let hits = 0;
    for (const path of paths) {
      const page = await createClient(origin).get(path);
      hits += Number(isHit(page));
      pages.set(path, page.text);
      assert.equal(page.headers["set-cookie"], undefined, path);
      assert.doesNotMatch(page.text, /csrf/, path);
    }
    return hits === paths.length;
  });

  const shopper = createClient(origin);
  await add(shopper, variant.unlimited, 2);
  assert.match((await shopper.get("/products/canvas-tote")).text, /Cart, 2 items/);
  assert.doesNotMatch((await createClient(origin).get("/products/canvas-tote")).text, /Cart, 2 items/);

  const token = await createApiToken(shop, "catalog:write");
  const changed = await shop.client().send("POST", "/admin/catalog", {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: JSON.stringify({ patch: { kind: "page", handle: "rain-care", content: "<p>Wash warm.</p>" } }),
  });
  assert.equal(changed.status, 200, changed.text);
  await until(async () => /Wash warm/.test((await createClient(origin).get("/pages/rain-care")).text));
  // No other page, except in other languages, shows the content of this page.
  let unchanged = 0;
  for (const path of paths) {
    const page = await createClient(origin).get(path);
    if (!path.endsWith("/pages/rain-care")) assert.equal(page.text, pages.get(path), path);
    unchanged += Number(isHit(page));
  }
  context.diagnostic(`${unchanged} pages are still in the cache after a change of one page`);
});

/** Varnish names two requests in the header if the response comes from its cache. */
function isHit({ headers }: Reply): boolean {
  return String(headers["x-varnish"]).includes(" ");
}

/** Visits all pages that links lead to.  @returns the paths of cached pages */
async function crawl(origin: string): Promise<readonly string[]> {
  const paths = new Set(["/"]);
  const cached: string[] = [];
  for (const path of paths) {
    const { status, headers, text } = await createClient(origin).get(path);
    if (status === 200 && headers["cache-control"]?.includes("s-maxage") === true) cached.push(path);
    for (const [, link = ""] of text.matchAll(/href="(\/[^"#]*)"/g))
      if (!/^\/(?:assets|media|vitrine|search|checkout|api)/.test(link)) paths.add(link.replaceAll("&amp;", "&"));
  }
  return cached;
}
