import assert from "node:assert/strict";
import test from "node:test";
import { openTheme } from "../example-shop.fixture.ts";

const layout = { "layout/theme.liquid": "{{ content_for_layout }}" };

test("a template has its wrapper and the merchant's custom CSS, and a section knows its location", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": "{% sections 'top' %}{{ content_for_layout }}{% section 'a' %}",
    "sections/top.json": '{"type":"header","sections":{"t":{"type":"a"}},"order":["t"]}',
    "sections/a.liquid": "{{ section.index }}-{{ section.index0 }}-{{ section.location }}",
    "templates/index.json":
      '{"wrapper":"main#content.wide.dark[data-x=1]","sections":{"one":{"type":"a","custom_css":["p { color: red }"]},"apps":{"type":"apps"}},"order":["one","apps"]}',
  });
  assert.equal(
    await theme.page("/"),
    '<div id="store-section-t">1-0-header</div>' +
      '<main id="content" class="wide dark" data-x="1"><div id="store-section-one"><style>#store-section-one {\np { color: red }\n}</style>1-0-template</div></main>' +
      '<div id="store-section-a">--static</div>',
  );
  assert.deepEqual(theme.reports, []);
});

test("a wrapper without an element is a div", async (t) => {
  const theme = await openTheme(t, { ...layout, "templates/index.json": '{"wrapper":".wide#content","sections":{}}' });
  assert.equal(await theme.page("/"), '<div class="wide" id="content"></div>');
});

test("with section classes on, the ids of sections are those that scripts and styles of the theme name", async (t) => {
  const files = {
    "layout/theme.liquid": "{{ content_for_layout }}",
    "templates/index.json": '{"sections":{"t":{"type":"a"}},"order":["t"]}',
    "sections/a.liquid": "A",
  };
  const compat = { forms: true, script: false, sectionClass: "shopify-section" };
  for (const [style, prefix] of [
    ["#shopify-section-t { top: 0 }", "shopify-section-"],
    ["#store-section-t, .shopify-section-header-sticky { top: 0 }", "store-section-"],
    [".shopify-section { top: 0 }", "store-section-"],
  ] as const) {
    const theme = await openTheme(t, { ...files, "assets/a.css": style }, { compat });
    assert.equal(await theme.page("/"), `<div id="${prefix}t" class="shopify-section">A</div>`);
    const themeWithoutCompat = await openTheme(t, { ...files, "assets/a.css": style });
    assert.equal(await themeWithoutCompat.page("/"), '<div id="store-section-t">A</div>');
  }
});

test("with section classes on, the wrapper has those of the schema and the group; its start stays", async (t) => {
  const files = {
    "layout/theme.liquid": "{% sections 'top' %}",
    "sections/top.json": '{"sections":{"t":{"type":"a"}}}',
    "sections/a.liquid": 'A{% schema %}{"class":"section-header","tag":"aside"}{% endschema %}',
    "templates/index.liquid": "",
  };
  const themeWithoutCompat = await openTheme(t, files);
  assert.equal(await themeWithoutCompat.page("/"), '<div id="store-section-t">A</div>');
  const compatSettings = {
    forms: true,
    script: false,
    sectionClass: "shopify-section",
    sectionPrefix: "shopify-section-",
  };
  const themeWithCompat = await openTheme(t, files, { compat: compatSettings });
  assert.equal(
    await themeWithCompat.page("/"),
    '<div id="shopify-section-t" class="shopify-section shopify-section-group-top section-header">A</div>',
  );
});

test("with the compatibility script on, scripts of the platform's host are loaded from the shop", async (t) => {
  const files = {
    "sections/a.liquid":
      "{{ '//cdn.shopify.com/s/javascripts/currencies.js' | script_tag }}" +
      '<script src="https://cdn.shopify.com/storefront/standard-events.js"></script>',
  };
  const theme = await openTheme(t, files, { compat: { forms: true, script: true } });
  const scripts = [...(await theme.section("a")).matchAll(/src="([^"]*)"/g)].map(([, url]) => url);
  assert.deepEqual(scripts, ["/services/javascripts/currencies.js", "/vitrine/standard-events.js"]);
});

test("the compatibility script runs first also in layouts that defer or compress the scripts of the header", async (t) => {
  for (const filters of [
    "replace: '<script ', '<script defer ' | replace: 'src=', 'data-src='",
    "strip_newlines",
    "strip_newlines | replace: '<script ', '<script defer '",
  ]) {
    const files = {
      "layout/theme.liquid": `{{ content_for_header | ${filters} }}{{ content_for_layout }}`,
      "templates/index.liquid": "",
    };
    const theme = await openTheme(t, files, { compat: { forms: true, script: true } });
    assert.match(await theme.page("/"), /<script\s+src\s*="\/vitrine\/compat\.js"/, filters);
  }
});

