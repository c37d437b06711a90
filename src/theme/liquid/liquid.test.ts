import assert from "node:assert/strict";
import test from "node:test";
import { openTheme } from "../example-shop.fixture.ts";

/** What is said of Liquid -> template and output. */
const examples: Readonly<Record<string, readonly (readonly [template: string, output: string])[]>> = {
  "texts and numbers are never equal, and in no order": [
    [
      "{% if '1' == 1 %}a{% endif %}{% if '2' > 1 %}b{% endif %}{% if 2 >= 2.0 %}c{% endif %}{% if 'a' < 'b' %}d{% endif %}",
      "cd",
    ],
  ],
  "nil is in no order and equals itself": [
    [
      "{% if nil < 1 %}a{% endif %}{% if nil > 0 %}b{% endif %}{% if x == nil %}c{% endif %}{% if nil != false %}d{% endif %}",
      "cd",
    ],
  ],
  "everything but false and nil counts as true": [
    [
      "{% if '' %}a{% endif %}{% if 0 %}b{% endif %}{% if empty %}c{% endif %}{% if nil %}d{% endif %}{% if false %}e{% endif %}",
      "abc",
    ],
  ],
  "empty is a text, list or cart without anything, on either side": [
    ["{% if '' == empty %}a{% endif %}{% if empty == cart %}b{% endif %}{% if cart == empty %}c{% endif %}", "abc"],
    ["{% if nil == empty %}a{% endif %}{% if 0 == empty %}b{% endif %}{% if product == empty %}c{% endif %}", ""],
    ["{% assign l = '' | split: ',' %}{% if l == empty %}a{% endif %}{% if cart.empty? %}b{% endif %}", "ab"],
  ],
  "blank is empty, nil, false and blanks": [
    [
      "{% if nil == blank %}a{% endif %}{% if '  ' == blank %}b{% endif %}{% if false == blank %}c{% endif %}{% if 0 == blank %}d{% endif %}{% if product != blank %}e{% endif %}",
      "abce",
    ],
  ],
  "contains looks into texts and lists": [
    [
      "{% if 'abc' contains 'b' %}a{% endif %}{% if product.tags contains 'linen' %}b{% endif %}{% if product.tags contains 'lin' %}c{% endif %}{% if nil contains 'a' %}d{% endif %}{% if 'nil' contains nil %}e{% endif %}",
      "ab",
    ],
  ],
  "and and or are read from the right": [
    ["{% if true or false and false %}a{% endif %}{% if false and true or true %}b{% endif %}", "a"],
  ],
  "objects of the same thing are equal": [
    [
      "{% if product == all_products.tote %}a{% endif %}{% if product == all_products.mug %}b{% endif %}{% if product == nil %}c{% endif %}",
      "a",
    ],
  ],
  "whole fractions stay fractions": [
    [
      "{{ 2.0 }} {{ 2 }} {% assign x = 1.0 %}{{ x | divided_by: 4 }}{% if x == 1 %} {{ x }}{% endif %}",
      "2.0 2 0.25 1.0",
    ],
    ["{% case 2.0 %}{% when 2 %}a{% endcase %}{% for i in (1..2) limit: 1.0 %}{{ i }}{% endfor %}", "a1"],
  ],
  "a backslash in a text is one": [["{{ 'a\\n' | size }}{{ 'a\\b' | split: '\\' | join: '/' }}", "3a/b"]],
  "what follows a value and means nothing is passed over": [
    ["{{ 'a' 'b' }}{{ 'c' ; }}{% assign x = 'd' e %}{{ x }}{% if true %}f{% else nonsense %}g{% endif %}", "acdf"],
  ],
  "brackets group, braces in a tag are passed over, and what is no filter too": [
    ["{% if (true or false) and false %}a{% endif %}{% assign x = 'b' | append: {{ 'c' }} %}{{ x }}", "bc"],
    ["{% unless {{ x }} == 1 %}d{% endunless %}{% if 'e.jpg' contains '.jpg'|'.png' %}e{% endif %}{{ 'f' | }}", "def"],
  ],
  "loops know those around them": [
    [
      "{% for i in (1..2) %}{% for j in (1..2) %}{{ forloop.parentloop.index }}{{ forloop.index }}{{ forloop.last }} {% endfor %}{% endfor %}",
      "11false 12true 21false 22true ",
    ],
    [
      "{% for i in (1..3) reversed limit: 2 %}{{ i }}{{ forloop.rindex }}{{ forloop.rindex0 }}{{ forloop.length }}{{ forloop.first }} {% endfor %}",
      "2212true 1102false ",
    ],
  ],
  "for goes on where the last one stopped, breaks and continues, and shows its else for an empty list": [
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
  "tablerow makes rows and cells": [
    [
      "{% tablerow i in (1..3) cols: 2 %}{{ i }}{{ tablerowloop.col_last }}{% endtablerow %}",
      '<tr class="row1">\n<td class="col1">1false</td><td class="col2">2true</td></tr>\n<tr class="row2"><td class="col1">3false</td></tr>\n',
    ],
  ],
  "case takes several values, and nothing else where none fits": [
    [
      "{% case 2 %}{% when 1, 2 %}a{% when 3 or 2 %}b{% when '2' %}c{% else %}d{% endcase %}{% case x %}{% when nil %}e{% endcase %}",
      "abe",
    ],
    ["{% case 'x' %}{% when blank %}a{% else %}b{% endcase %}", "b"],
  ],
  "unless turns its own condition round, not that of elsif": [
    ["{% unless true %}a{% elsif true %}b{% endunless %}{% unless nil %}c{% endunless %}", "bc"],
  ],
  "cycle goes round, by its name or its values": [
    ["{% for i in (1..3) %}{% cycle 'a', 'b' %}{% cycle 'n': 1, 2 %}{% endfor %}{% cycle 'n': 3, 4 %}", "a1b2a14"],
  ],
  "ifchanged shows what is new": [
    [
      "{% assign l = '1,1,2,2,1' | split: ',' %}{% for i in l %}{% ifchanged %}{{ i }}{% endifchanged %}{% endfor %}",
      "121",
    ],
  ],
  "increment and decrement count apart from variables": [
    ["{% assign n = 9 %}{% increment n %}{% increment n %}{% decrement m %}{{ n }}", "01-19"],
  ],
  "blocks that print nothing leave no blanks": [
    [
      "[{% if true %}\n  {% assign x = 1 %}\n{% endif %}{% for i in (1..9) %} {% endfor %}{% if true %} {{ x }} {% endif %}]",
      "[ 1 ]",
    ],
  ],
  "comments may stand in one another, and hold anything": [
    [
      "a{% comment %}{% comment %}{% endcomment %}{{ x | nosuch: 'don't }} {{ {% if {% endcomment %}{% # don't %}b{%- # c -%} d",
      "abd",
    ],
  ],
  "raw prints Liquid as it is, with dashes too": [
    [
      "{% raw %}{{ a }}{% if %}{% endraw %} {%- raw -%}{{ b }}{%- endraw -%} {% raw %}{% endraw %}c",
      "{{ a }}{% if %}{{ b }}c",
    ],
  ],
  "dashes take the blanks around away": [["a \n {{- 'b' -}} \n c {%- if true -%} d {%- endif -%} e", "abcde"]],
  "liquid and echo": [
    [
      "{% liquid\n  assign x = 2\n  # note\n  if x == 2\n    echo 'two' | upcase\n  endif\n  for i in (1..2)\n    echo i\n  endfor\n%}",
      "TWO12",
    ],
  ],
  "lists have ends and places": [
    [
      "{% assign l = 'a,b,c' | split: ',' %}{{ l[0] }}{{ l[-1] }}{{ l.first }}{{ l.last }}{{ l.size }}{{ l[9] }}{% assign n = 1 %}{{ l[n] }}",
      "acac3b",
    ],
  ],
};

for (const [name, pairs] of Object.entries(examples)) {
  test(name, async (t) => {
    const files = pairs.map(([template], index) => [`sections/s${index}.liquid`, template]);
    const theme = await openTheme(t, Object.fromEntries(files));
    for (const [index, [template, expected]] of pairs.entries())
      assert.equal(await theme.section(`s${index}`, { target: "/products/tote" }), expected, template);
  });
}

test("an unknown filter gives its value back and is told of with file and line, an unknown tag fails its file", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "\n{{ 'x' | nosuch | upcase }}{{ 'y' | toString }}",
    "sections/b.liquid": "\n\n{% nosuch %}",
    "sections/c.liquid": "{% render 's' %}",
    "snippets/s.liquid": "\n{{ 'x' | nosuch: 1 }}",
  });
  assert.equal(await theme.section("a"), "\nXy");
  assert.match(String(theme.reports[0]), /undefined filter: nosuch, file:sections\/a\.liquid, line:2/);
  await assert.rejects(theme.section("b"), /tag "nosuch" not found, file:sections\/b\.liquid, line:3/);
  assert.equal(await theme.section("c"), "\nx");
  assert.match(String(theme.reports.at(-1)), /undefined filter: nosuch, file:snippets\/s\.liquid, line:2/);
});

