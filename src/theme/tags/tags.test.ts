import assert from "node:assert/strict";
import test from "node:test";
import { buildCart, buildCatalog, buildProduct, buildVariant, openTheme } from "../example-shop.fixture.ts";

const layout = "{{ content_for_layout }}";

test("section renders a section file in a layout, with the theme's settings for it", async (t) => {
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

test("missing sections and groups are omitted from the layout", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": "a{% section 'none' %}b\n{% sections 'none' %}c",
    "templates/index.liquid": "",
  });
  assert.equal(await theme.page("/"), "ab\nc");
  assert.match(String(theme.reports[0]), /sections\/none\.liquid.*file:layout\/theme\.liquid, line:1/s);
  assert.match(String(theme.reports[1]), /sections\/none\.json.*file:layout\/theme\.liquid, line:2/s);
});

test("render has separate variables, include shares those of its caller", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% assign x = 1 %}{% render 's' %}{% render 's', x: 2 %}{% include 's' %}{% render 's' with 5 as x %}{% render 's' for list as x %}{{ y }}",
    "snippets/s.liquid": "[{{ x }}{{ section.id }}]{% assign y = x %}",
  });
  assert.equal(await theme.section("a"), "[a][2a][1a][5a][a]1");
});

test("render needs a literal name, include accepts any; a block of an app prints nothing", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% assign n = 's' %}\n{% render n %}",
    "sections/b.liquid":
      "{% assign n = 's' %}{% include n %}{% for block in section.blocks %}{% render block %}{% endfor %}",
    "sections/c.liquid": "{% include nosuch %}",
    "snippets/s.liquid": "S",
  });
  assert.equal(await theme.section("a"), "\n");
  assert.match(String(theme.reports[0]), /expected a literal snippet name.*file:sections\/a\.liquid, line:2/s);
  assert.equal(await theme.section("b"), "S");
  assert.equal(await theme.section("c"), "");
  assert.match(String(theme.reports[1]), /Illegal template name/);
});

test("include accepts arguments after with, as in Ruby", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% assign p = 'P' %}{% include 's' with size: 2, color: 'red' %}{% include 's' with p, size: 3 %}{% include 's' with p size: 4 %}{% render 's', with: 5 %}",
    "snippets/s.liquid": "[{{ s }} {{ size }} {{ color }}{{ with }}]",
  });
  assert.equal(await theme.section("a"), "[ 2 red][P 3 ][P 4 ][  5]");
});

test("text between the named arguments of render and include is ignored, as in Ruby", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% assign card = 'C' %}{% include 's', card, list.first, 'x', size: card %}{% render 's', card, list.first, size: card['b c'], last: card.size %}",
    "snippets/s.liquid": "[{{ card }}{{ size }}{{ last }}]",
  });
  assert.equal(await theme.section("a"), "[CC][1]");
});

test("render and include bind a variable with the snippet's name or the given one, also per item of a list", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% assign list = 'a,b' | split: ',' %}{% render 'one' with list.first %}{% render 'one' for list %}{% include 'one' for list %}{% render 'two' for list as x %}",
    "snippets/one.liquid": "[{{ one }}]",
    "snippets/two.liquid": "({{ x }}{{ forloop.index }}{{ forloop.last }})",
  });
  assert.equal(await theme.section("a"), "[a][a][b][a][b](a1false)(b2true)");
});

test("schema, stylesheet, javascript and doc print nothing and may contain Liquid delimiters", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "a{% doc %}{{ {% {% enddoc %}b{% stylesheet %}.x{{{% endstylesheet %}c{%- javascript -%}if (a) {{ b }}{%- endjavascript -%}d{% schema %}{}{% endschema %}",
  });
  assert.equal(await theme.section("a"), "abcd");
});

test("style prints an element with its Liquid evaluated", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% style %}a { width: {{ 1 | plus: 2 }}px }{% endstyle %}",
  });
  assert.equal(await theme.section("a"), "<style>a { width: 3px }</style>");
});

