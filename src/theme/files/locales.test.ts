import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { createTranslator, parseLocale } from "./locales.ts";

const englishTexts = parseLocale(
  '{"a":{"b":"one"},"n":{"one":"{{ count }} thing","other":"{{count}} things"},"only":"English"}',
);
const frenchTexts = parseLocale('{"a":{"b":"un"},"n":{"one":"{{ count }} chose","other":"{{ count }} choses"}}');
const translate = createTranslator([
  ["fr", frenchTexts],
  ["en", englishTexts],
]);

test("a missing text falls back to the next language, with plurals by the rules of that language", () => {
  assert.equal(translate("a.b")?.html, "un");
  assert.equal(translate("only")?.html, "English");
  assert.equal(translate("n", new Map([["count", 0]]))?.html, "0 chose");
  assert.equal(translate("n", new Map([["count", 2]]))?.html, "2 choses");
  assert.equal(translate("n"), undefined);
  assert.equal(translate("a"), undefined);
});

test("inserted values are escaped, except in keys that end in _html", () => {
  const texts = parseLocale('{"x":"<{{ v }}>","y_html":"<i>{{ v }}</i>"}');
  const fill = createTranslator([["en", texts]]);
  fc.assert(
    fc.property(fc.string(), (value) => {
      const values = new Map([["v", value]]);
      assert.doesNotMatch(fill("x", values)?.html ?? "<", /[<>"']/);
      assert.equal(fill("y_html", values)?.html, `<i>${value}</i>`);
    }),
  );
});

test("placeholders without a value are empty, or stay", () => {
  const fill = createTranslator([["en", parseLocale('{"x":"{{ count }} of {{max}} <{{ unit }}>"}')]]);
  assert.equal(fill("x", new Map())?.html, " of  &lt;&gt;");
  assert.equal(fill("x", new Map(), true)?.html, "{{ count }} of {{max}} &lt;{{ unit }}&gt;");
  assert.equal(fill("x", new Map([["max", undefined]]), true)?.html, "{{ count }} of  &lt;{{ unit }}&gt;");
});

test("a locale file without an object is rejected", () => {
  assert.throws(() => parseLocale("[]"));
  assert.throws(() => parseLocale("{"));
  assert.equal(parseLocale('{"__proto__":{"x":"y"}}').get("__proto__.x"), "y");
});