/** Expressions that are not well formed -> what Ruby's lax mode makes of them; `a` is 1, `b` is "B". */
const lax: Readonly<Record<string, string>> = {
  "{{ 'abc }}|{{ \"abc }}|{{ b }}": "||B",
  "{{ 'it's' }}": "it",
  "{{ b | append: 'x' 'y' }}{{ b | append 'x' }}": "Bx",
  "{{ b || upcase }}{{ b | | downcase }}{{ | upcase }}{{ }}": "Bb",
  "{{ b[ }}{{ b.size[ }}{{ (1..3 }}{{ %b% }}": "B1B",
  "{{ b | downcase:: 1 }}{{ a | plus: - 1 }}": "b1",
  "{% if (a == 1 %}x{% endif %}{% if a == 1) %}y{% endif %}": "xy",
  "{% if a = 1 %}x{% endif %}{% if a is b %}x{% else %}x{% endif %}{% unless a =! 2 %}x{% endunless %}|": "|",
  "{% if a && nothing %}y{% endif %}{% if a <> 2 %}z{% endif %}{% if b == 'x or y is B' %}x{% endif %}": "yz",
  "{{ 'a }}b{{ 'c' }}": "1bc",
  "{% if b == 'B %}x{% endif %}{% if !a %}y{% endif %}{% if a === 1 %}z{% endif %}|": "y|",
  "{% assign the c = 3 %}{{ c }}{% assign c == 4 %}{{ c }}{% assign c.d = 5 %}{% assign c = %}{{ c }}|": "3|",
  "{% assign d = true | default false %}{{ d }}{% assign e = b, c %}{{ e }}": "trueB",
};

