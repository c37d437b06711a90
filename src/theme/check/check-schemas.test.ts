import assert from "node:assert/strict";
import test from "node:test";
import { findingsOf } from "./theme-files.fixture.ts";

const createSection = (schema: unknown): string =>
  `\n{% schema %}${typeof schema === "string" ? schema : JSON.stringify(schema)}{% endschema %}`;

/** Schemas with the expected problems. The locations of the problems are omitted. */
const schemas: readonly (readonly [schema: unknown, ...finds: readonly string[]])[] = [
  [[], "error schema: a schema: expected an object"],
  [{ settings: {} }, "error schema: settings: expected a list"],
  [{ settings: [{ id: "a" }] }, 'error schema: a setting without a "type"'],
  [{ settings: [{ type: "text" }] }, 'error schema: a setting of type "text" without an "id"'],
  [{ settings: [{ type: "texta", id: "a" }] }, 'error schema: unknown type of setting "texta": did you mean "text"?'],
  [
    {
      settings: [
        { type: "text", id: "a" },
        { type: "url", id: "a" },
      ],
    },
    'error schema: the id "a" is used twice',
  ],
  [
    { settings: [{ type: "checkbox", id: "a", default: "true" }] },
    'error schema: the default of "a": expected a boolean, as the type "checkbox" has it',
  ],
  [
    { settings: [{ type: "text", id: "a", default: 1 }] },
    'error schema: the default of "a": expected a text, as the type "text" has it',
  ],
  [{ settings: [{ type: "richtext", id: "a", default: { en: "<p>Sale</p>", "pt-BR": "<p>Oferta</p>" } }] }],
  [
    { settings: [{ type: "text", id: "a", default: { heading_text: "Sale" } }] },
    'error schema: the default of "a": expected a text, as the type "text" has it',
  ],
  [{ settings: [{ type: "select", id: "a" }] }, 'error schema: "a" has no "options"'],
  [
    { settings: [{ type: "select", id: "a", default: "larg", options: [{ value: "large" }, { value: "small" }] }] },
    'error schema: the default of "a" is none of its options: did you mean "large"?',
  ],
  [{ settings: [{ type: "range", id: "a" }] }, 'error schema: the range "a" needs the numbers "min" and "max"'],
  [
    { settings: [{ type: "range", id: "a", min: 0, max: 9 }] },
    'error schema: the range "a" needs a number as "default"',
  ],
  [
    { settings: [{ type: "range", id: "a", min: 0, max: 9, default: 10 }] },
    'error schema: the default of "a" is not between 0 and 9',
  ],
  [
    { settings: [{ type: "range", id: "a", min: 0, max: 9, step: 3, default: 4 }] },
    'warning schema: the default of "a" is no step of 3 from 0',
  ],
  [{ blocks: [{ type: "b" }, { type: "b" }] }, 'error schema: the block type "b" is used twice'],
  [{ blocks: [{ name: "b" }] }, 'error schema: a block without a "type"'],
  [
    { blocks: [{ type: "quote" }], presets: [{ name: "p", blocks: [{ type: "qoute" }] }] },
    'error schema: the schema of sections/a.liquid has no block of type "qoute": did you mean "quote"?',
  ],
  [
    { settings: [{ type: "text", id: "title" }], presets: [{ name: "p", settings: { titel: "x" } }] },
    'warning schema: the schema of sections/a.liquid has no setting "titel": did you mean "title"?',
  ],
  [
    { blocks: [{ type: "b", settings: [{ type: "nosuch", id: "x" }] }] },
    'error schema: unknown type of setting "nosuch"',
  ],
];

for (const [schema, ...expectedFindings] of schemas) {
  test(`check reports the errors of the schema ${JSON.stringify(schema)}`, (t) => {
    const findings = findingsOf(t, { "sections/a.liquid": createSection(schema) });
    assert.deepEqual(
      findings.map((finding) => finding.replace(/^\S+ /, "")),
      expectedFindings,
    );
    for (const finding of findings) assert.match(finding, /^sections\/a\.liquid:2:\d+ /);
  });
}

