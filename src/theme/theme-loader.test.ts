import assert from "node:assert/strict";
import test from "node:test";
import { Problem } from "../problem.ts";
import { buildCart, buildConfig, buildRequest, openTheme } from "./example-shop.fixture.ts";
import { loadTheme } from "./theme-loader.ts";

const names = [
  "nosuch",
  "../../etc/passwd",
  "/etc/passwd",
  "a\u0000b",
  "__proto__",
  "toString",
  "constructor",
  "",
  ".",
  "a/b",
];

test("compat.sectionClass adds a class after the id, and compat.sectionPrefix changes the id", async (t) => {
  const settings = {
    compat: { forms: false, script: false, sectionClass: "shopify-section", sectionPrefix: "shopify-section-" },
  };
  const { theme } = await openTheme(t, { "sections/a.liquid": "A" }, settings);
  const { html } = await theme.renderSection("a", buildRequest());
  assert.equal(html, '<div id="shopify-section-a" class="shopify-section">A</div>');
});

for (const id of names) {
  test(`an id that the theme lacks is rejected: ${JSON.stringify(id)}`, async (t) => {
    const { theme } = await openTheme(t, { "sections/a.liquid": "A", "snippets/b.liquid": "B" });
    await assert.rejects(theme.renderSection(id, buildRequest()), (error: unknown) => {
      assert.ok(error instanceof Problem);
      assert.equal(error.code, "section_not_found");
      assert.equal(error.message, `Section not found: '${id.replace("\0", "")}' was not found in the theme`);
      return true;
    });
  });

  test(`a snippet that the theme lacks is omitted from its section: ${JSON.stringify(id)}`, async (t) => {
    const files = {
      "sections/a.liquid": `a{% render '${id}' %}A`,
      "sections/b.liquid": `b{% include '${id}' %}B`,
    };
    const theme = await openTheme(t, files);
    assert.equal(await theme.section("a"), "aA");
    assert.equal(await theme.section("b"), "bB");
    assert.equal(theme.reports.length, 2);
  });
}

test("a rejected id is truncated in the error", async (t) => {
  const { theme } = await openTheme(t, {});
  const message = `Section not found: '${"x".repeat(100)}' was not found in the theme`;
  await assert.rejects(theme.renderSection("x".repeat(8_000), buildRequest()), { message });
});

test("an id from a JSON template is escaped in the wrapper", async (t) => {
  const id = '"><script>';
  const { theme } = await openTheme(t, {
    "sections/a.liquid": "A",
    "templates/index.json": JSON.stringify({ sections: { [id]: { type: "a" } }, order: [id] }),
  });
  const { html } = await theme.renderSection(id, buildRequest());
  assert.equal(html, '<div id="store-section-&quot;&gt;&lt;script&gt;">A</div>');
});

