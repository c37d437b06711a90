import assert from "node:assert/strict";
import { test } from "node:test";
import { runTestCases } from "../cases.fixture.ts";
import { createEngine } from "../engine.ts";
import { LiquidError } from "../errors.ts";

const data = { a: 1, b: "B", c: { d: "D" } };

runTestCases({
  "malformed outputs print the parts that can be parsed": [
    [
      "{{ 'it's' }}{{ b | append: 'x' 'y' }}{{ b | append 'x' }}",
      "itBxLiquid error: wrong number of arguments (given 1, expected 2)",
      data,
    ],
    ["{{ b || upcase }}{{ b | | downcase }}{{ | upcase }}{{ }}{{}}", "Bb", data],
    [
      "{{ b[ }}{{ c.d[ }}{{ (1..3 }}{{ %b% }}|{{ b! }}{{ b ! }}{{ 'a' 'b' }}{{ b ; }}",
      "BD1B|BBaB".replace("1B", "B"),
      data,
    ],
    ["{{ b | downcase:: }}{{ a | plus: - 1 }}", "Liquid error: wrong number of arguments (given 2, expected 1)1", data],
    ["{{ b | append: c.d, }}{{ b | append: 'x',, }}", "BDBx", data],
    ["{{ 'a }}b{{ 'c' }}", "1bc", data],
    ["{{ b | append: 'x'' | downcase }}{{ 'a.b' | split: '.'' | join: '-' }}", "bxab", data],
    ["{{ a.0 }}{{ c.'d' }}{{ c.\"d\" }}{{ 1.2.3 }}", "DD1.2", data],
  ],
  "a range with three points is a range": [
    ["{% for i in (1...3) %}{{ i }}{% endfor %} {% for i in (a...2) %}{{ i }}{% endfor %}", "123 12", data],
  ],
  conditions: [
    ["{% if a == 1) %}y{% endif %}{% if b == 'x or y is B' %}x{% endif %}{% if a <> 2 %}z{% endif %}", "z", data],
    ["{% if a && nothing %}y{% endif %}{% if !a %}n{% endif %}", "yn", data],
    ["{% if a && x and b == 'C' %}y{% endif %}{% if nothing && a or b %}o{% endif %}", "o", data],
    [
      "{% if a = 1 %}x{% endif %} {% unless a =! 2 %}x{% endunless %} {% if a === 1 %}x{% endif %}",
      "Liquid error: Unknown operator = Liquid error: Unknown operator =! Liquid error: Unknown operator ===",
      data,
    ],
    [
      "{% if 'e.jpg' contains '.jpg'|'.png' %}e{% endif %}{% if a == 1 and %}{% endif %}",
      "Liquid syntax error (line 1): Syntax Error in tag 'if' - Valid syntax: if [expression]",
      data,
    ],
    ["{% if 'e.jpg' contains '.jpg'|'.png' %}e{% endif %}", "e", data],
  ],
  "assign, for and case": [
    [
      "{% assign d = true | default: false %}{{ d }}{% assign e = b, c %}{{ e }}{% assign x = %}[{{ x }}]",
      "trueB[]",
      data,
    ],
    ["{% for i in (1..2) limit:1, nonsense %}{{ i }}{% endfor %}{% for i in(1..2) %}{{ i }}{% endfor %}", "112", data],
    ["{% case a %}{% when 1 or 2 nonsense %}x{% endcase %}{% case a b %}{% when 1 %}y{% endcase %}", "xy", data],
    ["{% cycle 'a' 'b', 'c' %}{% cycle 'a' 'b', 'c' %}", "ac", data],
  ],
  "markup that cannot be parsed is an error of the template": [
    ["{{ a", "Liquid syntax error (line 1): Variable '{{' was not properly terminated with regexp: /\\}\\}/"],
    [
      "{{ a } b }}",
      "Liquid syntax error (line 1): Variable '{{ a }' was not properly terminated with regexp: /\\}\\}/",
    ],
    ["\n\n{% if a", "Liquid syntax error (line 3): Tag '{%' was not properly terminated with regexp: /\\%\\}/"],
    ["{% nosuch %}", "Liquid syntax error (line 1): Unknown tag 'nosuch'"],
    ["{% if true %}{% nosuch %}{% endif %}", "Liquid syntax error (line 1): Unknown tag 'nosuch'"],
    ["a\n{% if true %}", "Liquid syntax error (line 2): 'if' tag was never closed"],
    [
      "{% for i in l %}{% endif %}",
      "Liquid syntax error (line 1): 'endif' is not a valid delimiter for for tags. use endfor",
    ],
    [
      "{% capture x %}{% else %}{% endcapture %}",
      "Liquid syntax error (line 1): capture tag does not expect 'else' tag",
    ],
    ["{% else %}", "Liquid syntax error (line 1): Unexpected outer 'else' tag"],
    ["{% endif %}", "Liquid syntax error (line 1): Unknown tag 'endif'"],
    [
      "{% for i %}{% endfor %}",
      "Liquid syntax error (line 1): Syntax Error in 'for loop' - Valid syntax: for [item] in [collection]",
    ],
    [
      "{% assign a %}",
      "Liquid syntax error (line 1): Syntax Error in 'assign' - Valid syntax: assign [var] = [source]",
    ],
    [
      "{% capture %}{% endcapture %}",
      "Liquid syntax error (line 1): Syntax Error in 'capture' - Valid syntax: capture [var]",
    ],
    ["{% if %}{% endif %}", "Liquid syntax error (line 1): Syntax Error in tag 'if' - Valid syntax: if [expression]"],
    ["{% %}", "Liquid syntax error (line 1): Unknown tag ''"],
  ],
});

test("malformed markup is reported with its location; in strict mode it is an error", () => {
  const template = createEngine().parse(
    "a\n  {{ b | f:: }}\n{% if x = 1 %}{% endif %}{% assign x y = 1 %}{% capture 'c' %}{% endcapture %}{% increment 1n %}",
    "t",
  );
  assert.deepEqual(
    template.syntaxErrors.map(({ offset, detail }) => [offset, detail]),
    [
      [13, 'Expected a value but found ":" in "b | f::"'],
      [26, 'Unexpected character = in "x = 1"'],
      [53, 'Expected the name of a variable but found "x y"'],
      [109, 'Expected the name of a variable but found "1n"'],
    ],
  );
  const strictEngine = createEngine({ isStrict: true });
  assert.throws(
    () => strictEngine.parse("a\n  {{ b | f:: }}", "t"),
    (error) => {
      assert.ok(LiquidError.is(error, "syntax"));
      assert.deepEqual(error.place, { name: "t", offset: 13, line: 2, column: 12 });
      return true;
    },
  );
});

test("the strict parser distinguishes strings from signs and words", () => {
  const { parse } = createEngine();
  const countErrors = (source: string): number => parse(source).syntaxErrors.length;
  for (const source of [
    "{% if c['d'] contains 'D' %}{% endif %}",
    "{% if c[a] contains b %}{% endif %}",
    "{% if c.contains %}{% endif %}",
    "{% if 'and' == 'or' and '.' contains '.' %}{% endif %}",
    "{{ '|' | append: ',' }}",
  ])
    assert.equal(countErrors(source), 0, source);
  for (const source of ["{% if a 'and' b %}{% endif %}", "{{ b '|' upcase }}", "{% if c '.' d %}{% endif %}"])
    assert.equal(countErrors(source), 1, source);
});
