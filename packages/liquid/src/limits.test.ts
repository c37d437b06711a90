import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "./engine.ts";
import { LiquidError } from "./errors.ts";
import { Meter } from "./limits.ts";

const engine = createEngine();

/** Templates that would run forever or exhaust the memory without limits. */
const hostileTemplates: Readonly<Record<string, string>> = {
  "an endless loop": "{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}",
  "an endless loop without a body": "{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}",
  "a range past all memory": "{% for a in (1..9999999999) reversed %}{{ a }}{% endfor %}",
  "a snippet that renders itself": "{% render 'self' %}",
  "a snippet that includes itself": "{% include 'self-include' %}",
  "output without end": `{% for a in (1..100000) %}{{ '${"x".repeat(400)}' }}{% endfor %}`,
  "a text that doubles": "{% assign s = 'x' %}{% for a in (1..60) %}{% assign s = s | append: s %}{% endfor %}",
  "a text that doubles by capture":
    "{% assign s = 'x' %}{% for a in (1..60) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}",
  "a text that grows by replace":
    "{% assign s = 'aa' %}{% for a in (1..60) %}{% assign s = s | replace: 'a', 'aaaa' %}{% endfor %}",
  "an integer that is squared":
    "{% assign n = 9 %}{% for a in (1..60) %}{% assign n = n | times: n %}{% endfor %}{{ n }}",
  "an integer that grows by sums":
    "{% assign n = 9 %}{% for a in (1..60000) %}{% assign l = '' | append: n | append: ',' | append: n | split: ',' %}{% assign n = l | sum | times: n %}{% endfor %}",
  "an integer in a long text":
    "{% assign s = '9' %}{% for a in (1..19) %}{% assign s = s | append: s %}{% endfor %}{{ s | plus: 1 }}",
  "a long integer, again and again":
    "{% assign n = 9 %}{% for a in (1..8) %}{% assign n = n | times: n %}{% endfor %}{% for a in (1..1000000) %}{% assign m = n | times: n %}{% endfor %}",
  "a list that doubles":
    "{% assign l = 'a,b' | split: ',' %}{% for a in (1..60) %}{% assign l = l | concat: l %}{% endfor %}",
  "a list of a long range": "{{ (1..900000) | sort }}",
  "sort again and again":
    "{% assign l = (1..10000) | reverse %}{% for a in (1..100000) %}{% assign l = l | reverse | sort %}{% endfor %}",
  "join of long texts":
    "{% assign s = 'x' %}{% for a in (1..19) %}{% assign s = s | append: s %}{% endfor %}{% assign l = 'a,b,c' | split: ',' %}{{ l | join: s }}",
  "lists of one list, printed":
    "{% assign l = 'a,b' | split: ',' %}{% for a in (1..13) %}{% assign l = l | concat: l %}{% endfor %}{% for a in (1..100000) %}{{ l | append: l }}{% endfor %}",
  "a date padded to a gigabyte": "{{ 'now' | date: '%1000000000Y' }}",
  "a table without end": "{% tablerow a in (1..900000) %}{% for b in (1..900000) %}{% endfor %}{% endtablerow %}",
  "names in one another": `{{ ${"a[".repeat(90)}1${"]".repeat(90)} }}{% for a in (1..1000000) %}{% endfor %}`,
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
  test(`a limit of work ends ${name}, after the same number of steps each time`, () => {
    const firstResult = renderUntilLimit(template);
    assert.match(firstResult.message, /more than \d+ (?:steps|characters|digits|items|levels)|output is too long/);
    assert.deepEqual(renderUntilLimit(template), firstResult);
    assert.ok(firstResult.steps <= 520_000, `${firstResult.steps} steps`);
  });

test("the error of a limit has its location", () => {
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

test("the enclosing meter counts the same steps", () => {
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

test("markup that nests deep or is long is rejected or parsed in time", () => {
  assert.throws(() => engine.parse("{% comment %}".repeat(15_000)), /never closed/);
  assert.throws(() => engine.parse("{{ 1 }}".repeat(15_000)), /more than 10000 tags and outputs/);
  assert.throws(() => engine.parse(`${"{% if a %}".repeat(200)}${"{% endif %}".repeat(200)}`), /Nesting too deep/);
  assert.equal(engine.parse(`{{ ${"'\\".repeat(50_000)} }}`).render(), "\\");
  assert.equal(engine.parse(`{{ ${"(".repeat(50_000)}1 }}`).render(), "");
  assert.equal(engine.parse(`{{ ${"a[".repeat(20_000)}1${"]".repeat(20_000)} }}x`).render(), "x");
  assert.equal(engine.parse(`{% assign ${"a".repeat(100_000)} = 1 %}x`).render(), "x");
  assert.throws(() => engine.parse(`{% if ${"a ".repeat(50_000)}= %}`), /never closed/);
});
