import assert from "node:assert/strict";
import test from "node:test";
import { openTheme } from "../example-shop.fixture.ts";

const template = JSON.stringify({
  sections: {
    main: {
      type: "main",
      blocks: {
        fixed: { type: "price", static: true, settings: { label: "Now" } },
        group: {
          type: "group",
          blocks: { b: { type: "text", settings: { text: "B" } }, a: { type: "text", settings: { text: "A" } } },
          block_order: ["a", "b"],
        },
        gone: { type: "text", disabled: true },
        own: { type: "local", settings: { text: "L" } },
      },
      block_order: ["group", "gone", "own"],
    },
  },
  order: ["main"],
});

const textBlock =
  '{% schema %}{"tag": null, "settings": [{"id": "text", "type": "text", "default": "none"}]}{% endschema %}';

const files = {
  "layout/theme.liquid": "{{ content_for_layout }}",
  "templates/index.json": template,
  "sections/main.liquid":
    "{% content_for 'block', type: 'price', id: 'fixed', size: 2 %}[{% content_for 'blocks' %}]{% for b in section.blocks %} {{ b.type }}={{ b.settings.text }}{% endfor %}" +
    '{% schema %}{"blocks": [{"type": "@theme"}, {"type": "local", "settings": [{"id": "text", "type": "text"}]}]}{% endschema %}',
  "blocks/group.liquid":
    '<{% content_for "blocks" %}>{% schema %}{"tag": "section", "class": "wide", "blocks": [{"type": "@theme"}]}{% endschema %}',
  "blocks/text.liquid": `{{ block.settings.text }}${textBlock}`,
  "blocks/price.liquid":
    '{{ block.settings.label }} {{ size }}{% schema %}{"tag": null, "settings": [{"id": "label", "type": "text"}]}{% endschema %}',
};

test("blocks of blocks/ are rendered in the merchant's order, nested, and where a section places them", async (t) => {
  const theme = await openTheme(t, files);
  assert.equal(
    await theme.page("/"),
    '<div id="store-section-main">Now 2[<section id="shopify-block-group" class="shopify-block wide"><AB></section>] group= local=L</div>',
  );
  assert.deepEqual(theme.reports, []);
});

test("a block gets the nearest product, passed or the page's, also in its snippets", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": "{{ content_for_layout }}",
    "templates/product.json": '{"sections":{"main":{"type":"main"}}}',
    "sections/main.liquid":
      "{% content_for 'block', type: 'card', id: 'one' %}{% for p in collections.bags.products %}{% content_for 'block', type: 'card', id: 'two', closest.product: p %}{% endfor %}{{ closest.product.title }}",
    "blocks/card.liquid": `{% content_for 'block', type: 'name', id: 'n' %}${textBlock}`,
    "blocks/name.liquid": `{% render 'name' %};${textBlock}`,
    "snippets/name.liquid": "{{ closest.product.title }}/{{ block.id }}",
  });
  assert.equal(await theme.page("/products/mug"), '<div id="store-section-main">Mug/n;Tote/n;Mug/n;Mug</div>');
});

test("a block that contains itself fails its section, a missing one is omitted", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% content_for 'block', type: 'ring', id: 'r' %}",
    "blocks/ring.liquid": "{% content_for 'block', type: 'ring', id: 'r' %}",
    "sections/b.liquid": "{% content_for 'block', type: 'gone', id: 'g' %}",
  });
  await assert.rejects(theme.section("a"), /snippets are nested more than 50 levels deep/);
  assert.equal(await theme.section("b"), "");
  assert.match(String(theme.reports[0]), /blocks\/gone\.liquid: no such file in the theme/);
});

test("a section reads the cart if one of its blocks does", async (t) => {
  const theme = await openTheme(t, {
    "templates/index.json":
      '{"sections":{"main":{"type":"main","blocks":{"c":{"type":"count"}}},"plain":{"type":"main"}}}',
    "sections/main.liquid": "{% content_for 'blocks' %}",
    "sections/fixed.liquid": "{% content_for 'block', type: 'count', id: 'c' %}",
    "blocks/count.liquid": `{{ cart.item_count }}${textBlock}`,
  });
  assert.equal(await theme.section("main"), "0");
  assert.equal(await theme.section("plain"), "");
  assert.equal(await theme.section("fixed"), "0");
});

test("a block may include snippets, which share its variables and not the section's; rendered ones may not include", async (t) => {
  const theme = await openTheme(t, {
    "sections/main.liquid":
      '{% assign word = "section" %}{% content_for "block", type: "note", id: "n" %}{% schema %}{ "name": "M" }{% endschema %}',
    "blocks/note.liquid":
      '{% assign own = "block" %}{% include "says" %}{% render "walled" %}{% schema %}{ "name": "N", "tag": null }{% endschema %}',
    "snippets/says.liquid": "[{{ own }}{{ word }}]{% assign own = 'snippet' %}",
    "snippets/walled.liquid": "({% include 'says' %})",
  });
  assert.equal(await theme.section("main"), "[block]()");
});

test("a section of fifty large product cards is rendered, also if it captures them first", async (t) => {
  const card = "c".repeat(50_000);
  const theme = await openTheme(t, {
    "sections/grid.liquid":
      "{% capture cards %}{% for i in (1..50) %}{% render 'card' %}{% endfor %}{% endcapture %}{% render 'list', cards: cards %}",
    "snippets/card.liquid": card,
    "snippets/list.liquid": "{% if cards != blank %}<ul>{{ cards | strip }}</ul>{% endif %}",
  });
  assert.equal((await theme.section("grid")).length, 50 * card.length + "<ul></ul>".length);
  assert.deepEqual(theme.reports, []);
});

test("only for a theme made for Shopify, generated blocks are in the section _blocks, which the theme can contain", async (t) => {
  const sections = { a: { type: "_blocks", blocks: { one: { type: "ai_gen_1", settings: { text: "A" } } } } };
  const themeFiles = {
    "layout/theme.liquid": "{{ content_for_layout }}",
    "templates/index.json": JSON.stringify({ sections, order: ["a"] }),
    "blocks/ai_gen_1.liquid": `{{ block.settings.text }}${textBlock}`,
  };
  const settings = { compat: { forms: true, script: true } };
  const theme = await openTheme(t, themeFiles, settings);
  assert.equal(await theme.page("/"), '<div id="store-section-a">A</div>');
  assert.deepEqual(theme.reports, []);
  const customSection = `<b>{% content_for 'blocks' %}</b>{% schema %}{"blocks":[{"type":"@theme"}]}{% endschema %}`;
  const customTheme = await openTheme(t, { ...themeFiles, "sections/_blocks.liquid": customSection }, settings);
  assert.equal(await customTheme.page("/"), '<div id="store-section-a"><b>A</b></div>');
  const otherTheme = await openTheme(t, themeFiles);
  assert.equal(await otherTheme.page("/"), '<div id="store-section-a"></div>');
});
