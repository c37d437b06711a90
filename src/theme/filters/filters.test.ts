import assert from "node:assert/strict";
import test from "node:test";
import type { Product } from "../../catalog/product.ts";
import { buildCatalog, buildProduct, buildVariant, openTheme } from "../example-shop.fixture.ts";
import { testFilters } from "./filter-examples.fixture.ts";

testFilters(
  {
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
      ["{{ 'rich_html' | t: name: '<i>1</i>' }}", "<b><i>1</i></b>"],
      ["{{ 'named' | t: name: \"<img src=x onerror=1>\" }}", "Hi &lt;img src=x onerror=1&gt;"],
      [
        "{{ 'items' | t: count: 1 }} {{ 'items' | t: count: 3 }} {{ 'items' | t: count: 0 }}",
        "1 item 3 items no items",
      ],
      ["{{ 'named' | t }}", "Hi "],
      ["{{ 'named' | t: name: settings.swatch }}", "Hi #1e90ff"],
      ["{{ 'named' | t: name: product.featured_image }}", "Hi /media/tote.jpg"],
      [
        "{% assign list = 'a,b' | split: ',' %}{{ 'named' | t: name: list }} {{ 'named' | t: name: 2.0 }}",
        "Hi ab Hi 2.0",
      ],
      ["{{ 'items' | t: count: 1.0 }}", "1.0 item"],
      ["{{ 'none<b>' | t }}", "translation missing: none&lt;b&gt;"],
      ["{{ nothing | t }}{{ 'shopify.online_store.spam_detection.disclaimer_html' | t }}", ""],
      ["{{ 'toString' | t }} {{ '__proto__' | t }}", "translation missing: toString translation missing: __proto__"],
      ["{{ 'plain' | t | json }}", '"It\'s \\u003cb\\u003eplain\\u003c/b\\u003e"'],
      ["{{ 'plain' | t | size }} {% assign x = 'plain' | t %}{{ x.size }}", "17 17"],
      ["{{ 'items' | translate: count: 2 }}", "2 items"],
      [
        "{{ 'none' | t: default: 'Add <now>' }}{{ 'plain' | t: default: 'x' }}",
        "Add &lt;now&gt;It&#39;s &lt;b&gt;plain&lt;/b&gt;",
      ],
    ],
    highlight: [
      [
        "{{ 'Tea <pot>' | highlight: 'tea <' }}",
        '<strong class="highlight">Tea</strong> <strong class="highlight">&lt;</strong>pot&gt;',
      ],
      ["{{ 'a.b' | highlight: '.' }}{{ 'a' | highlight: '' }}", 'a<strong class="highlight">.</strong>ba'],
    ],
    json: [
      ["{{ '</script><!--&\u2028' | json }}", '"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028"'],
      [
        "{{ nil | json }} {{ 1.5 | json }} {{ true | json }} {{ 'a,b' | split: ',' | json }}",
        'null 1.5 true ["a","b"]',
      ],
      ["{{ 'a.jpg' | file_img_url: '20x' | json }} {{ template | json }}", '"/media/a_20x.jpg" "product"'],
      [
        "{{ product.options_by_name | json }}",
        '{"Colour":{"option":{"name":"Colour","position":1,"values":["Red","Blue"]}}}',
      ],
      ["{{ product.variants.first | json | slice: 0, 40 }}", '{"id":11,"title":"Red","options":["Red"]'],
      ["{{ product.metafields.care.wash | json }} {{ 2.0 | json }} {{ collections | json }}", '"30°" 2.0 null'],
    ],
    date: [
      ["{{ '2026-03-05T10:00:00Z' | date: '%Y-%m-%d %H:%M' }}", "2026-03-05 10:00"],
      ["{{ '2026-03-05' | date: format: 'abbreviated_date' }}", "Mar 5, 2026"],
      [
        "{{ 'now' | date: '%Y' }} {{ 0 | date: '%Y' }} {{ '2026-03-05' | date: format: 'month_and_year' }}",
        "2026 1970 March 2026",
      ],
      ["{{ 'no date' | date: '%Y' }}{{ nil | date: '%Y' }}", "no date"],
    ],
    time_tag: [["{{ '2026-03-05' | time_tag: '%d.%m.' }}", '<time datetime="2026-03-05T00:00:00Z">05.03.</time>']],
    item_count_for_variant: [
      ["{{ cart | item_count_for_variant: 11 }} {{ cart | item_count_for_variant: 12 }}", "3 0"],
    ],
  },
  {
    "config/settings_schema.json": '[{"name":"x","settings":[{"id":"swatch","type":"color","default":"#1e90ff"}]}]',
    "locales/en.default.json": JSON.stringify({
      plain: "It's <b>plain</b>",
      rich_html: "<b>{{ name }}</b>",
      named: "Hi {{ name }}",
      items: { zero: "no items", one: "{{ count }} item", other: "{{ count }} items" },
      date_formats: { month_and_year: "%B %Y" },
    }),
  },
);

test("an asset's URL changes with the file", async (t) => {
  const files = {
    "assets/a.css": "a",
    "sections/a.liquid": "{{ 'a.css' | asset_url }} {{ 'a.css' | stylesheet_tag }} {{ 'a.css?4.0#b' | asset_url }}",
  };
  const theme = await openTheme(t, files);
  const changedTheme = await openTheme(t, { ...files, "assets/a.css": "b" });
  assert.match(
    await theme.section("a"),
    /^\/assets\/a\.css\?v=([\w-]{12}) <link rel="stylesheet" href="\/assets\/a\.css\?v=\1"> \/assets\/a\.css\?v=\1&4\.0#b$/,
  );
  assert.notEqual(await theme.section("a"), await changedTheme.section("a"));
});

