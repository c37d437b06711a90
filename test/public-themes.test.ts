import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createApp } from "../src/app.ts";

/** A folder with themes of others; without it there is nothing to show here. */
const themes = process.env.VITRINE_THEMES;
const demo = fileURLToPath(new URL("../examples/harbour-outfitters", import.meta.url));

/** What a shopper must see on a page; the last ones are sections by themselves. */
type Expected = Readonly<Record<string, RegExp>>;

const everywhere: Expected = {
  "/": /Harbour Outfitters/,
  "/products/raincoat": /Raincoat[\s\S]*148[\s\S]*name="id"/,
  "/collections/rainwear": /Rain Hat/,
  "/collections/all?page=2": /\/products\//,
  "/collections": /Rainwear/,
  "/search?q=coat": /Little Raincoat/,
  "/cart": /cart/i,
  "/pages/about": /<h1|class="[^"]*title/,
  "/blogs/tide-notes": /tide-notes\//,
  "/nope": /404|not found/i,
  "/fr/products/raincoat": /lang="fr"/,
};

const dawn: Expected = {
  "/products/raincoat?variant=102": /Navy[\s\S]*"id":102/,
  "/collections/rainwear?filter.p.vendor=Ansty+Oilskins&sort_by=price-ascending": /Ansty Oilskins/,
  "/search/suggest?q=rain&section_id=predictive-search": /^<div id="store-section-predictive-search"[\s\S]*Raincoat/,
  "/cart?section_id=cart-drawer": /<cart-drawer/,
  "/cart?section_id=main-cart-items": /<cart-items/,
  "/?section_id=cart-icon-bubble": /icon/,
  "/recommendations/products?product_id=1&limit=4&section_id=related-products": /\/products\//,
};

const shown: Readonly<Record<string, Expected>> = {
  "skeleton-theme": everywhere,
  dawn: { ...everywhere, ...dawn },
  horizon: everywhere,
  // It lists the collections that its merchant chose, and none was.
  "ks-bootshop": { ...everywhere, "/collections": /collection/i },
};

/** What no page may hold: an error's words, Liquid that was not rendered, a section that failed. */
const broken =
  /Liquid error[^<]*|translation missing[^<]*|\[object \w+\]|\{\{(?!amount)[^<]{0,40}|<div id="store-section-[^>]*><\/div>/i;

for (const [name, pages] of Object.entries(shown)) {
  const source = join(themes ?? "", name);
  const skip = themes === undefined || !existsSync(source);
  test(`${name} is shown whole`, { skip }, async () => {
    const faults: string[] = [];
    const { origin } = await serve(source);
    for (const [path, visible] of Object.entries(pages)) {
      const response = await fetch(origin + path);
      const html = await response.text();
      const status = path === "/nope" ? 404 : 200;
      if (response.status !== status) faults.push(`${path}: ${response.status}`);
      if (!visible.test(html)) faults.push(`${path}: no ${visible}`);
      const text = html.replace(/<script\b[\s\S]*?<\/script>/g, "");
      const [wrong] = broken.exec(text) ?? [];
      if (wrong !== undefined) faults.push(`${path}: ${wrong}`);
    }
    assert.deepEqual(faults, []);
  });
}

/** The demo's catalogue with a theme, after the one change of its files that a merchant makes. */
async function serve(theme: string): Promise<{ readonly origin: string }> {
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-theme-"));
  await cp(demo, storeDir, { recursive: true, filter: (path) => path !== join(demo, "data") });
  const copy = join(storeDir, "theme");
  await rm(copy, { recursive: true, force: true });
  await cp(theme, copy, { recursive: true });
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:liquid|js|css|json)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, "utf8");
    if (text.includes("shopify-section-")) await writeFile(file, text.replaceAll("shopify-section-", "store-section-"));
  }
  const config = { compat: { forms: true, script: true, sectionClass: "shopify-section" } };
  const app = await createApp({ storeDir, logLevel: "error", config });
  after(async () => {
    await app.close();
    await rm(storeDir, { recursive: true, force: true });
  });
  return { origin: await app.listen("127.0.0.1", 0) };
}
