import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { parse } from "yaml";
import { type Files, findingsOf } from "./theme-files.fixture.ts";

const header = `{% schema %}
{ "name": "Header",
  "settings": [{ "type": "link_list", "id": "menu", "default": "main-menu" }],
  "blocks": [{ "type": "more", "name": "More", "settings": [{ "type": "link_list", "id": "more", "default": "footer" }] }],
  "default": { "blocks": [{ "type": "more" }, { "type": "more", "settings": { "more": "" } }] } }
{% endschema %}`;
const createGroup = (settings: object, blocks: object) =>
  JSON.stringify({ sections: { header: { type: "header", settings, blocks } }, order: ["header"] });

test("menus that a theme requests and the store lacks are reported at their location", (t) => {
  const menus = { main: [], footer: [] };
  const relevantFindings = (files: Files) =>
    findingsOf(t, files, { menus }).filter((finding) => !finding.includes("unused"));
  const missingMenuMessage = 'no menu "main-menu": "menus" of vitrine.config.ts has "main", "footer"';
  const findingPrefix = "sections/header.liquid:3:64 warning unknown-menu: ";
  const placedTheme = { "sections/header.liquid": header, "sections/header-group.json": createGroup({}, {}) };
  assert.deepEqual(relevantFindings(placedTheme), [findingPrefix + missingMenuMessage]);
  const taggedTheme = {
    "sections/header.liquid": header,
    "layout/theme.liquid": "{% section 'header' %}{{ content_for_layout }}",
  };
  assert.deepEqual(
    relevantFindings(taggedTheme).filter((finding) => finding.includes("menu")),
    [findingPrefix + missingMenuMessage],
  );
  const placementWithMenu = createGroup({ menu: "main" }, { one: { type: "more", settings: { more: "links" } } });
  assert.deepEqual(relevantFindings({ ...placedTheme, "sections/header-group.json": placementWithMenu }), [
    'sections/header-group.json:1:117 warning unknown-menu: no menu "links": "menus" of vitrine.config.ts has "main", "footer"',
  ]);
  assert.deepEqual(relevantFindings({ "sections/header.liquid": header }), []);
  assert.deepEqual(
    findingsOf(t, placedTheme).filter((finding) => finding.includes("menu")),
    [],
  );
  const template =
    "{{ linklists.main.title }}{{ linklists['main-menu'].title }}{{ linklists[x].title }}{% assign x = 'a' %}";
  assert.deepEqual(relevantFindings({ "sections/a.liquid": template }), [
    'sections/a.liquid:1:40 warning unknown-property: "menus" of vitrine.config.ts has no menu "main-menu"',
  ]);
  const settingsFiles = {
    "config/settings_schema.json":
      '[{ "settings": [{ "type": "link_list", "id": "m", "label": "M", "default": "main-menu" }] }]',
    "config/settings_data.json": '{ "current": {} }',
  };
  assert.deepEqual(relevantFindings(settingsFiles), [
    `config/settings_schema.json:1:76 warning unknown-menu: ${missingMenuMessage}`,
  ]);
});