test("form prints the form of its type, with escaped attributes and hidden fields", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% form 'product', product, id: 'f\"', class: 'x', data-a: 1 %}{{ form.id | escape }}{{ form.errors }}{% endform %}",
    "sections/b.liquid": "{% form 'cart', cart, return_to: '/x' %}{% endform %}",
    "sections/c.liquid": "{% form 'nosuch' %}{% endform %}",
    "sections/d.liquid": "{% form 'localization' %}{{ form.posted_successfully? }}{% endform %}",
  });
  const field = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${value}">`;
  const formStart = (type: string): string => field("form_type", type) + field("utf8", "\u2713");
  assert.equal(
    await theme.section("a", { locale: "fr", target: "/products/tote" }),
    `<form method="post" action="/fr/cart/add" id="f&quot;" accept-charset="UTF-8" class="x" enctype="multipart/form-data" data-a="1">${formStart("product")}f&quot;${field("product-id", "1")}${field("section-id", "a")}</form>`,
  );
  assert.equal(
    await theme.section("b", { csrfToken: "t.o" }),
    `<form method="post" action="/cart" id="cart_form" accept-charset="UTF-8" class="shopify-cart-form" enctype="multipart/form-data">${formStart("cart")}${field("return_to", "/x")}${field("csrf_token", "t.o")}</form>`,
  );
  assert.equal(await theme.section("c"), "");
  assert.match(String(theme.reports[0]), /the kinds of form are product, cart.*file:sections\/c\.liquid, line:1/s);
  assert.equal(
    await theme.section("d", { target: "/search?q=a%26b&section_id=d" }),
    `<form method="post" action="/localization" id="localization_form" accept-charset="UTF-8" class="shopify-localization-form" enctype="multipart/form-data">${formStart("localization")}false${field("_method", "put")}${field("return_to", "/search?q=a%26b")}</form>`,
  );
});

test("every type of form has a URL and an id", async (t) => {
  const kinds: Readonly<Record<string, string>> = {
    currency: "/cart/update currency_form",
    contact: "/contact#contact_form contact_form",
    customer: "/contact#contact_form contact_form",
    new_comment: "/blogs/news/first/comments#comment_form comment_form",
    customer_login: "/account/login customer_login",
    guest_login: "/account/login customer_login_guest",
    create_customer: "/account create_customer",
    recover_customer_password: "/account/recover recover_customer_password",
    reset_customer_password: "/account/reset reset_customer_password",
    activate_customer_password: "/account/activate activate_customer_password",
    customer_address: "/account/addresses address_form_new",
    storefront_password: "/password login_form",
  };
  const template = Object.keys(kinds).map((kind) => `{% form '${kind}', article %}{% endform %}`);
  const theme = await openTheme(t, { "sections/a.liquid": template.join("") });
  const html = await theme.section("a", { target: "/blogs/news/first" });
  const actionsAndIds = [...html.matchAll(/<form method="post" action="([^"]*)" id="([^"]*)"/g)].map(
    ([, to, id]) => `${to} ${id}`,
  );
  const expectedForms = { ...kinds, customer_address: "/account/addresses/7 address_form_7" };
  assert.deepEqual(actionsAndIds, Object.values(expectedForms));
});

test("a sign-in form has a password field, by either spelling of its type", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{% form 'customer_login' %}{% if form.password_needed %}1{% endif %}{% if form.password_needed? %}2{% endif %}{% endform %}",
  });
  assert.match(await theme.section("a"), />12</);
});

test("the payment button is hidden while the variant of its form is sold out", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% form 'product', product %}{{ form | payment_button }}{% endform %}",
    "sections/b.liquid": "{% form 'cart', cart %}{{ form | payment_button }}{% endform %}",
  });
  const soldOutVariant = buildVariant({ id: "12", options: ["Blue"], inventoryQuantity: 0 });
  const catalog = buildCatalog([buildProduct({ variants: [buildVariant({ id: "11" }), soldOutVariant] })]);
  const expectedButton = '<div class="shopify-payment-button" data-shopify="payment-button"';
  const renderTarget = async (target: string, section = "a"): Promise<string> =>
    (await theme.section(section, { target, catalog })).split(expectedButton)[1]?.split("><")[0] ?? "";
  assert.equal(await renderTarget("/products/tote"), ' data-vitrine-sold-out="12"');
  assert.equal(await renderTarget("/products/tote?variant=12"), ' data-vitrine-sold-out="12" hidden');
  assert.equal(await renderTarget("/products/tote", "b"), "");
});

test("paginate shows the page of the query, and links to the others", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": layout,
    "templates/collection.liquid":
      "{% paginate collection.products by 4 %}{{ paginate.current_page }}/{{ paginate.pages }} {{ paginate.items }}:{% for p in collection.products %} {{ p.handle }}{% endfor %} {{ paginate.previous.url }} {{ paginate.next.url }} {% for part in paginate.parts %}{{ part.title }}{% if part.title == paginate.current_page %}*{% endif %}{% endfor %}{% endpaginate %}|{{ collection.products.size }}",
    "templates/cart.liquid":
      "{% paginate collection.products by 4 %}{{ paginate | default_pagination }}{% endpaginate %}",
  });
  const products = Array.from({ length: 60 }, (_, index) => buildProduct({ handle: `p${index}` }));
  const request = { catalog: buildCatalog(products) };
  assert.equal(
    await theme.page("/collections/all?page=2&sort_by=manual&section_id=x", request),
    "2/15 60: p4 p5 p6 p7 /collections/all?page=1&sort_by=manual /collections/all?page=3&sort_by=manual 12*345&hellip;15|50",
  );
  for (const page of ["0", "-1", "x", "1.5", "", "1e3"])
    assert.match(await theme.page(`/collections/all?page=${page}`, request), /^1\/15/, page);
  assert.match(
    await theme.page("/collections/all?page=999", request),
    /^999\/15 60: \/collections\/all\?page=15 {2}1&hellip;15/,
  );
});