test("check reports defaults with a missing translation", (t) => {
  const files = (key: string): Record<string, string> => ({
    "sections/a.liquid": createSection({
      settings: [{ type: "text", id: "a", label: "t:label", default: `t:words.${key}` }],
    }),
    "locales/en.default.schema.json": '{"words":{"hello":"Hello"}}',
    "locales/en.default.json": "{}",
  });
  assert.deepEqual(findingsOf(t, files("helo")), [
    'sections/a.liquid:2:78 error schema: no text "words.helo" in the default language of locales/',
  ]);
  assert.deepEqual(findingsOf(t, files("hello")), []);
});

test("check locates errors in broken JSON, in schemas and in files", (t) => {
  const findings = findingsOf(t, {
    "sections/a.liquid": createSection('{"name":"a",\n "settings":[}'),
    "templates/index.json": '{\n"sections": {}\n"order": []}',
    "config/settings_data.json": "{",
    "locales/en.default.json": "[[[",
  });
  assert.deepEqual(findings, [
    'config/settings_data.json:1:2 error schema: invalid JSON: the text ends too early: expected "}"',
    'locales/en.default.json:1:4 error locale: invalid JSON: the text ends too early: expected "]"',
    "sections/a.liquid:3:14 error schema: invalid JSON: expected a value: an object, a list, a text in double quotes, a number, true, false or null",
    'templates/index.json:3:1 error template: invalid JSON: expected "," or a closing bracket',
  ]);
});

const correctSchema = {
  name: "a",
  settings: [
    { type: "header", content: "Words" },
    { type: "text", id: "title", default: "x" },
    { type: "image", id: "logo.png", "max-width": 200 },
    { type: "checkbox", id: "on", default: true },
    { type: "range", id: "size", min: 0, max: 1, step: 0.1, default: 0.3 },
    { type: "select", id: "side", options: [{ value: "left" }], default: "left" },
    { type: "product", id: "product" },
  ],
  blocks: [{ type: "quote", name: "Quote", settings: [{ type: "text", id: "title" }] }, { type: "@theme" }],
  presets: [
    { name: "p", settings: { title: "t" }, blocks: [{ type: "quote", settings: { title: "x" } }, { type: "box" }] },
  ],
};

test("check reports nothing for a valid schema and a template that uses it", (t) => {
  const findings = findingsOf(t, {
    "sections/a.liquid": createSection(correctSchema),
    "blocks/box.liquid": createSection({ settings: [{ type: "text", id: "text" }], blocks: [{ type: "@theme" }] }),
    "templates/index.json": `/* written by an editor */ ${JSON.stringify({
      sections: {
        one: {
          type: "a",
          settings: { title: "x" },
          blocks: {
            q: { type: "quote", settings: { title: "x" } },
            b: { type: "box", settings: { text: "x" }, blocks: { c: { type: "box" } }, block_order: ["c"] },
          },
          block_order: ["q", "b"],
        },
      },
      order: ["one"],
    })}`,
  });
  assert.deepEqual(findings, []);
});

test("check reports names in a template or group that the theme lacks", (t) => {
  const findings = findingsOf(t, {
    "sections/a.liquid": createSection(correctSchema),
    "blocks/box.liquid": "",
    "sections/top-group.json": '{"sections":{"x":{"type":"b"},"y":{}},"order":["x","y","z"]}',
    "templates/index.json":
      '{"layout":"bare","sections":{"one":{"type":"a",\n"settings":{"titel":1},\n"blocks":{"q":{"type":"qote"},\n"r":{"type":"quote","settings":{"t":1}}},"block_order":["q","rr"]}},"order":["one","on"]}',
  });
  assert.deepEqual(findings, [
    "sections/top-group.json:1:26 error template: no file sections/b.liquid",
    'sections/top-group.json:1:31 error template: section "y" has no "type"',
    'sections/top-group.json:1:56 error template: "order" names "z", which is not in "sections"',
    "templates/index.json:1:11 error template: no file layout/bare.liquid",
    'templates/index.json:2:13 warning template: the schema of sections/a.liquid has no setting "titel": did you mean "title"?',
    'templates/index.json:3:23 error template: the schema of sections/a.liquid has no block of type "qote": did you mean "quote"?',
    'templates/index.json:4:33 warning template: block "quote" of the schema of sections/a.liquid has no setting "t"',
    'templates/index.json:4:61 error template: "block_order" names "rr", which is not in "blocks"',
    'templates/index.json:4:84 error template: "order" names "on", which is not in "sections"',
  ]);
});
