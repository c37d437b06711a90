import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { StoreSettings } from "../../src/config/settings.ts";
import { startShop } from "../support/shop.ts";

const theme = fileURLToPath(new URL("../../themes/default/", import.meta.url));
const files = Object.fromEntries(
  globSync("{layout,templates,templates/customers,sections,snippets,locales,config}/*.*", { cwd: theme }).map(
    (name) => [name, readFileSync(theme + name, "utf8")],
  ),
);

interface Schema {
  readonly name: string;
  readonly settings?: readonly { readonly id?: string; readonly type: string; readonly default?: unknown }[];
  readonly blocks?: readonly { readonly type: string; readonly settings?: Schema["settings"] }[];
  readonly presets?: readonly {
    readonly name: string;
    readonly blocks?: readonly { readonly type: string }[];
  }[];
}

const schemas = Object.entries(files).flatMap(([name, text]) => {
  const schema = /\{% schema %\}([\s\S]*?)\{% endschema %\}/.exec(text)?.[1];
  return name.startsWith("sections/") && name.endsWith(".liquid")
    ? [[name.slice("sections/".length, -".liquid".length), schema] as const]
    : [];
});

test("every section of the default theme has a schema with a name, and its presets use its own blocks", () => {
  for (const [name, text] of schemas) {
    assert.ok(text, `${name} has a schema`);
    const schema = JSON.parse(text) as Schema;
    assert.ok(schema.name, name);
    const types = schema.blocks?.map(({ type }) => type) ?? [];
    for (const preset of schema.presets ?? [])
      for (const { type } of preset.blocks ?? []) assert.ok(types.includes(type), `${name}: block ${type}`);
  }
});

test("labels name landmarks, fields, links, and elements with a role, as HTML checkers require", () => {
  const labeled =
    /<(?!section|nav|aside|button|input|select|textarea|a\b|img|svg|dialog|form)[a-z-]+(?![^>]*\brole=)[^>]*\baria-label=[^>]*/g;
  const misused = Object.entries(files).flatMap(([name, text]) => (text.match(labeled) ?? []).map((tag) => name + tag));
  assert.deepEqual(misused, []);
});

test("the header links to the account on each page if accounts are on", async () => {
  const link = /<header[\s\S]*<a [^>]*href="\/account"[^>]*>[\s\S]*?Account[\s\S]*<\/header>/;
  const headerOf = async (config: StoreSettings) =>
    (await (await startShop({ config, themeFiles: files })).client().get("/search")).text;
  assert.match(await headerOf({ customers: { accounts: true } }), link);
  assert.doesNotMatch(await headerOf({}), link);
});

test("the default theme's fonts are small, licensed, and named by its styles", () => {
  const styles = readFileSync(`${theme}assets/theme.css`, "utf8");
  const fonts = globSync("*.woff2", { cwd: `${theme}assets` });
  assert.equal(fonts.length, 10);
  for (const font of fonts) {
    assert.ok(styles.includes(`url("${font}")`), font);
    assert.match(
      readFileSync(`${theme}licences/${/^[a-z_]+?(?=_n\d|-)/.exec(font)}.txt`, "utf8"),
      /SIL Open Font License/i,
    );
  }
  const bytes = fonts.reduce((sum, font) => sum + statSync(`${theme}assets/${font}`).size, 0);
  assert.ok(bytes < 200_000, `${bytes} bytes`);
});

