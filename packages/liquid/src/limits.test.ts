import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "./engine.ts";
import { LiquidError } from "./errors.ts";
import { Meter } from "./limits.ts";

const engine = createEngine();

/** Templates that would run forever or exhaust the memory if no limits existed. */
const hostileTemplates: Readonly<Record<string, string>> = {
  "an endless loop": "{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}",
  "an endless loop without a body": "{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}",
  "a range larger than the memory": "{% for a in (1..9999999999) reversed %}{{ a }}{% endfor %}",
  "a snippet that renders itself": "{% render 'self' %}",
  "a snippet that includes itself": "{% include 'self-include' %}",
  "endless output": `{% for a in (1..100000) %}{{ '${"x".repeat(400)}' }}{% endfor %}`,
  "a string that doubles": "{% assign s = 'x' %}{% for a in (1..60) %}{% assign s = s | append: s %}{% endfor %}",
  "a captured string that doubles":
    "{% assign s = 'x' %}{% for a in (1..60) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}",
  "a string that grows by replacement":
    "{% assign s = 'aa' %}{% for a in (1..60) %}{% assign s = s | replace: 'a', 'aaaa' %}{% endfor %}",
  "an integer that is squared":
    "{% assign n = 9 %}{% for a in (1..60) %}{% assign n = n | times: n %}{% endfor %}{{ n }}",
  "an integer that grows by sums":
    "{% assign n = 9 %}{% for a in (1..60000) %}{% assign l = '' | append: n | append: ',' | append: n | split: ',' %}{% assign n = l | sum | times: n %}{% endfor %}",
  "a long string that is converted to an integer":
    "{% assign s = '9' %}{% for a in (1..19) %}{% assign s = s | append: s %}{% endfor %}{{ s | plus: 1 }}",
  "repeated multiplication of a long integer":
    "{% assign n = 9 %}{% for a in (1..8) %}{% assign n = n | times: n %}{% endfor %}{% for a in (1..1000000) %}{% assign m = n | times: n %}{% endfor %}",
  "a list that doubles":
    "{% assign l = 'a,b' | split: ',' %}{% for a in (1..60) %}{% assign l = l | concat: l %}{% endfor %}",
  "the sorting of a long range": "{{ (1..900000) | sort }}",
  "repeated sorting":
    "{% assign l = (1..10000) | reverse %}{% for a in (1..100000) %}{% assign l = l | reverse | sort %}{% endfor %}",
  "a join with a long separator":
    "{% assign s = 'x' %}{% for a in (1..21) %}{% assign s = s | append: s %}{% endfor %}{% assign l = 'a,b,c' | split: ',' %}{{ l | join: s }}",
  "repeated output of a long list":
    "{% assign l = 'a,b' | split: ',' %}{% for a in (1..13) %}{% assign l = l | concat: l %}{% endfor %}{% for a in (1..100000) %}{{ l | append: l }}{% endfor %}",
  "a date padded to a gigabyte": "{{ 'now' | date: '%1000000000Y' }}",
  "an endless table": "{% tablerow a in (1..900000) %}{% for b in (1..900000) %}{% endfor %}{% endtablerow %}",
  "nested brackets": `{{ ${"a[".repeat(90)}1${"]".repeat(90)} }}{% for a in (1..1000000) %}{% endfor %}`,
};

/** Renders a template that exceeds a limit. Returns the message of the error and the number of steps used. */
function renderUntilLimit(template: string): { readonly message: string; readonly steps: number } {
  const meter = new Meter({ name: "page", steps: 500_000, milliseconds: 60_000 });
  const snippets: Readonly<Record<string, string>> = {
    self: "{% render 'self' %}{% render 'self' %}",
    "self-include": "{% include 'self-include' %}",
  };
  const findSnippet = (name: string) => engine.parse(snippets[name] ?? "", name);
  try {
    engine.parse(template).render({}, { meter, partial: findSnippet, now: 0 });
  } catch (error) {
    assert.ok(LiquidError.is(error, "limit"), String(error));
    return { message: error.message, steps: meter.usedSteps };
  }
  throw new Error("it ended by itself");
}

for (const [name, template] of Object.entries(hostileTemplates))
  test(`the render of ${name} stops at a limit after the same number of steps every time`, () => {
    const firstResult = renderUntilLimit(template);
    assert.match(firstResult.message, /more than \d+ (?:steps|characters|digits|items|levels)|output is too long/);
    assert.deepEqual(renderUntilLimit(template), firstResult);
    assert.ok(firstResult.steps <= 520_000, `${firstResult.steps} steps`);
  });

test("a limit error contains the file and line", () => {
  const template = engine.parse("a\n{% for a in (1..100) %}\n{{ a }}{% endfor %}", "page");
  assert.throws(() => template.render({}, { meter: new Meter({ name: "page", steps: 50, milliseconds: 1_000 }) }), {
    message: "Liquid error (page line 2): rendering the page takes more than 50 steps",
  });
});

test("the time limit stops slow steps", () => {
  const template = engine.parse("{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}");
  assert.throws(
    () => template.render({}, { meter: new Meter({ name: "page", steps: 1_000_000_000, milliseconds: 20 }) }),
    /takes longer than 20 ms/,
  );
});

test("the parent meter counts the steps of its child meters", () => {
  const pageMeter = new Meter({ name: "page", steps: 90, milliseconds: 1_000 });
  const template = engine.parse("{% for a in (1..30) %}{% endfor %}");
  template.render({}, { meter: new Meter({ name: "section", steps: 60, milliseconds: 1_000, parent: pageMeter }) });
  template.render({}, { meter: new Meter({ name: "section", steps: 60, milliseconds: 1_000, parent: pageMeter }) });
  assert.throws(
    () =>
      template.render({}, { meter: new Meter({ name: "section", steps: 60, milliseconds: 1_000, parent: pageMeter }) }),
    /the page takes more than/,
  );
});

test("the parser quickly parses or rejects deeply nested and very long markup", () => {
  assert.throws(() => engine.parse("{% comment %}".repeat(15_000)), /never closed/);
  assert.throws(() => engine.parse("{{ 1 }}".repeat(15_000)), /more than 10000 tags and outputs/);
  assert.throws(() => engine.parse(`${"{% if a %}".repeat(200)}${"{% endif %}".repeat(200)}`), /Nesting too deep/);
  assert.equal(engine.parse(`{{ ${"'\\".repeat(50_000)} }}`).render(), "\\");
  assert.equal(engine.parse(`{{ ${"(".repeat(50_000)}1 }}`).render(), "");
  assert.equal(engine.parse(`{{ ${"a[".repeat(20_000)}1${"]".repeat(20_000)} }}x`).render(), "x");
  assert.equal(engine.parse(`{% assign ${"a".repeat(100_000)} = 1 %}x`).render(), "x");
  assert.throws(() => engine.parse(`{% if ${"a ".repeat(50_000)}= %}`), /never closed/);
});

test("filters read very long text in linear time", () => {
  const startUsage = process.cpuUsage();
  const x = "0".repeat(300_000);
  assert.ok(engine.parse("{{ 1 | date: x }}").render({ x: `%${x}` }) === `%${x}`);
  const invalidText = `${"=".repeat(300_000)}x=`;
  assert.match(engine.parse("{{ x | base64_url_safe_decode }}").render({ x: invalidText }), /invalid base64/);
  const { user, system } = process.cpuUsage(startUsage);
  // A pattern that rescans the text for each character would take minutes.
  assert.ok(user + system < 2_000_000);
});
