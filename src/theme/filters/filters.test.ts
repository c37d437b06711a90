import assert from "node:assert/strict";
import test from "node:test";
import type { Product } from "../../catalog/product.ts";
import { exampleCart, exampleCatalog, exampleProduct, exampleVariant, openTheme } from "../example-shop.fixture.ts";

/** Filter by filter: what a template says, and what it prints. */
const examples: Readonly<Record<string, readonly (readonly [template: string, output: string])[]>> = {
  money: [
    ["{{ 123456 | money }}", "$1,234.56"],
    ["{{ '1999' | money }}", "$19.99"],
    ["{{ -5 | money }}", "-$0.05"],
    ["{{ nil | money }}{{ 'x' | money }}{{ empty | money }}", ""],
  ],
  money_with_currency: [["{{ 1999 | money_with_currency }}{{ nil | money_with_currency }}", "$19.99 USD"]],
  money_without_currency: [["{{ 123456 | money_without_currency }}", "1,234.56"]],
  money_without_trailing_zeros: [
    ["{{ 2000 | money_without_trailing_zeros }} {{ 2050 | money_without_trailing_zeros }}", "$20 $20.50"],
  ],
  t: [
    ["{{ 'plain' | t }}", "It&#39;s &lt;b&gt;plain&lt;/b&gt;"],
    ["{{ 'plain' | t | escape }}", "It&#39;s &lt;b&gt;plain&lt;/b&gt;"],
    ["{{ 'rich_html' | t: name: '<i>' }}", "<b>&lt;i&gt;</b>"],
    ["{{ 'named' | t: name: \"<img src=x onerror=1>\" }}", "Hi &lt;img src=x onerror=1&gt;"],
    ["{{ 'items' | t: count: 1 }} {{ 'items' | t: count: 3 }} {{ 'items' | t: count: 0 }}", "1 item 3 items no items"],
    ["{{ 'named' | t }}", "Hi "],
    ["{{ 'none<b>' | t }}", "translation missing: none&lt;b&gt;"],
    ["{{ 'toString' | t }} {{ '__proto__' | t }}", "translation missing: toString translation missing: __proto__"],
    ["{{ 'plain' | t | json }}", '"It\'s \\u003cb\\u003eplain\\u003c/b\\u003e"'],
    ["{{ 'plain' | t | size }} {% assign x = 'plain' | t %}{{ x.size }}", "17 17"],
    ["{{ 'items' | translate: count: 2 }}", "2 items"],
  ],
  asset_url: [
    ["{{ 'none.css' | asset_url }}", "/assets/none.css"],
    ["{{ '../../etc/passwd' | asset_url }}", "/assets/..%2F..%2Fetc%2Fpasswd"],
  ],
  inline_asset_content: [
    ["{{ 'icon.svg' | inline_asset_content }}|{{ '../icon.svg' | inline_asset_content }}", "<svg>i</svg>|"],
  ],
  stylesheet_tag: [
    [
      "{{ 'https://x.example/a.css' | stylesheet_tag: media: 'print' }}",
      '<link rel="stylesheet" href="https://x.example/a.css" media="print">',
    ],
    ["{{ '/\"><script>' | stylesheet_tag }}", '<link rel="stylesheet" href="/%22%3E%3Cscript%3E">'],
  ],
  script_tag: [
    ["{{ '/a.js' | script_tag }}", '<script src="/a.js" defer></script>'],
    ["{{ '/a.js' | script_tag: type: 'module' }}", '<script type="module" src="/a.js"></script>'],
  ],
  preload_tag: [["{{ '/a.css' | preload_tag: as: 'style' }}", '<link rel="preload" href="/a.css" as="style">']],
  image_url: [
    ["{{ product.featured_image | image_url: width: 100 }}", "/media/tote.jpg"],
    ["{{ product | image_url }}", "/media/tote.jpg"],
    [
      "{{ 'https://cdn.example/a.jpg' | image_url: width: 100, height: 50 }}",
      "https://cdn.example/a.jpg?width=100&height=50",
    ],
    ["{{ nil | image_url }}", ""],
    ["{{ '\"><script>' | image_url }}", "%22%3E%3Cscript%3E"],
  ],
  image_tag: [
    [
      "{{ product.featured_image | image_url: width: 200 | image_tag: class: 'a\"b' }}",
      '<img src="/media/tote.jpg" alt="A red tote" width="200" height="100" loading="lazy" class="a&quot;b">',
    ],
    [
      "{{ product.featured_image | image_tag: alt: '<x>', loading: 'eager' }}",
      '<img src="/media/tote.jpg" alt="&lt;x&gt;" width="800" height="400" loading="eager">',
    ],
    ["{{ nil | image_tag }}", ""],
  ],
  placeholder_svg_tag: [["{{ 'x' | placeholder_svg_tag: 'a\"b' | slice: 0, 26 }}", '<svg class="a&quot;b" view']],
  link_to: [
    ["{{ '<b>' | link_to: '/a\"b', class: 'c' }}", '<a href="/a%22b" class="c">&lt;b&gt;</a>'],
    ["{{ 'x' | link_to: 'java\tscript:alert(1)' }}", '<a href="#">x</a>'],
    ["{{ 'x' | link_to: '/a', 'A \"title\"' }}", '<a href="/a" title="A &quot;title&quot;">x</a>'],
  ],
  highlight: [
    [
      "{{ 'Tea <pot>' | highlight: 'tea <' }}",
      '<strong class="highlight">Tea</strong> <strong class="highlight">&lt;</strong>pot&gt;',
    ],
    ["{{ 'a.b' | highlight: '.' }}{{ 'a' | highlight: '' }}", 'a<strong class="highlight">.</strong>ba'],
  ],
  handleize: [["{{ ' Crème Brûlée! 茶 ' | handleize }} {{ 'A' | handle }}", "creme-brulee-茶 a"]],
  json: [
    ["{{ '</script><!--&\u2028' | json }}", '"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028"'],
    ["{{ nil | json }} {{ 1.5 | json }} {{ true | json }} {{ 'a,b' | split: ',' | json }}", 'null 1.5 true ["a","b"]'],
    ["{{ product.variants.first | json | slice: 0, 40 }}", '{"id":11,"title":"Red","options":["Red"]'],
    ["{{ product.metafields | json }}", '{"care":{"wash":"30°"}}'],
  ],
  escape: [
    ["{{ '<a href=\"x\">&\\'</a>' | escape }}", "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;"],
    ["{{ '<' | escape | escape }}", "&lt;"],
    ["{{ '&lt;<' | escape_once }}", "&lt;&lt;"],
  ],
  date: [
    ["{{ '2026-03-05T10:00:00Z' | date: '%Y-%m-%d %H:%M' }}", "2026-03-05 10:00"],
    ["{{ '2026-03-05' | date: format: 'abbreviated_date' }}", "Mar 5, 2026"],
    ["{{ 'now' | date: '%Y' }} {{ 0 | date: '%Y' }}", "2026 1970"],
    ["{{ 'no date' | date: '%Y' }}{{ nil | date: '%Y' }}", "no date"],
  ],
  time_tag: [["{{ '2026-03-05' | time_tag: '%d.%m.' }}", '<time datetime="2026-03-05T00:00:00Z">05.03.</time>']],
  divided_by: [
    ["{{ 7 | divided_by: 2 }} {{ -7 | divided_by: 2 }} {{ 7.0 | divided_by: 2 }}", "3 -4 3"],
    ["{{ 7.5 | divided_by: 2 }} {{ 7 | divided_by: 2.0 }} {{ 7 | divided_by: 2.5 }}", "3.75 3.5 2.8"],
  ],
  within: [
    ["{{ product.url | within: collection }}", "/collections/bags/products/tote"],
    ["{{ '/x' | within: collection }} {{ product.url | within: nil }}", "/x /products/tote"],
  ],
  item_count_for_variant: [["{{ cart | item_count_for_variant: 11 }} {{ cart | item_count_for_variant: 12 }}", "3 0"]],
  weight_with_unit: [["{{ 250 | weight_with_unit }} {{ 1250 | weight_with_unit }}", "250 g 1.25 kg"]],
  strip_html: [
    ["{{ '<p>a<b>b</b></p><script>x</script>' | strip_html }}", "ab"],
    ["{{ 'a <img src=x onerror=1 ' | strip_html }} {{ '1 < 2' | strip_html }}", "a img src=x onerror=1  1 < 2"],
  ],
  truncatewords: [["{{ 'one two three' | truncatewords: 2 }} {{ 'abcdef' | truncate: 4 }}", "one two... a..."]],
  url_encode: [
    ["{{ 'a b&c/é' | url_encode }} {{ 'a b' | url_param_escape }}", "a+b%26c%2F%C3%A9 a%20b"],
    ["{{ 'a+b%26' | url_decode }} {{ '%' | url_decode }}", "a b& %"],
    ["{{ '/a b' | url_escape }}", "/a%20b"],
  ],
  pluralize: [["{{ 1 | pluralize: 'a', 'b' }}{{ 2 | pluralize: 'a', 'b' }}", "ab"]],
  default: [
    ["{{ nil | default: 'x' }}{{ '' | default: 'y' }}{{ false | default: true, allow_false: true }}", "xyfalse"],
  ],
  where: [
    ["{{ collection.products | where: 'available' | map: 'title' | join }}", "Tote"],
    ["{{ collection.products | where: 'handle', 'mug' | map: 'title' | join }}", "Mug"],
    ["{{ collection.products | reject: 'handle', 'mug' | map: 'handle' | join }}", "tote"],
    ["{% assign p = collection.products | find: 'handle', 'mug' %}{{ p.title }}", "Mug"],
    [
      "{{ collection.products | find_index: 'handle', 'mug' }} {{ collection.products | has: 'handle', 'x' }}",
      "1 false",
    ],
    ["{{ product.variants | sum: 'price' }} {{ product.variants | map: 'constructor' | compact | size }}", "4598 0"],
    ["{{ product.variants | sort: 'price' | reverse | map: 'title' | join: ',' }}", "Blue,Red"],
    ["{{ collections | map: 'handle' | join }} {{ collections.size }} {{ collections | size }}", "bags 1 1"],
  ],
};

