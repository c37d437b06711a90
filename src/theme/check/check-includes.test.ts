import assert from "node:assert/strict";
import test from "node:test";
import { type Files, findingsOf } from "./theme-files.fixture.ts";

const relevantFindings = (t: Parameters<typeof findingsOf>[0], files: Files) =>
  findingsOf(t, files).filter((finding) => !finding.includes("unused-snippet"));

test("unknown names are reported in a file with includes, except variables that the snippets assign", (t) => {
  const files = {
    "sections/a.liquid":
      "{% include 'prices' %}{{ low }}{{ hihg }}{{ product.titel }}{% for entry in cart.items %}{% include 'line' %}{% endfor %}",
    "snippets/prices.liquid": "{% assign low = product.price_min %}{% include 'deep' %}{{ product.vednor }}",
    "snippets/deep.liquid": "{% capture high %}{{ shop.nmae }}{% endcapture %}{{ low.anything }}",
    "snippets/line.liquid": "{{ entry.anything }}",
  };
  assert.deepEqual(relevantFindings(t, files), [
    'sections/a.liquid:1:35 warning unknown-variable: unknown variable "hihg", which is always empty: did you mean "high"?',
    'sections/a.liquid:1:53 warning unknown-property: unknown property "titel" of product, which is always empty: did you mean "title"?',
    'snippets/deep.liquid:1:27 warning unknown-property: unknown property "nmae" of shop, which is always empty: did you mean "name"?',
    'snippets/prices.liquid:1:68 warning unknown-property: unknown property "vednor" of product, which is always empty: did you mean "vendor"?',
  ]);
});

test("arguments of include are tracked like those of render, and a name may have a different type in each caller", (t) => {
  const files = {
    "sections/a.liquid":
      "{% include 'card' with product %}{% include 'row', item: cart %}{% include 'any', item: cart %}",
    "sections/b.liquid": "{% assign item = article %}{% include 'any', item: product %}",
    "snippets/card.liquid": "{{ card.titel }}",
    "snippets/row.liquid": "{{ item.totl_price }}{% include 'inner' %}",
    "snippets/inner.liquid": "{{ item.anything }}",
    "snippets/any.liquid": "{{ item.whatever }}",
  };
  assert.deepEqual(relevantFindings(t, files), [
    'snippets/card.liquid:1:9 warning unknown-property: unknown property "titel" of product, which is always empty: did you mean "title"?',
    'snippets/row.liquid:1:9 warning unknown-property: unknown property "totl_price" of cart, which is always empty: did you mean "total_price"?',
  ]);
});

test("variables that a snippet with a dynamic name may assign are not unknown", (t) => {
  const files = {
    "sections/a.liquid": "{% assign icon = 'icon-a' %}{% include icon %}{{ width }}{{ wdith }}",
    "snippets/icon-a.liquid": "{% assign width = 3 %}{{ icon.size }}",
  };
  assert.deepEqual(relevantFindings(t, files), [
    'sections/a.liquid:1:61 warning unknown-variable: unknown variable "wdith", which is always empty: did you mean "width"?',
  ]);
});

test("fields that never have a value in this server are reported as such", (t) => {
  const files = {
    "sections/a.liquid":
      "{% if product.selling_plan_groups.size > 0 %}x{% endif %}{{ product.title }}{{ page.author }}",
  };
  assert.deepEqual(relevantFindings(t, files), [
    "sections/a.liquid:1:15 warning always-empty: product.selling_plan_groups is always empty here: remove markup that depends on it",
    "sections/a.liquid:1:85 warning always-empty: page.author is always empty here: remove markup that depends on it",
  ]);
});