test("sections without a template, and every block, render with their settings", async () => {
  const index = {
    sections: {
      bar: {
        type: "announcement-bar",
        blocks: { one: { type: "announcement", settings: { text: "Closed on Mondays", url: "/pages/about" } } },
      },
      hero: {
        type: "hero",
        settings: { heading: "Mind the tide", text: "Low water <at> six" },
        blocks: { link: { type: "link", settings: { label: "To the flags", url: "/collections/flags" } } },
      },
      text: {
        type: "rich-text",
        blocks: {
          heading: { type: "heading", settings: { text: "Our word" } },
          text: { type: "text", settings: { text: "<p>Dry or your money back.</p>" } },
          link: { type: "link", settings: { label: "Look" } },
        },
      },
      list: { type: "collection-list", blocks: { flags: { type: "collection", settings: { collection: "flags" } } } },
    },
    order: ["bar", "hero", "text", "list"],
  };
  const product = {
    sections: {
      "main-product": {
        type: "main-product",
        settings: { media_size: "small" },
        blocks: {
          title: { type: "title" },
          facts: { type: "facts", settings: { show_sku: true } },
          text: { type: "text", settings: { text: "Made to order & slowly" } },
          details: { type: "details", settings: { heading: "Care", content: "<p>Cold water.</p>" } },
        },
      },
    },
    order: ["main-product"],
  };
  const shop = await startShop({
    themeFiles: {
      ...files,
      "templates/index.json": JSON.stringify(index),
      "templates/product.json": JSON.stringify(product),
      "assets/fonts.css.liquid": readFileSync(`${theme}assets/fonts.css.liquid`, "utf8"),
      "config/settings_data.json": JSON.stringify({
        current: { palette: "food", card_vendor: false, heading_font: "georgia_n4", awning: true },
      }),
    },
  });
  const client = shop.client();
  const home = (await client.get("/")).text;
  for (const shown of [
    '<html lang="en" dir="ltr" class="palette-food heading-georgia serif">',
    '<div class="awning"></div>',
    '<a href="/pages/about">Closed on Mondays</a>',
    "Mind the tide",
    "Low water &lt;at&gt; six",
    '<a href="/collections/flags">To the flags</a>',
    "<h2>Our word</h2>",
    "<p>Dry or your money back.</p>",
    "Signal Flags</bdi></a>",
  ])
    assert.ok(home.includes(shown), shown);
  const [fonts = ""] = /\/assets\/fonts\.css\?v=[\w-]+/.exec(home) ?? [];
  assert.match((await client.get(fonts)).text, /^\s*:root \{\s*--heading-face: Georgia, serif;\s*\}\s*$/);
  assert.ok(home.includes("/assets/figtree_n4.woff2") && !home.includes("newsreader_n4.woff2"), "one is preloaded");
  const page = (await client.get("/products/harbour-raincoat")).text;
  for (const shown of ["product--small", "Made to order &amp; slowly", "<summary>Care<svg", "<p>Cold water.</p>"])
    assert.ok(page.includes(shown), shown);
  assert.ok(page.includes("<bdi>NOR.0707-60") && !page.includes("data-add-button"));
  const list = (await client.get("/collections/flags")).text;
  assert.ok(list.includes("Signal Flag Alpha") && !list.includes("Bunting</bdi></p>"));
});