test("an alternate template is selected by the query if it exists", async (t) => {
  const theme = await openTheme(t, {
    ...layout,
    "templates/page.json": '{"sections":{"m":{"type":"m"}}}',
    "templates/page.contact.json": '// by hand\n{"sections":{"c":{"type":"m",},},}',
    "sections/m.liquid": "{{ template }} {{ template.name }} {{ template.suffix }}",
  });
  assert.equal(await theme.page("/pages/about"), '<div id="store-section-m">page page </div>');
  assert.equal(
    await theme.page("/pages/about?view=contact"),
    '<div id="store-section-c">page.contact page contact</div>',
  );
  assert.equal(await theme.page("/pages/about?view=nope"), '<div id="store-section-m">page page </div>');
});

test("style and script blocks of sections, blocks and snippets are combined into two files, which pages link", async (t) => {
  const theme = await openTheme(t, {
    "layout/theme.liquid": "{{ content_for_header }}",
    "templates/index.liquid": "",
    "sections/a.liquid":
      "A{% stylesheet %}\n.a { b: c }\n{% endstylesheet %}{% javascript %}let x = 1;{% endjavascript %}",
    "blocks/b.liquid": "{% stylesheet %}.b {}{% endstylesheet %}",
    "snippets/s.liquid": "{% javascript %}let x = 2;{% endjavascript %}",
  });
  const styles = theme.theme.assetFile("section-styles.css");
  const scripts = theme.theme.assetFile("section-scripts.js");
  assert.ok(styles !== undefined && "text" in styles && scripts !== undefined && "text" in scripts);
  assert.equal(styles.text, "/* sections/a.liquid */\n.a { b: c }\n/* blocks/b.liquid */\n.b {}\n");
  assert.doesNotThrow(() => new Function(scripts.text), "scripts may declare the same name");
  const html = await theme.page("/");
  assert.ok(html.includes(`<link rel="stylesheet" href="/assets/section-styles.css?v=${styles.version}">`), html);
  assert.ok(html.includes(`<script src="/assets/section-scripts.js?v=${scripts.version}" defer></script>`), html);
});

test("an error in the script of a section does not stop the scripts of other sections", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% javascript %}missing.element // comment{% endjavascript %}",
    "sections/b.liquid": "{% javascript %}ran.push('b'){% endjavascript %}",
  });
  const scripts = theme.theme.assetFile("section-scripts.js");
  assert.ok(scripts !== undefined && "text" in scripts);
  const ran: string[] = [];
  const errors: unknown[] = [];
  new Function("ran", "console", scripts.text)(ran, { error: (error: unknown) => errors.push(String(error)) });
  assert.deepEqual([ran, errors], [["b"], ["ReferenceError: missing is not defined"]]);
});

test("a stylesheet with Liquid is rendered with the theme's settings", async (t) => {
  const theme = await openTheme(t, {
    "config/settings_schema.json": '[{"name":"x","settings":[{"id":"main","type":"color","default":"#ff8000"}]}]',
    "assets/long.css.liquid": `${"/* as older themes have them */\n".repeat(40_000)}a { color: {{ settings.main }} }`,
    "assets/colours.css.liquid": ":root { --main: {{ settings.main }}; --parts: {{ settings.main.rgb }}; }",
  });
  const file = theme.theme.assetFile("colours.css");
  assert.ok(file !== undefined && "text" in file);
  assert.equal(file.text, ":root { --main: #ff8000; --parts: 255 128 0; }");
  const longAsset = theme.theme.assetFile("long.css");
  assert.ok(longAsset !== undefined && "text" in longAsset);
  assert.equal(longAsset.text.slice(-20), "a { color: #ff8000 }");
});

test("the content security policy of a page is derived from the files", async (t) => {
  const readInlineCode = async (liquid: string) =>
    (await openTheme(t, { "sections/a.liquid": liquid })).theme.getInlineCode();
  assert.deepEqual(
    await readInlineCode('<script src="x"></script><script type="application/json">{}</script><p class="on">'),
    {
      hasScripts: false,
      hasStyles: false,
    },
  );
  assert.deepEqual(await readInlineCode("<script>x()</script>"), { hasScripts: true, hasStyles: false });
  assert.deepEqual(await readInlineCode('<a onclick="x()">'), { hasScripts: true, hasStyles: false });
  assert.deepEqual(await readInlineCode('<p style="color: red">'), { hasScripts: false, hasStyles: true });
  assert.deepEqual(await readInlineCode("{% style %}p {}{% endstyle %}"), { hasScripts: false, hasStyles: true });
});

test("translations of a section are found by name, in the render's language or the default one", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{{ 'sections.a.deep.hello' | t }} {{ 'sections.a.bye' | t: name: 'Ann' }}" +
      '{% schema %}{"locales":{"en":{"deep":{"hello":"Hello"},"bye":"Bye {{ name }}"},"fr":{"bye":"Salut {{ name }}"}}}{% endschema %}',
  });
  assert.equal(await theme.section("a"), "Hello Bye Ann");
  assert.equal(await theme.section("a", { locale: "fr" }), "Hello Salut Ann");
});

test("the name of a snippet may end with its extension", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% render 'b.liquid' %}{% include 'b.liquid' %}",
    "snippets/b.liquid": "B{{ cart.item_count }}",
  });
  assert.equal(await theme.section("a"), "B0B0");
});
