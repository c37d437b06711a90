import assert from "node:assert/strict";
import { test } from "node:test";
import { buildCatalog, buildProduct, buildVariant, openTheme } from "../example-shop.fixture.ts";

test("an entry's field, overridden by a setting by path, selects an alternate template; ?view= overrides both", async (t) => {
  const types = ["product", "collection", "page", "blog", "article", "cart"];
  const wideTemplates = types.map((type) => [`templates/${type}.wide.liquid`, "{{ template }}"]);
  const defaultTemplates = types.map((type) => [`templates/${type}.liquid`, "{{ template }}"]);
  const suffixes =
    "{{ product.template_suffix }}{{ collection.template_suffix }}{{ page.template_suffix }}{{ article.template_suffix }}{{ blog.template_suffix }}";
  const theme = await openTheme(
    t,
    {
      ...Object.fromEntries([...defaultTemplates, ...wideTemplates]),
      "layout/theme.liquid": `{{ content_for_layout }} ${suffixes}`,
      "templates/product.set.liquid": "{{ template }}",
      "templates/product.broken.liquid": "{% if %}",
    },
    {
      templates: {
        "/products/mug": "set",
        "/collections/bags": "wide",
        "/pages/about": "wide",
        "/blogs/news": "wide",
        "/blogs/news/first": "gone",
        "/cart": "wide",
      },
    },
  );
  const mug = { handle: "mug", templateSuffix: "wide", variants: [buildVariant({ id: "21" })] };
  const products = [buildProduct({ templateSuffix: "wide" }), buildProduct({ id: "2", ...mug })];
  const request = { catalog: buildCatalog(products) };
  assert.equal(await theme.page("/products/tote", request), "product.wide wide");
  assert.equal(await theme.page("/collections/bags/products/tote", request), "product.wide widewide");
  assert.equal(await theme.page("/products/mug", request), "product.set set");
  assert.equal(await theme.page("/products/mug?view=wide", request), "product.wide set");
  assert.equal(await theme.page("/products/tote?view=gone", request), "product.wide wide");
  assert.equal(await theme.page("/collections/bags"), "collection.wide wide");
  assert.equal(await theme.page("/pages/about"), "page.wide wide");
  assert.equal(await theme.page("/blogs/news"), "blog.wide wide");
  assert.equal(await theme.page("/blogs/news/first"), "article gonewide");
  assert.equal(await theme.page("/cart"), "cart.wide ");
});