test("json and size read HTML with elements as HTML, and escaped text as the text", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{{ 'a & b' | link_to: '/x' | json }} {{ 'a & b' | link_to: '/x' | size }} {{ 'Rain coat' | highlight: 'rain' | json }} {{ 'terms_html' | t: name: '<i>' , link: shop.name | json }} {{ 'text' | t: name: '<i>' | json }} {{ 'text' | t: name: '<i>' | size }}",
    "locales/en.default.json": '{"terms_html":"<b>{{ name }}</b>","text":"for {{ name }}"}',
  });
  const html = (await theme.section("a"))
    .replaceAll("\\u003c", "<")
    .replaceAll("\\u003e", ">")
    .replaceAll("\\u0026", "&");
  assert.equal(
    html,
    String.raw`"<a href=\"/x\">a &amp; b</a>" 26 "<strong class=\"highlight\">Rain</strong> coat" "<b><i></b>" "for <i>" 7`,
  );
});

test("the URL of a Sass file is that of its compiled CSS", async (t) => {
  const theme = await openTheme(t, {
    "assets/theme.scss.liquid": "a { b { color: red } }",
    "assets/theme.scss.css": "a b { color: red }",
    "assets/raw.scss": "",
    "sections/a.liquid":
      "{{ 'theme.scss' | asset_url | split: '?' | first }} {{ 'raw.scss' | asset_url | split: '?' | first }}",
  });
  assert.equal(await theme.section("a"), "/assets/theme.scss.css /assets/raw.scss");
});

test("money and dates use the render's language and the shop's currency", async (t) => {
  const template = "{{ 1234567 | money }} {{ 1234567 | money_without_currency }} {{ '2026-03-05' | date: '%B' }}";
  const files = { "sections/a.liquid": template };
  const normalizeSpaces = (text: string): string => text.replace(/[\u00a0\u202f]/g, " ");
  const yenTheme = await openTheme(t, files, { currency: "JPY" });
  assert.equal(normalizeSpaces(await yenTheme.section("a", { locale: "ja" })), "￥1,234,567 1,234,567 3月");
  const dinarTheme = await openTheme(t, files, { currency: "KWD" });
  assert.equal(normalizeSpaces(await dinarTheme.section("a", { locale: "fr" })), "1 234,567 KWD 1 234,567 mars");
});

test("structured data is JSON that is safe in a script, with decimal prices", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "{{ product | structured_data }}" });
  const product: Product = buildProduct({ title: "</script><b>", variants: [buildVariant({ price: 1999 })] });
  const html = await theme.section("a", { target: "/products/tote", catalog: buildCatalog([product]) });
  assert.doesNotMatch(html, /[<>]/);
  const data = JSON.parse(html);
  assert.equal(data.name, "</script><b>");
  assert.equal(data.offers[0].price, "19.99");
  assert.equal(data.offers[0].availability, "https://schema.org/InStock");
});

test("text of shoppers and the catalog is printed, never evaluated (S18, S19, N12)", async (t) => {
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

test("a translation with a key that ends in _html keeps tags of its arguments, except those from the page's URL", async (t) => {
  const theme = await openTheme(t, {
    "locales/en.default.json": '{"for_html":"<b>{{ terms }}</b> {{ price }}"}',
    "sections/a.liquid":
      "{% assign t = search.terms | downcase | truncate: 20, '' %}{% capture price %}<span class='money'>{{ 5 }}</span>{% endcapture %}{{ 'for_html' | t: terms: t, price: price }}",
    "sections/b.liquid": "{{ 'for_html' | t: terms: request.path, price: '' }}",
  });
  const moneyHtml = "<span class='money'>5</span>";
  const expectedHtml: Readonly<Record<string, string>> = {
    "men's": `<b>men&#39;s</b> ${moneyHtml}`,
    "<IMG src=x onerror=alert(1)>": `<b>&lt;img src=x onerro</b> ${moneyHtml}`,
    '" onclick="x': `<b>&quot; onclick=&quot</b> ${moneyHtml}`,
    "tom & <b": `<b>tom &amp; &lt;b</b> ${moneyHtml}`,
    plain: `<b>plain</b> ${moneyHtml}`,
  };
  for (const [q, html] of Object.entries(expectedHtml))
    assert.equal(await theme.section("a", { target: `/search?q=${encodeURIComponent(q)}` }), html, q);
  assert.doesNotMatch(await theme.section("b", { target: "/pages/%3Cscript%3E" }), /<script/);
});

test("only for a theme made for Shopify, a translation keeps placeholders without a value, for scripts", async (t) => {
  const files = {
    "locales/en.default.json": '{"left":"{{ amount }} left in {{ country }}"}',
    "sections/a.liquid": "{{ 'left' | t }}|{{ 'left' | t: country: 'Peru' }}|{{ 'left' | t: amount: nil }}",
  };
  for (const [compat, expected] of [
    [undefined, " left in | left in Peru| left in "],
    [
      { forms: true, script: true },
      "{{ amount }} left in {{ country }}|{{ amount }} left in Peru| left in {{ country }}",
    ],
  ] as const) {
    const theme = await openTheme(t, files, compat && { compat });
    assert.equal(await theme.section("a"), expected);
  }
});