test("on the page of a collection, products are those of the collection, also in a page of the list", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": layout,
    "templates/collection.liquid":
      "{% paginate collection.products by 2 %}{% for p in products %}{{ p.handle }} {% endfor %}{% endpaginate %}",
    "templates/index.liquid": "{{ products.size }}",
  });
  const catalog = buildCatalog(["a", "b", "c"].map((handle) => buildProduct({ handle })));
  assert.equal(await theme.page("/collections/all?page=2", { catalog }), "c ");
  assert.equal(await theme.page("/", { catalog }), "");
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

test("a collection is sorted by the query's parameter", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": layout,
    "templates/collection.liquid":
      "{{ collection.sort_by }}:{% for p in collection.products %} {{ p.handle }}{% endfor %}",
  });
  const expectedForms = {
    "price-ascending": "mug tote",
    "price-descending": "tote mug",
    "title-ascending": "mug tote",
    "title-descending": "tote mug",
  };
  for (const [order, handles] of Object.entries(expectedForms))
    assert.equal(await theme.page(`/collections/bags?sort_by=${order}`), `${order}: ${handles}`);
  assert.equal(await theme.page("/collections/bags?sort_by=toString"), ": tote mug");
});

test("content_for renders blocks, static ones too, with their settings and arguments", async (t) => {
  const block = (type: string, fields: object = {}): object => ({ type, settings: { word: `${type}!` }, ...fields });
  const schema = '{% schema %}{"settings":[{"type":"text","id":"word","default":"none"}],"tag":null}{% endschema %}';
  const theme = await openTheme(t, {
    "layout/theme.liquid": "{{ content_for_layout }}",
    "templates/index.json": JSON.stringify({
      sections: {
        main: {
          type: "main",
          blocks: {
            one: block("group", {
              blocks: { in: block("word"), fixed: block("word", { static: true }) },
              block_order: ["in"],
            }),
            two: block("word"),
            three: block("nofile"),
          },
          block_order: ["two", "one", "three"],
        },
      },
      order: ["main"],
    }),
    "sections/main.liquid":
      "{% content_for 'blocks', closest.product: all_products.tote %}{% content_for 'block', type: 'word', id: 'new', size: 3 %}",
    "blocks/group.liquid": `<{% content_for 'block', type: 'word', id: 'fixed' %}|{% content_for 'blocks' %}>${schema}`,
    "blocks/word.liquid": `({{ block.settings.word }}{{ closest.product.title }}{{ size }}{{ section.id }})${schema}`,
  });
  assert.equal(
    await theme.page("/"),
    '<div id="store-section-main">(word!Totemain)<(word!Totemain)|(word!Totemain)>(none3main)</div>',
  );
  assert.deepEqual(theme.reports, []);
});

test("content_for needs a literal block name", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% content_for 'block', type: 'x' %}",
    "sections/b.liquid": "{% content_for 'x' %}",
    "sections/c.liquid": "{% content_for 'block', type: 'loop', id: 'l' %}",
    "blocks/loop.liquid": "{% content_for 'block', type: 'loop', id: 'l' %}",
  });
  await assert.rejects(theme.section("a"), /a literal type and a literal id.*file:sections\/a\.liquid, line:1/s);
  await assert.rejects(theme.section("b"), /write \{% content_for/);
  await assert.rejects(theme.section("c"), /more than 50 levels deep/);
});

test("block renders a file of blocks/ with its arguments, settings and body; partial marks its body", async (t) => {
  const schema =
    '{% schema %}{ "name": "C", "tag": null, "settings": [{ "type": "text", "id": "tone", "default": "calm" }] }{% endschema %}';
  const theme = await openTheme(t, {
    "layout/theme.liquid": "{{ content_for_layout }}",
    "templates/index.liquid":
      "{% assign n = 2 %}{% partial 'grid-1' %}{% block 'box', class: n %}<b>{{ n }}{% block 'leaf', tips: ['a', 'b'] %}{% endblock %}</b>{% endblock %}{% endpartial %}",
    "blocks/box.liquid": `<div class="{{ class }}">{{ block.settings.tone }}{{ content }}|{{ block.content }}{{ n }}</div>${schema}`,
    "blocks/leaf.liquid": "<i>{{ content | size }}{{ cart.item_count }}{{ tips | join }}</i>",
  });
  const innerHtml = "<b>2<i>03a b</i></b>";
  assert.equal(
    await theme.page("/", { cart: async () => buildCart(3) }),
    `<!--partial:grid%2D1--><div class="2">calm${innerHtml}|${innerHtml}</div><!--/partial:grid%2D1-->`,
  );
  assert.deepEqual(theme.reports, []);
});
