import assert from "node:assert/strict";
import test from "node:test";
import { parseJsonTemplate } from "./json-template.ts";

test("sections have the given order, without disabled ones", () => {
  const { sections, layout } = parseJsonTemplate(
    '\uFEFF/* a */ /* b */{"sections":{"a":{"type":"x"},"b":{"type":"y","disabled":true},"c":{"type":"z","settings":{"n":1}}},"order":["c","b","a"]}',
  );
  assert.deepEqual(
    sections.map(({ id, type }) => `${id}:${type}`),
    ["c:z", "a:x"],
  );
  assert.equal(layout, "theme");
});

test("a template has a custom layout, or none", () => {
  assert.equal(parseJsonTemplate('{"layout":false}').layout, false);
  assert.equal(parseJsonTemplate('{"layout":"bare"}').layout, "bare");
});

test("a missing section in the order is ignored", () => {
  const { sections } = parseJsonTemplate(
    '{"sections":{"a":{"type":"x","block_order":["c","b"],"blocks":{"b":{"type":"y"}}}},"order":["gone","toString","a"]}',
  );
  assert.deepEqual(
    sections.map(({ id, blocks }) => [id, blocks.map((block) => block.id)]),
    [["a", ["b"]]],
  );
});

const invalidTemplates: Readonly<Record<string, RegExp>> = {
  "[]": /a template: expected an object/,
  null: /expected an object/,
  '{"sections":[]}': /sections: expected an object/,
  '{"sections":{"a":{}}}': /section "a" has no type/,
  '{"sections":{"a":1}}': /section "a": expected an object/,
  '{"sections":{"a":{"type":"x","blocks":{"b":{}}}}}': /block "b" of "a" has no type/,
  "{": /JSON/,
};

for (const [text, message] of Object.entries(invalidTemplates))
  test(`the error of ${text} is reported`, () => assert.throws(() => parseJsonTemplate(text), { message }));
