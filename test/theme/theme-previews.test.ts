import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Client } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { startShop, testSecret } from "../support/shop.ts";
import { until } from "../support/until.ts";

const layout = (name: string): string =>
  `<!doctype html><html lang="en"><head><title>{{ page_title }}</title>{{ content_for_header }}</head><body>${name} {{ linklists.side.links.first.title }} {{ cart.item_count }}<link href="{{ 'theme.css' | asset_url }}">{{ content_for_layout }}</body></html>`;
const product = "{{ product.title }}{% section 'badge' %}";
const storeFiles = {
  "theme/layout/theme.liquid": layout("spring"),
  "theme/assets/theme.css": "/* spring */",
  "theme/templates/product.json": '{ "sections": {}, "order": [] }',
  "themes/summer/layout/theme.liquid": layout("summer"),
  "themes/summer/assets/theme.css": "/* summer */",
  "themes/summer/templates/product.liquid": product,
  "themes/summer/sections/badge.liquid": "hot",
  "themes/summer/config/vitrine.json":
    '{ "compat": true, "menus": { "side": [{ "title": "Beach", "url": "/collections/all" }] } }',
};

let timeOffsetMs = 0;
const shop = await startShop({ storeFiles, now: () => Date.now() + timeOffsetMs });
const theme = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await runCommand(
    { ...shop, env: { ...shop.env, VITRINE_SECRET: testSecret } as never },
    "theme",
    ...args,
  );
  assert.equal(code, 0, err);
  return out;
};
const previewPath = async (name: string, ...args: readonly string[]): Promise<string> => {
  const { pathname, search } = new URL((await theme("preview", name, ...args)).trim());
  return pathname + search;
};
const openPreview = async (name: string): Promise<Client> => {
  const client = shop.client();
  const reply = await client.get(await previewPath(name));
  assert.equal(reply.status, 302);
  assert.equal(reply.headers.location, "/");
  return client;
};
const bodyOf = async (client: Client, path: string): Promise<string> => {
  const { text } = await client.get(path);
  return text.slice(text.indexOf("<body>"));
};

test("a signed link shows another theme with its settings to its visitor only, through cart and checkout", async () => {
  const visitor = shop.client();
  const previewer = await openPreview("summer");
  // The second request of a URL may be served from the cache, in both orders.
  for (const path of ["/products/tote", "/", "/products/tote"]) {
    assert.match(await bodyOf(visitor, path), /^<body>spring {2}/);
    assert.match(await bodyOf(previewer, path), /^<body>summer Beach /);
    assert.match(await bodyOf(visitor, path), /^<body>spring {2}/);
  }
  const page = await previewer.get("/products/tote");
  assert.match(page.text, /Theme preview: summer <a href="\?preview_theme=">Leave preview<\/a><\/div><\/body>/);
  assert.match(page.text, /vitrine\/compat\.js/);
  assert.equal(page.headers["cache-control"], "no-store");
  assert.equal(page.headers["x-robots-tag"], "noindex");
  assert.equal((await previewer.get("/vitrine/preview.css")).headers["content-type"], "text/css; charset=utf-8");
  assert.match((await previewer.get("/fr/products/tote")).text, /Aperçu du thème\u00a0: summer/);
  assert.match((await previewer.get("/products/tote?section_id=badge")).text, /hot/);
  assert.equal((await visitor.get("/products/tote?section_id=badge")).status, 404);

  const added = await previewer.post("/cart/add.js?sections=badge", { id: 101, quantity: 1 });
  assert.match(added.text, /hot/);
  assert.match(await bodyOf(previewer, "/cart"), /^<body>summer Beach 1/);
  const { location } = (await previewer.get("/checkout")).headers;
  assert.match(await bodyOf(previewer, String(location)), /^<body>summer[\s\S]*Leave preview/);

  const left = await previewer.get("/cart?view=x&preview_theme=");
  assert.equal(left.headers.location, "/cart?view=x");
  assert.match(await bodyOf(previewer, "/cart"), /^<body>spring {2}1/);
  assert.doesNotMatch(await bodyOf(previewer, "/cart"), /Leave preview/);
});