test("pages contain metadata for search engines, with any text", async () => {
  const word = "</script><b>\"'&";
  const barcodes = { S: "4006381333931", M: "4006381333932" };
  const coat = {
    kind: "product",
    id: 1,
    handle: "coat",
    title: `Coat ${word}`,
    vendor: `Oilskins ${word}`,
    product_type: "Coats",
    description: `<p>${"Waxed by hand ".repeat(20)}</p>`,
    images: [
      { src: "/media/coat.jpg", alt: "A coat", width: 1_600, height: 1_200 },
      { src: "https://cdn.example/b.jpg" },
    ],
    options: ["Size"],
    variants: [
      { id: 11, title: "S", options: ["S"], price: 12_000, sku: "C-S", barcode: barcodes.S, inventory_quantity: 3 },
      { id: 12, title: "M", options: ["M"], price: 12_500, sku: "C-M", barcode: barcodes.M, inventory_quantity: 0 },
    ],
  };
  const shelf = { kind: "collection", id: 2, handle: "coats", title: `Coats ${word}`, products: ["coat"] };
  const brand = { logo: "/media/logo.png", social: { instagram: "https://instagram.example/shop" } };
  const contact = { email: "quay@shop.example" };
  const shop = await startShop({
    hasTheme: false,
    rows: [coat, shelf],
    config: { name: `Quay ${word}`, origin: "https://shop.example", brand, contact },
  });
  const client = shop.client();
  const read = async (path: string): Promise<{ readonly html: string; readonly data: readonly LinkedData[] }> => {
    const html = (await client.get(path)).text;
    const scripts = [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)];
    return { html, data: scripts.map(([, json = ""]) => JSON.parse(json) as LinkedData) };
  };
  const meta = (html: string, name: string): string | undefined =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1];

  const home = await read("/");
  const [organization, site] = home.data[0]?.["@graph"] ?? [];
  assert.equal(organization?.name, `Quay ${word}`);
  assert.equal(organization?.email, "quay@shop.example");
  assert.match(String(organization?.logo), /^https:\/\/shop\.example\/media\/logo\.png/);
  assert.deepEqual(organization?.sameAs, ["https://instagram.example/shop"]);
  assert.match(JSON.stringify(site?.potentialAction), /https:\/\/shop\.example\/search\?q=\{search_term_string\}/);
  assert.match(String(meta(home.html, "description")), /^Shop online at Quay &lt;\/script&gt;.*\.$/);

  const page = await read("/fr/collections/coats/products/coat?variant=12");
  const address = "https://shop.example/fr/products/coat";
  const [trail, product] = page.data;
  const steps = (trail?.itemListElement ?? []) as readonly LinkedData[];
  assert.deepEqual(
    steps.map(({ name, item }) => [name, item]),
    [
      [`Quay ${word}`, "https://shop.example/fr"],
      [`Coats ${word}`, "https://shop.example/fr/collections/coats"],
      [`Coat ${word}`, address],
    ],
  );
  assert.equal(product?.name, `Coat ${word}`);
  assert.deepEqual(product?.image, ["https://shop.example/media/coat.jpg", "https://cdn.example/b.jpg"]);
  const offers = (product?.offers ?? []) as readonly LinkedData[];
  assert.deepEqual(
    offers.map(({ sku, gtin, price, priceCurrency, availability, url }) => [
      sku,
      gtin,
      price,
      priceCurrency,
      availability,
      url,
    ]),
    [
      ["C-S", barcodes.S, "120.00", "USD", "https://schema.org/InStock", `${address}?variant=11`],
      // This barcode has a wrong check digit, so it is omitted.
      ["C-M", undefined, "125.00", "USD", "https://schema.org/OutOfStock", `${address}?variant=12`],
    ],
  );
  assert.ok(page.html.includes(`<link rel="canonical" href="${address}">`));
  assert.match(page.html, /<link rel="alternate" hreflang="fr" href="https:\/\/shop\.example\/fr\/products\/coat">/);
  assert.match(page.html, /hreflang="x-default" href="https:\/\/shop\.example\/products\/coat">/);
  const description = String(meta(page.html, "description"));
  assert.match(description, /^(?:Waxed by hand )+Waxed(?: by(?: hand)?)?…$/);
  assert.ok(description.length > 120 && description.length <= 160, `${description.length} characters`);
  assert.equal(meta(page.html, "og:title"), "Coat &lt;/script&gt;&lt;b&gt;&quot;&#39;&amp;");
  assert.equal(meta(page.html, "og:type"), "product");
  assert.match(String(meta(page.html, "og:image")), /^https:\/\/shop\.example\/media\/coat\.jpg/);
  assert.equal(meta(page.html, "og:url"), address);
  assert.equal(meta(page.html, "twitter:card"), "summary_large_image");
  assert.ok(!page.html.includes('<b>"'), "nothing of the catalogue is markup");

  const found = await read("/search?q=coat");
  assert.equal(meta(found.html, "robots"), "noindex");
  assert.deepEqual(found.data, []);
});

interface LinkedData {
  readonly "@graph"?: readonly LinkedData[];
  readonly [name: string]: unknown;
}
