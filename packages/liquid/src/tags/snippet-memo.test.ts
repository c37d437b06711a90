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
const callTemplates = [
  "{% render 'icon', name: 'a' %}{% render 'icon', name: 'b' %}",
  "{% for n in names %}{% render 'icon', name: n %}{% endfor %}{% render 'icon', name: names[0] %}",
  "{% render 'optional' %}{% render 'optional', size: 1 %}{% render 'optional', size: number %}",
  "{% render 'global' %}{% render 'global', shop: 'own' %}{% render 'itself' %}",
  "{% render 'now' %}{% render 'nested' %}{% render 'counter' %}{% render 'loop', name: names[0] %}",
  "a{% render 'fault' %}b{% render 'list', name: names %}",
];
const renderOptions: readonly RenderOptions[] = [
  { globals: { shop: "one", names: ["a", "a", "b", "a"], number: 2 }, now: 0 },
  { globals: { shop: "two", names: ["c", "c", "c"], number: 2 }, now: 40_000_000_000 },
  { globals: { shop: "three", size: "large", names: [1, "1", 1, null], number: null }, now: 0 },
];

/** Returns a function that renders templates with snippets, and a counter of how often a filter ran. */
function createRenderer(): {
  readonly render: (template: string, options: RenderOptions) => { readonly text: string; readonly steps: number };
  readonly getCount: () => number;
} {
  let count = 0;
  const countCalls = (value: unknown): unknown => {
    count += 1;
    return value;
  };
  const engine = createEngine({ filters: { count: countCalls } });
  const parsedSnippets = new Map(Object.entries(snippets).map(([name, text]) => [name, engine.parse(text, name)]));
  const templates = new Map<string, ReturnType<typeof engine.parse>>();
  return {
    render: (text, options) => {
      const template = templates.get(text) ?? engine.parse(text);
      templates.set(text, template);
      const meter = new Meter({ name: "template", steps: 100_000, milliseconds: 10_000 });
      const findSnippet = (name: string) => parsedSnippets.get(name) ?? engine.parse("");
      return {
        text: template.render(options.globals, { ...options, meter, partial: findSnippet }),
        steps: meter.usedSteps,
      };
    },
    getCount: () => count,
  };
}

for (const call of callTemplates)
  test(`a cached snippet prints the same as a rendered one: ${call}`, () => {
    const cachedRenderer = createRenderer();
    for (let round = 0; round < 3; round += 1)
      for (const shop of renderOptions)
        assert.deepEqual(cachedRenderer.render(call, shop), createRenderer().render(call, shop));
  });

test("a snippet with the same strings is rendered once", () => {
  const { render, getCount } = createRenderer();
  const doubleCallTemplate = "{% render 'counted', name: 'a' %}{% render 'counted', name: shop %}";
  const [firstShop = {}, secondShop = {}] = renderOptions;
  assert.equal(render(doubleCallTemplate, firstShop).text, "aone");
  assert.equal(render(doubleCallTemplate, firstShop).text, "aone");
  assert.equal(getCount(), 2);
  assert.equal(render(doubleCallTemplate, secondShop).text, "atwo");
  assert.equal(getCount(), 3);
});

test("a snippet is cached if its missing variables are not global variables", () => {
  const { render, getCount } = createRenderer();
  const isGlobal = (name: string): boolean => name === "shop";
  for (let round = 0; round < 3; round += 1)
    assert.equal(render("{% render 'counted' %}{% render 'optional' %}", { isGlobal }).text, "[small]");
  assert.equal(getCount(), 1);
});

test("a cached snippet counts toward the nesting limit", () => {
  const engine = createEngine();
  const innerTemplate = engine.parse("x");
  const outerTemplate = engine.parse("{% render 'inner' %}");
  const findSnippet = (name: string) => (name === "inner" ? innerTemplate : outerTemplate);
  const limits = { output: 100, characters: 100, items: 100, depth: 1 };
  assert.equal(outerTemplate.render({}, { partial: findSnippet, limits }), "x");
  assert.throws(
    () => engine.parse("{% render 'outer' %}").render({}, { partial: findSnippet, limits }),
    /more than 1 levels deep/,
  );
});