for (const [name, pairs] of Object.entries(examples)) {
  test(`the filter ${name}`, async (t) => {
    const theme = await openTheme(t, {
      "locales/en.default.json": JSON.stringify({
        plain: "It's <b>plain</b>",
        rich_html: "<b>{{ name }}</b>",
        named: "Hi {{ name }}",
        items: { zero: "no items", one: "{{ count }} item", other: "{{ count }} items" },
      }),
      "assets/icon.svg": "<svg>i</svg>",
      ...Object.fromEntries(pairs.map(([template], index) => [`sections/s${index}.liquid`, template])),
    });
    const request = { target: "/collections/bags/products/tote", cart: async () => exampleCart(3) };
    for (const [index, [template, expected]] of pairs.entries())
      assert.equal(await theme.section(`s${index}`, request), expected, template);
  });
}

test("an asset's address changes with the file", async (t) => {
  const files = {
    "assets/a.css": "a",
    "sections/a.liquid": "{{ 'a.css' | asset_url }} {{ 'a.css' | stylesheet_tag }}",
  };
  const one = await openTheme(t, files);
  const other = await openTheme(t, { ...files, "assets/a.css": "b" });
  assert.match(
    await one.section("a"),
    /^\/assets\/a\.css\?v=([\w-]{12}) <link rel="stylesheet" href="\/assets\/a\.css\?v=\1">$/,
  );
  assert.notEqual(await one.section("a"), await other.section("a"));
});

