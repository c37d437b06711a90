import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { buildConfig } from "../example-shop.fixture.ts";
import { checkTheme } from "./check-theme.ts";
import { findingsOf } from "./theme-files.fixture.ts";

test("check reports pages without a template, which get a default one, and templates for a market", (t) => {
  const dir = mkdtempSync(join(tmpdir(), "vitrine-check-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  for (const [file, text] of Object.entries({
    "layout/theme.liquid": "{{ content_for_header }}{{ content_for_layout }}",
    "templates/cart.liquid": "",
    "templates/product.json": '{"sections":{}}',
    "templates/product.context.france.json": '{"parent":"product","context":{"market":"france"}}',
  })) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  const findings = checkTheme(dir, buildConfig());
  assert.deepEqual(
    findings.map(({ severity, rule }) => `${severity} ${rule}`),
    ["warning missing-template", "warning market"],
  );
  const missingFiles = findings[0]?.places.map(({ file }) => file) ?? [];
  assert.equal(missingFiles.length, 11);
  assert.ok(missingFiles.includes("templates/checkout.json"));
  assert.deepEqual(findings[1]?.places, [{ file: "templates/product.context.france.json" }]);
});

test("check reports malformed expressions and conditions", (t) => {
  const files = {
    "sections/a.liquid":
      "{{ 'a' | append 'b' }}\n{% if request = 1 %}{% endif %}{% assign x = | %}{% if request == blank %}{% endif %}",
  };
  assert.deepEqual(findingsOf(t, files), [
    "sections/a.liquid:1:1 warning syntax: \"'a' | append 'b'\" is malformed; the unreadable parts are ignored",
    'sections/a.liquid:2:1 error syntax: unknown operator "=": the tag renders nothing',
    'sections/a.liquid:2:32 warning syntax: "x = |" is malformed; the unreadable parts are ignored',
  ]);
});

test("check reports input of shoppers that a translation prints as HTML", (t) => {
  const files = {
    "templates/search.liquid": "{{ 'a_html' | t: terms: search.terms }}{{ 'b' | t: terms: search.terms }}",
    "locales/en.default.json": '{"a_html":"{{ terms }}","b":"{{ terms }}"}',
  };
  assert.deepEqual(findingsOf(t, files), [
    'templates/search.liquid:1:15 warning unescaped: prints search.terms, which shoppers write, as HTML: add "| escape"',
  ]);
});

test("check reports form fields that the cart neither stores nor reads", (t) => {
  const files = {
    "sections/a.liquid":
      '<input name="attributes[Gift {{ shop.name }}]"><input type="hidden" name="selling_plan" value="">\n<input name=\'items[0][selling_plan]\'><input name="items[1][engraving]"><input name="properties[a]">' +
      '<input name="items[0][id]"><input name="items[][properties][a]"><input name="items[1][parent_id]"><input name="parent_line_key">' +
      '{% comment %}<input name="selling_plan">{% endcomment %}{{ \'input[name="selling_plan"]\' | size }}<meta name="attributes">',
  };
  assert.deepEqual(findingsOf(t, files), [
    'sections/a.liquid:1:14 warning cart-input: the cart stores no attributes, so "attributes[Gift" is lost: use the note or properties of the line',
    'sections/a.liquid:1:75 warning cart-input: the cart takes no "selling_plan": a write with a value in it is refused, an empty one is accepted +1',
    'sections/a.liquid:2:51 warning cart-input: the cart does not store "items[1][engraving]": use properties of the item',
  ]);
});

test("check accepts partial and block tags, and checks their contents", (t) => {
  const files = {
    "templates/index.liquid":
      "{% partial 'grid' %}{% block 'box', class: 'wide' %}{{ shop.nmae }}{% endblock %}{% block 'gone' %}{% endblock %}{% endpartial %}",
    "blocks/box.liquid": '<div class="{{ class }}">{{ content }}{{ block.content }}</div>',
  };
  assert.deepEqual(findingsOf(t, files), [
    'templates/index.liquid:1:61 warning unknown-property: unknown property "nmae" of shop, which is always empty: did you mean "name"?',
    "templates/index.liquid:1:82 error missing-file: no file blocks/gone.liquid",
  ]);
});
