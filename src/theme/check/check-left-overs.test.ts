import assert from "node:assert/strict";
import test from "node:test";
import { findingsOf } from "./theme-files.fixture.ts";

const schema = `{% schema %}{ "name": "A",
 "settings": [{ "type": "select", "id": "size", "default": "m", "options": [{ "value": "s", "label": "S" }, { "value": "m", "label": "M" }] }],
 "blocks": [{ "type": "@app" }, { "type": "text", "name": "Text", "settings": [] }] }{% endschema %}`;
const createTemplate = (settings: object, block: string) =>
  JSON.stringify({ sections: { a: { type: "a", settings, blocks: { b: { type: block } } } }, order: ["a"] });

test("Sass is reported once, unless its CSS exists next to it", (t) => {
  const sassFiles = { "assets/theme.scss.liquid": "$a: 1px;", "assets/more.scss": "", "assets/done.scss": "" };
  assert.deepEqual(findingsOf(t, { ...sassFiles, "assets/done.scss.css": "" }), [
    "assets/more.scss:1:1 warning sass: Sass is not compiled here: download the compiled file, which the live shop serves as /cdn/shop/t/<number>/assets/<name>.css, and put it into assets/ +1",
  ]);
});

test("invalid values of a setting are reported with the valid ones", (t) => {
  const files = { "sections/a.liquid": schema, "templates/page.a.json": createTemplate({ size: "mm" }, "text") };
  assert.deepEqual(findingsOf(t, files), [
    'templates/page.a.json:1:49 warning template: "size" takes "s", "m", not "mm"',
  ]);
  assert.deepEqual(findingsOf(t, { ...files, "templates/page.a.json": createTemplate({ size: "s" }, "text") }), []);
});

test("sections and blocks of apps, and blocks of unknown types, are reported", (t) => {
  const appBlockType = "shopify://apps/reviews/blocks/stars/1";
  const files = {
    "sections/a.liquid": schema,
    "templates/page.a.json": createTemplate({}, appBlockType),
    "templates/page.b.json": createTemplate({}, "txt"),
  };
  const apps = JSON.stringify({ sections: { x: { type: "apps" } }, order: ["x"] });
  assert.deepEqual(findingsOf(t, { ...files, "templates/page.c.json": apps }), [
    "templates/page.a.json:1:66 warning template: a block of an app, which is not shown: remove it",
    'templates/page.b.json:1:66 error template: the schema of sections/a.liquid has no block of type "txt": did you mean "text"?',
    'templates/page.c.json:1:26 warning template: section "x" belongs to an app and is not shown: remove it',
  ]);
});

test("a theme made for Shopify needs no section for generated blocks", (t) => {
  const sections = { x: { type: "_blocks", blocks: { a: { type: "ai_gen_1", settings: {} } } } };
  const files = {
    "templates/index.json": JSON.stringify({ sections, order: ["x"] }),
    "blocks/ai_gen_1.liquid": "a{% schema %}{}{% endschema %}",
  };
  assert.deepEqual(findingsOf(t, files, { compat: { forms: true, script: true } }), []);
  assert.match(findingsOf(t, files).join(), /no file sections\/_blocks\.liquid/);
});

test("ids of sections are compared with the prefix of the settings", (t) => {
  const files = {
    "assets/a.css": "#shopify-section-header { top: 0 }",
    "assets/b.css": "#store-section-header, .store-section-group-top { top: 0 }",
  };
  assert.deepEqual(findingsOf(t, files, { compat: { forms: true, script: true, sectionPrefix: "shopify-section-" } }), [
    'assets/b.css:1:2 error wrapper-id: the ids of sections start with "shopify-section-": use that instead of "store-section-"',
    'assets/b.css:1:25 warning wrapper-id: the class of a group\'s sections starts with "shopify-section-group-": use that instead of "store-section-group-"',
  ]);
});
