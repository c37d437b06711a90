import assert from "node:assert/strict";
import { test } from "node:test";
import type { RenderOptions } from "../context.ts";
import { createEngine } from "../engine.ts";
import { Meter } from "../limits.ts";

const snippets: Readonly<Record<string, string>> = {
  icon: "<svg class='{{ name }}'>{% case name %}{% when 'a' %}A{% else %}B{% endcase %}</svg>",
  optional: "[{{ size | default: 'small' }}]",
  global: "({{ shop }})",
  now: "{{ 'now' | date: '%Y' }}",
  nested: "<{% render 'icon', name: 'a' %}>",
  counter: "{% increment n %}{% increment n %}{% cycle 'x', 'y' %}",
  loop: "{% for i in (1..3) %}{{ i }}{{ name }}{% endfor %}",
  fault: "{{ 1 | divided_by: 0 }}",
  list: "{{ name.first }}",
  counted: "{{ name | count }}",
  itself: "{{ self.shop }}",
};
const uses = [
  "{% render 'icon', name: 'a' %}{% render 'icon', name: 'b' %}",
  "{% for n in names %}{% render 'icon', name: n %}{% endfor %}{% render 'icon', name: names[0] %}",
  "{% render 'optional' %}{% render 'optional', size: 1 %}{% render 'optional', size: number %}",
  "{% render 'global' %}{% render 'global', shop: 'own' %}{% render 'itself' %}",
  "{% render 'now' %}{% render 'nested' %}{% render 'counter' %}{% render 'loop', name: names[0] %}",
  "a{% render 'fault' %}b{% render 'list', name: names %}",
];
const shops: readonly RenderOptions[] = [
  { globals: { shop: "one", names: ["a", "a", "b", "a"], number: 2 }, now: 0 },
  { globals: { shop: "two", names: ["c", "c", "c"], number: 2 }, now: 40_000_000_000 },
  { globals: { shop: "three", size: "large", names: [1, "1", 1, null], number: null }, now: 0 },
];

/** Returns a function that renders templates with snippets, and a counter of the calls of a filter. */
function createRenderer(): {
  readonly render: (template: string, options: RenderOptions) => { readonly text: string; readonly steps: number };
  readonly counted: () => number;
} {
  let count = 0;
  const counting = (value: unknown): unknown => {
    count += 1;
    return value;
  };
  const engine = createEngine({ filters: { count: counting } });
  const parsed = new Map(Object.entries(snippets).map(([name, text]) => [name, engine.parse(text, name)]));
  const templates = new Map<string, ReturnType<typeof engine.parse>>();
  return {
    render: (text, options) => {
      const template = templates.get(text) ?? engine.parse(text);
      templates.set(text, template);
      const meter = new Meter({ name: "template", steps: 100_000, milliseconds: 10_000 });
      const partial = (name: string) => parsed.get(name) ?? engine.parse("");
      return { text: template.render(options.globals, { ...options, meter, partial }), steps: meter.usedSteps };
    },
    counted: () => count,
  };
}

for (const use of uses)
  test(`a cached snippet prints the same as a rendered one: ${use}`, () => {
    const kept = createRenderer();
    for (let round = 0; round < 3; round += 1)
      for (const shop of shops) assert.deepEqual(kept.render(use, shop), createRenderer().render(use, shop));
  });

test("a snippet with the same strings is rendered once", () => {
  const { render, counted } = createRenderer();
  const use = "{% render 'counted', name: 'a' %}{% render 'counted', name: shop %}";
  const [one = {}, two = {}] = shops;
  assert.equal(render(use, one).text, "aone");
  assert.equal(render(use, one).text, "aone");
  assert.equal(counted(), 2);
  assert.equal(render(use, two).text, "atwo");
  assert.equal(counted(), 3);
});

test("a snippet is cached if its missing variables are not global variables", () => {
  const { render, counted } = createRenderer();
  const isGlobal = (name: string): boolean => name === "shop";
  for (let round = 0; round < 3; round += 1)
    assert.equal(render("{% render 'counted' %}{% render 'optional' %}", { isGlobal }).text, "[small]");
  assert.equal(counted(), 1);
});

test("a cached snippet counts toward the nesting limit", () => {
  const engine = createEngine();
  const inner = engine.parse("x");
  const outer = engine.parse("{% render 'inner' %}");
  const partial = (name: string) => (name === "inner" ? inner : outer);
  const limits = { output: 100, characters: 100, items: 100, depth: 1 };
  assert.equal(outer.render({}, { partial, limits }), "x");
  assert.throws(() => engine.parse("{% render 'outer' %}").render({}, { partial, limits }), /more than 1 deep/);
});