for (const [template, output] of Object.entries(lax))
  test(`what is not well formed is read as Ruby's lax mode reads it: ${template}`, async (t) => {
    const theme = await openTheme(t, { "sections/a.liquid": `{% assign a = 1 %}{% assign b = 'B' %}${template}` });
    assert.equal(await theme.section("a"), output);
  });

test("a fault in an expression that is not well formed is told of with its line", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "a\n\n{{ 1 | times 'x' 'y' | nosuch:: }}",
  });
  await theme.section("a");
  assert.match(String(theme.reports.at(-1)), /undefined filter: nosuch, file:sections\/a\.liquid, line:3/);
});

test("an argument that a filter can do nothing with is reported with file and line, and the rest is shown", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "a\n{{ 1 | divided_by: 0 }}b" });
  assert.equal(await theme.section("a"), "a\nb");
  assert.match(String(theme.reports[0]), /divided by 0, file:sections\/a\.liquid, line:2/);
});

test("what would take long to read, or all of the stack, is refused or read at once", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "{% comment %}".repeat(15_000),
    "sections/b.liquid": `{{ ${"'\\".repeat(50_000)} }}`,
    "sections/c.liquid": `{{ ${"(".repeat(50_000)}1 }}`,
  });
  await assert.rejects(theme.section("a"), /sections\/a\.liquid: more than 10000 tags and outputs/);
  assert.equal(await theme.section("b"), "\\");
  assert.equal(await theme.section("c"), "1");
});
