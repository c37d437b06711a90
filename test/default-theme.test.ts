import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startShop } from "./support/shop.ts";

const theme = fileURLToPath(new URL("../themes/default/", import.meta.url));
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

test("sections that no template places, and every block, can be placed and are shown with their settings", async () => {
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
          facts: { type: "facts", settings: { show_sku: false } },
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
      "config/settings_data.json": JSON.stringify({ current: { palette: "moss", card_vendor: false } }),
    },
  });
  const client = shop.client();
  const home = (await client.get("/")).text;
  for (const shown of [
    '<html lang="en" dir="ltr" class="palette-moss">',
    '<a href="/pages/about">Closed on Mondays</a>',
    "Mind the tide",
    "Low water &lt;at&gt; six",
    '<a href="/collections/flags">To the flags</a>',
    "<h2>Our word</h2>",
    "<p>Dry or your money back.</p>",
    "Signal Flags</a>",
  ])
    assert.ok(home.includes(shown), shown);
  const page = (await client.get("/products/harbour-raincoat")).text;
  for (const shown of ["product--small", "Made to order &amp; slowly", "<summary>Care</summary>", "<p>Cold water.</p>"])
    assert.ok(page.includes(shown), shown);
  assert.ok(!page.includes("NOR.0707-60") && !page.includes("data-add-button"));
  const list = (await client.get("/collections/flags")).text;
  assert.ok(list.includes("Signal Flag Alpha") && !list.includes("Bunting</bdi></p>"));
});
