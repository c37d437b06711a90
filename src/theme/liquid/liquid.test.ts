import assert from "node:assert/strict";
import test from "node:test";
import { openTheme } from "../example-shop.fixture.ts";

/** Templates with their expected output, by behavior. */
const examples: Readonly<Record<string, readonly (readonly [template: string, output: string])[]>> = {
  "an empty string, list or cart equals `empty`": [
    ["{% if '' == empty %}a{% endif %}{% if empty == cart %}b{% endif %}{% if cart == empty %}c{% endif %}", "abc"],
    ["{% if nil == empty %}a{% endif %}{% if 0 == empty %}b{% endif %}{% if product == empty %}c{% endif %}", ""],
    ["{% assign l = '' | split: ',' %}{% if l == empty %}a{% endif %}{% if cart.empty? %}b{% endif %}", "ab"],
  ],
  "nil, false and whitespace equal `blank`": [
    [
      "{% if nil == blank %}a{% endif %}{% if '  ' == blank %}b{% endif %}{% if false == blank %}c{% endif %}{% if 0 == blank %}d{% endif %}{% if product != blank %}e{% endif %}",
      "abce",
    ],
  ],
  "`contains` searches strings and lists": [
    [
      "{% if 'abc' contains 'b' %}a{% endif %}{% if product.tags contains 'linen' %}b{% endif %}{% if product.tags contains 'lin' %}c{% endif %}{% if nil contains 'a' %}d{% endif %}{% if 'nil' contains nil %}e{% endif %}",
      "ab",
    ],
  ],
  "two objects for the same product are equal": [
    [
      "{% if product == all_products.tote %}a{% endif %}{% if product == all_products.mug %}b{% endif %}{% if product == nil %}c{% endif %}",
      "a",
    ],
  ],
  "a for loop supports offset: continue, break, continue and else": [
    [
      "{% for i in (1..4) limit: 2 %}{{ i }}{% endfor %}-{% for i in (1..4) offset: continue %}{{ i }}{% endfor %}",
      "12-34",
    ],
    [
      "{% for i in (1..5) %}{% if i == 2 %}{% continue %}{% elsif i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}",
      "13",
    ],
    [
      "{% for i in nil %}{{ i }}{% else %}none{% endfor %}{% for i in 'text' %}{{ i }}{% endfor %}{% for i in product %}{{ i }}{% endfor %}",
      "nonetext",
    ],
    ["{% assign n = 3 %}{% for i in (2..n) %}{{ i }}{% endfor %}{% for i in (3..1) %}{{ i }}{% endfor %}", "23"],
  ],
};

for (const [name, pairs] of Object.entries(examples)) {
  test(name, async (t) => {
    const files = pairs.map(([template], index) => [`sections/s${index}.liquid`, template]);
    const theme = await openTheme(t, Object.fromEntries(files));
    for (const [index, [template, expectedOutput]] of pairs.entries())
      assert.equal(await theme.section(`s${index}`, { target: "/products/tote" }), expectedOutput, template);
  });
}

test("an unknown filter returns its input, and an unknown tag fails its file", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "\n{{ 'x' | nosuch | upcase }}{{ 'y' | toString }}",
    "sections/b.liquid": "\n\n{% nosuch %}",
    "sections/c.liquid": "{% render 's' %}",
    "snippets/s.liquid": "\n{{ 'x' | nosuch: 1 }}",
  });
  assert.equal(await theme.section("a"), "\nXy");
  assert.match(String(theme.reports[0]), /undefined filter nosuch, file:sections\/a\.liquid, line:2/);
  await assert.rejects(theme.section("b"), /Unknown tag 'nosuch', file:sections\/b\.liquid, line:3/);
  assert.equal(await theme.section("c"), "\nx");
  assert.match(String(theme.reports.at(-1)), /undefined filter nosuch, file:snippets\/s\.liquid, line:2/);
});

test("an invalid filter argument is reported with file and line, and the remaining output is shown", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "a\n{{ 1 | divided_by: 0 }}b" });
  assert.equal(await theme.section("a"), "a\nb");
  assert.match(String(theme.reports[0]), /divided by 0, file:sections\/a\.liquid, line:2/);
});

test("render ignores a colon before the name, as in Ruby", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% render: 's', x: 1 %}{%- liquid\n  render: 's', x: 2\n-%}",
    "snippets/s.liquid": "{{ x }}",
  });
  assert.equal(await theme.section("a"), "12");
  assert.deepEqual(theme.reports, []);
});
