import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createApp } from "../../src/app.ts";
import { type Client, createClient, type Reply } from "../support/client.ts";

/** Folder with one folder per public theme. If it is missing, these tests do nothing. */
const themes = process.env.VITRINE_THEMES ?? "";
const demo = fileURLToPath(new URL("../../examples/harbour-outfitters", import.meta.url));

/** Patterns of the expected text, field values, or links of a page. */
type Expected = Readonly<Record<string, RegExp>>;

const everywhere: Expected = {
  "/": /Harbour Outfitters/,
  "/products/raincoat": /Raincoat[\s\S]*148/,
  "/collections/rainwear": /Rain Hat/,
  "/collections/all?page=2": /\/products\//,
  "/collections": /Rainwear/,
  "/search?q=coat": /Little Raincoat/,
  "/pages/about": /About/,
  "/blogs/tide-notes": /tide-notes\//,
  "/nope": /404|not found|can.t find|doesn.t exist|pardon/i,
  "/fr/products/raincoat": /Raincoat|Ciré|Imperméable/i,
};

/** Expectations after an item was added. The last one is the target of the cart's button. */
const withCart: Expected = {
  "/cart": /Raincoat[\s\S]*148/,
  "/checkout": /Raincoat[\s\S]*148/,
};

const dawn: Expected = {
  "/products/raincoat?variant=102": /Navy[\s\S]*"id":102/,
  "/collections/rainwear?filter.p.vendor=Ansty+Oilskins&sort_by=price-ascending": /Ansty Oilskins/,
  "/search/suggest?q=rain&section_id=predictive-search": /^<div id="shopify-section-predictive-search"[\s\S]*Raincoat/,
  "/cart?section_id=cart-drawer": /<cart-drawer/,
  "/cart?section_id=main-cart-items": /<cart-items/,
  "/?section_id=cart-icon-bubble": /icon/,
  "/recommendations/products?product_id=1&limit=4&section_id=related-products": /\/products\//,
};

/** Returns the expectations that differ for one theme, from `<folder>.json` next to its folder. */
function ownOf(name: string): Expected {
  const file = join(themes, `${name}.json`);
  const given = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : {};
  const own = Object.entries(given).map(([path, pattern]) => [path, new RegExp(pattern, "i")]);
  return { ...(name === "dawn" ? dawn : {}), ...Object.fromEntries(own) };
}

/** Matches error messages and unrendered Liquid, which no page may contain. */
const broken =
  /Liquid (?:syntax )?error[^<]*|\[object \w+\]|\{%[^<]{0,40}|\{\{-?\s*(?:product|collection|cart|shop|settings|section|block|page|routes|content_for|["'])[^<]{0,40}/i;
const folders = existsSync(themes)
  ? readdirSync(themes, { withFileTypes: true }).filter((one) => one.isDirectory())
  : [];

for (const { name } of folders) {
  test(`every page of ${name} renders, up to the checkout`, async (t) => {
    const faults: string[] = [];
    const client = createClient(await serve(join(themes, name)));
    let good = 0;
    const look = async (path: string, visible: RegExp): Promise<void> => {
      const before = faults.length;
      const reply = await follow(client, path);
      if (reply.status !== (path === "/nope" ? 404 : 200)) faults.push(`${path}: ${reply.status}`);
      if (!visible.test(reply.text.slice(Math.max(0, reply.text.indexOf("<body")))))
        faults.push(`${path}: no ${visible}`);
      const [wrong] = broken.exec(reply.text.replace(/<(script|template|style)\b[\s\S]*?<\/\1>/g, "")) ?? [];
      if (wrong !== undefined) faults.push(`${path}: ${wrong}`);
      if (faults.length === before) good += 1;
    };
    const own = ownOf(name);
    const pages = Object.entries({ ...everywhere, ...own }).filter(([path]) => !(path in withCart));
    for (const [path, visible] of pages) await look(path, visible);
    await client.post("/cart/add.js", { id: 101, quantity: 1 });
    for (const [path, visible] of Object.entries(withCart)) await look(path, own[path] ?? visible);
    t.diagnostic(`${name}: ${good} of ${pages.length + Object.keys(withCart).length} pages`);
    assert.deepEqual(faults, []);
  });
}

async function follow(client: Client, path: string): Promise<Reply> {
  const reply = await client.get(path);
  const { location } = reply.headers;
  return location === undefined ? reply : client.get(location);
}

/** Serves the demo catalog with a theme, unchanged. */
async function serve(theme: string): Promise<string> {
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-theme-"));
  await cp(demo, storeDir, { recursive: true, filter: (path) => path !== join(demo, "data") });
  const copy = join(storeDir, "theme");
  await rm(copy, { recursive: true, force: true });
  for (const folder of ["layout", "templates", "sections", "snippets", "blocks", "locales", "config", "assets"])
    if (existsSync(join(theme, folder))) await cp(join(theme, folder), join(copy, folder), { recursive: true });
  const config = { compat: true };
  const app = await createApp({ storeDir, logLevel: process.env.LOG_LEVEL ?? "error", config });
  after(async () => {
    await app.close();
    await rm(storeDir, { recursive: true, force: true });
  });
  return app.listen("127.0.0.1", 0);
}