test("money and dates follow the render's language and the shop's currency", async (t) => {
  const template = "{{ 1234567 | money }} {{ 1234567 | money_without_currency }} {{ '2026-03-05' | date: '%B' }}";
  const files = { "sections/a.liquid": template };
  const plainly = (text: string): string => text.replace(/[\u00a0\u202f]/g, " ");
  const yen = await openTheme(t, files, { currency: "JPY" });
  assert.equal(plainly(await yen.section("a", { locale: "ja" })), "￥1,234,567 1,234,567 3月");
  const dinar = await openTheme(t, files, { currency: "KWD" });
  assert.equal(plainly(await dinar.section("a", { locale: "fr" })), "1 234,567 KWD 1 234,567 mars");
});

test("structured data is JSON that may stand in a script, with decimal prices", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "{{ product | structured_data }}" });
  const product: Product = exampleProduct({ title: "</script><b>", variants: [exampleVariant({ price: 1999 })] });
  const html = await theme.section("a", { target: "/products/tote", catalog: exampleCatalog([product]) });
  assert.doesNotMatch(html, /[<>]/);
  const data = JSON.parse(html);
  assert.equal(data.name, "</script><b>");
  assert.equal(data.offers[0].price, "19.99");
  assert.equal(data.offers[0].availability, "https://schema.org/InStock");
});

test("words from shoppers and the catalogue are printed, never evaluated (S18, S19, N12)", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{{ 'q' | t: terms: search.terms }}|{{ search.terms | escape }}|{{ search.terms | link_to: '/' }}|{{ search.terms | json }}",
    "locales/en.default.json": '{"q":"Results for {{ terms }}"}',
  });
  for (const q of ["<img src=x onerror=1>", '"><script>', "{{ 7 | times: 7 }}", "{% render 'x' %}", "</script>"]) {
    const html = await theme.section("a", { target: `/search?q=${encodeURIComponent(q)}` });
    assert.doesNotMatch(html.replace(/<\/?a[^>]*>/g, ""), /[<>]|49/, q);
  }
});