test("missing entries, images and URLs in settings are reported at their location, existing ones are not", (t) => {
  const schema = `{% schema %}
{ "settings": [{ "type": "collection", "id": "list" }, { "type": "product_list", "id": "some" }, { "type": "image_picker", "id": "image" },
  { "type": "url", "id": "link" }, { "type": "article", "id": "story" }, { "type": "blog", "id": "blog" }] }
{% endschema %}`;
  const settings = {
    list: "sale",
    some: ["tote", "mug"],
    image: "shopify://shop_images/hero.jpg",
    link: "shopify://pages/about",
    story: "news/first",
    blog: "",
  };
  const template = JSON.stringify({ sections: { a: { type: "a", settings } }, order: ["a"] }, null, 1);
  const settingsData = '{ "current": { "logo": "/media/logo.png", "shown": "/media/there.png", "all": "all" } }';
  const imageSettings = ["logo", "shown"].map((id) => ({ type: "image_picker", id }));
  const files = {
    "sections/a.liquid": schema,
    "templates/index.json": template,
    "config/settings_schema.json": JSON.stringify([
      { settings: [...imageSettings, { type: "collection", id: "all" }] },
    ]),
    "config/settings_data.json": settingsData,
    "media/there.png": "",
  };
  const remedy = "choose one that is there, or add it to catalog/";
  assert.deepEqual(
    findingsOf(t, files, { menus: {} }).filter((finding) => !finding.includes("unknown-menu")),
    [
      'config/settings_data.json:1:24 warning unknown-picture: no file media/logo.png: put the picture there, or choose another for "logo"',
      `templates/index.json:6:13 warning unknown-entry: no collection "sale" in the catalog, and "list" shows nothing: ${remedy}`,
      `templates/index.json:7:13 warning unknown-entry: no product "mug" in the catalog, and "some" shows nothing: ${remedy}`,
      `templates/index.json:7:13 warning unknown-entry: no product "tote" in the catalog, and "some" shows nothing: ${remedy}`,
      'templates/index.json:11:14 warning unknown-picture: "image" names the picture "hero.jpg" of another shop, which is not shown: copy it to media/ and write "/media/hero.jpg"',
      `templates/index.json:12:13 warning unknown-entry: no page "about" in the catalog, and "link" leads to it: ${remedy}`,
      `templates/index.json:13:14 warning unknown-entry: no article "news/first" in the catalog, and "story" shows nothing: ${remedy}`,
    ],
  );
  // Without a store, the check cannot know which catalog entries exist.
  assert.deepEqual(findingsOf(t, files), []);
});

test("whether an entry exists can be tested with empty?", (t) => {
  const files = {
    "sections/a.liquid":
      "{% assign c = collections['x'] %}{% unless c.empty? or blogs.news.empty? or linklists.x.empty? %}{% assign p = all_products['x'] %}{{ p.empty? }}{{ shop.empty? }}{% endunless %}",
  };
  assert.deepEqual(findingsOf(t, files), [
    'sections/a.liquid:1:154 warning unknown-property: unknown property "empty?" of shop, which is always empty',
  ]);
});

test("links to all routes of a shop are valid", (t) => {
  const document = parse(readFileSync(new URL("../../../openapi.yaml", import.meta.url), "utf8")) as {
    readonly paths: object;
  };
  const paths = Object.keys(document.paths).map((path) => path.replace(/\{[^}]+\}/g, "x"));
  assert.ok(paths.length > 50);
  const managementPathPattern = /^\/(?:admin|readyz|healthz|metrics|\.well-known|ucp)/;
  const links = paths.filter((path) => !managementPathPattern.test(path)).map((path) => `<a href="${path}">x</a>`);
  assert.deepEqual(findingsOf(t, { "sections/a.liquid": links.join("\n") }), []);
});

test("links and forms to missing routes are reported, and the fields of a form are its posted ones", (t) => {
  const files = {
    "sections/a.liquid": `<a href="/apps/reviews">r</a><a href="/fr/collections/all?x#y">a</a><a href="//else.where">e</a><a href="/{{ x }}">x</a>
<form action="/community/subscribe"></form><form action="/cart/add"></form><form action='/contact#form'></form><a href="/account/login">l</a>
{% form 'contact' %}<input name="contact[fname]" value="{{ form.fname }}">{{ form.fnme }}{% endform %}`,
  };
  const relevantFindings = findingsOf(t, files).filter((finding) => !finding.includes("unknown-variable"));
  const remedy = "which is not in this shop: remove it, or choose a URL of the shop";
  assert.deepEqual(relevantFindings, [
    `sections/a.liquid:1:10 warning unknown-address: this link leads to "/apps/reviews", ${remedy}`,
    `sections/a.liquid:2:15 warning unknown-address: this form is sent to "/community/subscribe", ${remedy}`,
    'sections/a.liquid:3:83 warning unknown-property: unknown property "fnme" of form, which is always empty',
  ]);
});