test("each theme serves its own assets, and immutable responses only for the version in the URL", async () => {
  const visitor = shop.client();
  const previewer = await openPreview("summer");
  const assetOf = async (client: Client): Promise<string> =>
    /\/assets\/theme\.css\?v=[^"&]+/.exec((await client.get("/")).text)?.[0] ?? "";
  const [liveAsset, previewAsset] = [await assetOf(visitor), await assetOf(previewer)];
  assert.notEqual(liveAsset, previewAsset);
  for (const [client, path, text, cacheControl] of [
    [visitor, liveAsset, "/* spring */", /immutable/],
    [previewer, previewAsset, "/* summer */", /immutable/],
    [previewer, liveAsset, "/* summer */", /^no-store$/],
  ] as const) {
    const reply = await client.get(path);
    assert.equal(reply.text, text);
    assert.match(String(reply.headers["cache-control"]), cacheControl);
  }
});

test("invalid and expired links are rejected, and an expired cookie shows the live theme", async () => {
  const path = await previewPath("summer", "--days", "2");
  const client = shop.client();
  for (const wrongPath of [`${path}x`, path.replace(/=v1/, "=v2"), "/?preview_theme=summer"]) {
    const reply = await client.get(wrongPath);
    assert.equal(reply.status, 404);
    assert.match(reply.text, /invalid or has expired/);
  }
  assert.equal(client.cookies.size, 0);
  assert.equal((await client.get(path.replace("/?", "//evil.example/?"))).headers.location, "/");
  assert.match(await bodyOf(client, "/"), /^<body>summer/);
  timeOffsetMs = 2 * 24 * 60 * 60 * 1_000;
  try {
    assert.match(await bodyOf(client, "/"), /^<body>spring/);
    assert.equal((await shop.client().get(path)).status, 404);
  } finally {
    timeOffsetMs = 0;
  }
});

test("publish and rollback change the theme of a running server in one step, and keep the assets of open pages", async () => {
  const visitor = shop.client();
  const previewer = await openPreview("summer");
  const oldAsset = /\/assets\/theme\.css\?v=[^"]+/.exec((await visitor.get("/")).text)?.[0] ?? "";
  assert.equal(await theme("list"), "* theme\n  summer\n");
  assert.match(await theme("publish", "summer"), /summer is live\. .*theme rollback" goes back to theme/);
  await until(async () => /^<body>summer/.test(await bodyOf(visitor, "/")));
  assert.match(await bodyOf(visitor, "/products/tote"), /^<body>summer Beach /);
  assert.equal(await theme("list"), "  theme\n* summer\n");
  assert.equal((await visitor.get(oldAsset)).text, "/* spring */");
  assert.doesNotMatch(await bodyOf(previewer, "/"), /Leave preview/);
  assert.match(await theme("publish", "themes/summer"), /live already/);
  assert.match(await theme("rollback"), /theme is live again/);
  await until(async () => /^<body>spring/.test(await bodyOf(visitor, "/")));
  await assert.rejects(theme("rollback"), /no theme was live before "theme"/);
});

test("a live theme that is missing or broken leaves the theme before it in place", async () => {
  const live = join(shop.storeDir, "themes", "live");
  const visitor = shop.client();
  await writeFile(live, "missing\n");
  await assert.rejects(theme("publish", "missing"), /no theme "missing"\. This store has: theme, summer/);
  await writeFile(join(shop.storeDir, "theme/layout/theme.liquid"), layout("autumn"));
  await until(async () => /^<body>autumn/.test(await bodyOf(visitor, "/")));
  await writeFile(live, "summer\n");
  await until(async () => /^<body>summer/.test(await bodyOf(visitor, "/")));
  await rm(live);
  await until(async () => /^<body>autumn/.test(await bodyOf(visitor, "/")));
});
