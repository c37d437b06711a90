import assert from "node:assert/strict";
import test from "node:test";
import { exampleCatalog, exampleProduct, openTheme } from "../example-shop.fixture.ts";

const layout = "{{ content_for_layout }}";

test("section places a file's section in a layout, with the theme's settings for it", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": "{% section 'head' %}{% section 'foot' %}|{{ section.id }}|",
    "templates/index.liquid": "",
    "sections/head.liquid":
      '{{ section.settings.word }}{% schema %}{"settings":[{"id":"word","default":"plain"}]}{% endschema %}',
    "sections/foot.liquid":
      '{% for b in section.blocks %}{{ b.type }}{{ b.settings.n }}{% endfor %}{% schema %}{"blocks":[{"type":"link","settings":[{"id":"n","default":7}]}],"default":{"blocks":[{"type":"link"}]}}{% endschema %}',
    "config/settings_data.json": '{"current":{"sections":{"head":{"type":"head","settings":{"word":"set"}}}}}',
  });
  assert.equal(
    await theme.page("/"),
    '<div id="store-section-head">set</div><div id="store-section-foot">link7</div>||',
  );
});

test("sections that do not exist are an error of the layout", async (t) => {
  const theme = await openTheme(t, { "layout/theme.liquid": "{% section 'none' %}", "templates/index.liquid": "" });
  await assert.rejects(theme.page("/"), /sections\/none\.liquid.*file:layout\/theme\.liquid, line:1/s);
});

test("render has variables of its own, include shares those around it", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% assign x = 1 %}{% render 's' %}{% render 's', x: 2 %}{% include 's' %}{% render 's' with 5 as x %}{% render 's' for list as x %}{{ y }}",
    "snippets/s.liquid": "[{{ x }}{{ section.id }}]{% assign y = x %}",
  });
  assert.equal(await theme.section("a"), "[a][2a][1a][5a]1");
});

test("snippets are named by fixed texts", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% assign n = 's' %}\n{% render n %}",
    "sections/b.liquid": "{% include n %}",
  });
  await assert.rejects(theme.section("a"), /name the snippet by a fixed text.*file:sections\/a\.liquid, line:2/s);
  await assert.rejects(theme.section("b"), /fixed text/);
});

test("schema, stylesheet, javascript and doc print nothing and may hold Liquid's signs", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "a{% doc %}{{ {% {% enddoc %}b{% stylesheet %}.x{{{% endstylesheet %}c{%- javascript -%}if (a) {{ b }}{%- endjavascript -%}d{% schema %}{}{% endschema %}",
  });
  assert.equal(await theme.section("a"), "abcd");
});

test("style prints an element with its Liquid worked out", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% style %}a { width: {{ 1 | plus: 2 }}px }{% endstyle %}",
  });
  assert.equal(await theme.section("a"), "<style>a { width: 3px }</style>");
});

test("form makes a product's and a cart's form, with escaped attributes", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% form 'product', product, id: 'f\"', class: 'x', data-a: 1 %}{{ form.id | escape }}{% endform %}",
    "sections/b.liquid": "{% form 'cart', cart %}{% endform %}",
    "sections/c.liquid": "{% form 'nosuch' %}{% endform %}",
  });
  const field = (type: string): string => `<input type="hidden" name="form_type" value="${type}">`;
  assert.equal(
    await theme.section("a", { locale: "fr", target: "/products/tote" }),
    `<form method="post" action="/fr/cart/add" accept-charset="UTF-8" id="f&quot;" class="x" data-a="1">${field("product")}f&quot;</form>`,
  );
  assert.equal(
    await theme.section("b"),
    `<form method="post" action="/cart" accept-charset="UTF-8">${field("cart")}</form>`,
  );
  await assert.rejects(theme.section("c"), /the kinds of form are product, cart/);
});

test("paginate shows the page that the query names, and links to the others", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": layout,
    "templates/collection.liquid":
      "{% paginate collection.products by 4 %}{{ paginate.current_page }}/{{ paginate.pages }} {{ paginate.items }}:{% for p in collection.products %} {{ p.handle }}{% endfor %} {{ paginate.previous.url }} {{ paginate.next.url }} {% for part in paginate.parts %}{{ part.title }}{% endfor %}{% endpaginate %}|{{ collection.products.size }}",
    "templates/cart.liquid":
      "{% paginate collection.products by 4 %}{{ paginate | default_pagination }}{% endpaginate %}",
  });
  const products = Array.from({ length: 60 }, (_, index) => exampleProduct({ handle: `p${index}` }));
  const request = { catalog: exampleCatalog(products) };
  assert.equal(
    await theme.page("/collections/all?page=2&sort_by=manual&section_id=x", request),
    "2/15 60: p4 p5 p6 p7 /collections/all?page=1&sort_by=manual /collections/all?page=3&sort_by=manual 12345&hellip;15|50",
  );
  for (const page of ["0", "-1", "x", "1.5", "", "1e3"])
    assert.match(await theme.page(`/collections/all?page=${page}`, request), /^1\/15/, page);
  assert.match(
    await theme.page("/collections/all?page=999", request),
    /^999\/15 60: \/collections\/all\?page=15 {2}1&hellip;15/,
  );
});

test("default_pagination links to the pages of a list", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": layout,
    "templates/collection.liquid":
      "{% paginate collection.products by 1 %}{{ paginate | default_pagination: next: '>' }}{% endpaginate %}",
  });
  assert.equal(
    await theme.page("/collections/bags"),
    '<span class="page current" aria-current="page">1</span> <span class="page"><a href="/collections/bags?page=2">2</a></span> <span class="next"><a href="/collections/bags?page=2" rel="next">&gt;</a></span>',
  );
});

test("a collection is sorted by what the query asks for", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": layout,
    "templates/collection.liquid":
      "{{ collection.sort_by }}:{% for p in collection.products %} {{ p.handle }}{% endfor %}",
  });
  const expected = {
    "price-ascending": "mug tote",
    "price-descending": "tote mug",
    "title-ascending": "mug tote",
    "title-descending": "tote mug",
    toString: "tote mug",
  };
  for (const [order, handles] of Object.entries(expected))
    assert.equal(await theme.page(`/collections/bags?sort_by=${order}`), `${order}: ${handles}`);
});

test("liquid, comment, raw, case, capture, cycle and increment work as in Liquid", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% liquid\nassign x = 2\nif x == 2\necho 'two'\nendif\n%}{% comment %}{{ x | nosuch }}{% endcomment %}{% raw %}{{ x }}{% endraw %}{% case x %}{% when 2 %}!{% endcase %}{% capture c %}<{{ x }}>{% endcapture %}{{ c }}{% cycle 'a', 'b' %}{% cycle 'a', 'b' %}{% increment n %}{% # note %}",
  });
  assert.equal(await theme.section("a"), "two{{ x }}!<2>ab0");
});