test("a section is found in the context page's template, with its settings there; elsewhere with its defaults", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": `{{ section.id }} {{ section.settings.word }} {% for block in section.blocks %}{{ block.type }}:{{ block.settings.size }} {% endfor %}
      {%- schema %}{"settings":[{"id":"word","type":"text","default":"plain"}],
      "blocks":[{"type":"line","settings":[{"id":"size","type":"range","default":3}]}]}{% endschema %}`,
    "templates/product.json": `/* written by an editor */ {"sections":{
      "main":{"type":"a","settings":{"word":"set"},"blocks":{"x":{"type":"line"},"y":{"type":"line","settings":{"size":9}},"z":{"type":"line","disabled":true}},"block_order":["y","x","z"]},
      "off":{"type":"a","disabled":true}},"order":["main","off"]}`,
  });
  const target = "/products/tote";
  assert.equal((await theme.section("main", { target })).trim(), "main set line:9 line:3");
  assert.equal((await theme.section("a", { target })).trim(), "a plain");
  await assert.rejects(theme.section("main", { target: "/" }), Problem);
  await assert.rejects(theme.section("off", { target }), Problem);
});

test("sections of a section group are found by id, on every page, and are part of the layout", async (t) => {
  const theme = await openTheme(t, {
    "sections/bar.liquid": "bar {{ section.settings.word }} {{ request.page_type }}",
    "sections/header-group.json":
      '{"type":"header","sections":{"announcement":{"type":"bar","settings":{"word":"free"}}},"order":["announcement"]}',
    "layout/theme.liquid": "{% sections 'header-group' %}|{{ content_for_layout }}",
    "templates/404.liquid": "nothing here",
  });
  assert.equal(await theme.section("announcement", { target: "/search" }), "bar free search");
  assert.equal(await theme.page("/nope"), '<div id="store-section-announcement">bar free 404</div>|nothing here');
});

test("an unknown page is rendered in the context of the 404 template", async (t) => {
  const { theme } = await openTheme(t, {
    "sections/a.liquid": "{{ request.page_type }}",
    "layout/theme.liquid": "{{ content_for_layout }}",
  });
  for (const target of [
    "/nope",
    "/products/none",
    "/products/toString",
    "/pages/__proto__",
    "/%ff",
    "/blogs/news/later",
    "/a/b/c/d/e/f",
  ]) {
    const { html } = await theme.renderSection("a", buildRequest({ target }));
    assert.equal(html, '<div id="store-section-a">404</div>', target);
    assert.equal((await theme.renderPage(buildRequest({ target }))).status, 404, target);
  }
});

test("every kind of page has its template, its objects and its title", async (t) => {
  const types = [
    "index",
    "product",
    "list-collections",
    "collection",
    "page",
    "blog",
    "article",
    "bundle",
    "search",
    "cart",
    "checkout",
  ];
  const theme = await openTheme(t, {
    "layout/theme.liquid": "{{ page_title }}|{{ content_for_layout }}",
    ...Object.fromEntries(
      types.map((type) => [
        `templates/${type}.liquid`,
        `${type} {{ handle }} {{ product.title }}{{ collection.title }}{{ page.title }}{{ blog.title }}{{ article.title }}{{ bundle.title }}{{ search.terms }}{{ cart.item_count }}{{ checkout.item_count }}`,
      ]),
    ),
  });
  const pages = {
    "/": "Tea & Co|index  0",
    "/products/tote?variant=12": "Tote|product tote Tote0",
    "/collections": "Collections|list-collections  0",
    "/collections/all": "Products|collection all Products0",
    "/collections/bags": "Bags|collection bags Bags0",
    "/collections/bags/products/mug": "Mug|product mug MugBags0",
    "/pages/about": "About|page about About0",
    "/blogs/news": "News|blog news News0",
    "/blogs/news/first": "First|article first NewsFirst0",
    "/bundles/gift-box": "Gift box|bundle gift-box Gift box0",
    "/search?q=tea": "Search|search  tea0",
    "/cart": "Your Shopping Cart|cart  0",
    "/checkout/abc": "Checkout|checkout  02",
  };
  for (const [target, expectedType] of Object.entries(pages))
    assert.equal(await theme.page(target, { checkout: buildCart(2) }), expectedType, target);
});

test("a page has the theme's title, or else the server's title in the language of the page", async (t) => {
  const files = {
    "layout/theme.liquid": "{{ page_title }}",
    "templates/cart.liquid": "",
    "templates/search.liquid": "",
    "locales/en.default.json": '{"page_titles":{"search":"Find"}}',
  };
  const theme = await openTheme(t, files);
  assert.equal(await theme.page("/cart", { locale: "fr" }), "Panier");
  assert.equal(await theme.page("/search", { locale: "fr" }), "Find");
});

test("only the search page shows the number of results", async (t) => {
  const { theme } = await openTheme(t, {
    "layout/theme.liquid": "",
    "templates/search.liquid": "",
    "templates/index.liquid": "",
  });
  assert.equal((await theme.renderPage(buildRequest({ target: "/search?q=x" }))).fullMatchCount, 0);
  assert.equal((await theme.renderPage(buildRequest())).fullMatchCount, undefined);
});

test("?view= selects an existing alternate template", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": "{{ content_for_layout }}",
    "layout/bare.liquid": "bare {{ content_for_layout }}",
    "templates/product.liquid": "usual {{ template }}",
    "templates/product.quick.liquid": "{% layout 'bare' %}{{ template }} {{ template.name }} {{ template.suffix }}",
    "templates/product.json-only.liquid": "{% layout none %}none",
  });
  assert.equal(await theme.page("/products/tote?view=quick"), "bare product.quick product quick");
  assert.equal(await theme.page("/products/tote?view=json-only"), "none");
  assert.equal(await theme.page("/products/tote?view=../../x"), "usual product");
});

test("a template above a limit is omitted from its page, and a layout above it is replaced by the default theme's", async (t) => {
  const endlessTemplate = "{% for i in (1..9000) %}{% for j in (1..9000) %}x{% endfor %}{% endfor %}";
  const limits = { sectionSteps: 500_000, pageSteps: 20_000, sectionTime: 2_000, pageTime: 5_000 };
  const files = {
    "layout/theme.liquid": "<main>{{ content_for_layout }}</main>",
    "layout/long.liquid": endlessTemplate,
    "templates/index.liquid": `begun\n${endlessTemplate}`,
    "templates/page.liquid": "{% layout 'long' %}page",
  };
  const theme = await openTheme(t, files, { rendering: limits });
  assert.equal(await theme.page("/"), "<main></main>");
  assert.match(String(theme.reports[0]), /takes more than 20000 steps, file:templates\/index.liquid, line:2/);
  await assert.rejects(theme.page("/pages/about"), /takes more than 20000 steps, file:layout\/long.liquid/);
  const defaultTheme = await openTheme(t, {
    "layout/theme.liquid": "ours {{ content_for_layout }}",
    "templates/page.liquid": "{{ page.title }}",
  });
  const reports: unknown[] = [];
  const config = buildConfig({ rendering: limits });
  const report = (error: unknown): void => void reports.push(error);
  const themeWithFallback = loadTheme({ dir: theme.dir, fallbackDir: defaultTheme.dir, config, report });
  const page = await themeWithFallback.renderPage(buildRequest({ target: "/pages/about" }));
  assert.equal(page.html, "ours About");
  assert.equal(reports.length, 1);
});

test("the head has the token and the canonical URL, and nothing inline", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": "{{ content_for_header }}",
    "templates/product.liquid": "",
  });
  const html = await theme.page("/products/tote?variant=12", { csrfToken: "a.b-c", locale: "fr" });
  assert.equal(
    html,
    '<meta name="csrf-token" content="a.b-c">\n<meta name="vitrine-root" content="/fr">\n<link rel="canonical" href="https://shop.example/fr/products/tote">',
  );
  assert.doesNotMatch(await theme.page("/products/tote"), /csrf/);
});

test("the cart is loaded once, and only if templates read it", async (t) => {
  const theme = await openTheme(t, {
    "sections/reads.liquid": "{% render 'deep' %}",
    "sections/not.liquid":
      "{{ routes.cart_url }} {{ 'cart' }} {% comment %}{{ cart.note }}{% endcomment %}{{ product.cart }}",
    "snippets/deep.liquid": "{% liquid\n render 'deeper'\n%}",
    "snippets/deeper.liquid": "{{ cart.item_count }}{{ cart.total_price }}",
    "layout/theme.liquid": "{% section 'reads' %}",
    "templates/index.liquid": "",
  });
  let requestCount = 0;
  const cart = async () => {
    requestCount += 1;
    return buildCart(3);
  };
  assert.equal((await theme.theme.renderSection("not", buildRequest({ cart }))).isPersonal, false);
  assert.equal(requestCount, 0);
  const section = await theme.theme.renderSection("reads", buildRequest({ cart }));
  assert.deepEqual(section, { html: '<div id="store-section-reads">35997</div>', isPersonal: true });
  await theme.page("/", { cart });
  assert.equal(requestCount, 2);
});

test("a cart that cannot be loaded fails only the sections that read it", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "{{ cart.note }}", "sections/b.liquid": "B" });
  const cart = async () => {
    throw new Problem("cart_service_unavailable", "away");
  };
  await assert.rejects(theme.section("a", { cart }), Problem);
  assert.equal(await theme.section("b", { cart }), "B");
});

test("content_for_index of a Liquid home page renders the sections in the theme's settings, with their settings", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": "<main>{{ content_for_layout }}</main>",
    "templates/index.liquid": "before {{ content_for_index }} after",
    "templates/page.liquid": "page",
    "sections/slide.liquid":
      "{{ section.settings.word }}{% for block in section.blocks %}-{{ block.settings.n }}{% endfor %} {{ cart.item_count }}",
    "config/settings_data.json": JSON.stringify({
      current: "Default",
      presets: {
        Default: {
          sections: {
            "12": { type: "slide", settings: { word: "two" }, blocks: { b: { type: "x", settings: { n: 7 } } } },
            "11": { type: "slide", settings: { word: "one" } },
            hidden: { type: "slide", disabled: true },
            slide: { settings: { word: "static" } },
          },
          content_for_index: ["11", "gone", "hidden", "12"],
        },
      },
    }),
  });
  assert.equal(
    await theme.page("/"),
    '<main>before <div id="store-section-11">one 0</div>\n<div id="store-section-12">two-7 0</div> after</main>',
  );
  assert.equal(await theme.section("12"), "two-7 0");
  assert.equal(await theme.section("slide"), "static 0");
  assert.deepEqual(theme.reports, []);
});
