import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { getMember, getTextValue, JsonError, readJsonTree, toPlainJson } from "./json-tree.ts";

function tryParse<T>(parse: () => T): T | "fault" {
  try {
    return parse();
  } catch {
    return "fault";
  }
}

test("a tree equals the result of JSON.parse", () => {
  fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(toPlainJson(readJsonTree(text)), JSON.parse(text))));
});

test("both parsers accept the same texts, except comments, trailing commas, and needless backslashes", () => {
  const parts = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    '"a"',
    "1",
    "-",
    "true",
    "null",
    " ",
    "\n",
    '"',
    "\\n",
    "\\\\",
    "0.5e1",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (chunks) => {
      const text = chunks.join("");
      assert.deepEqual(
        tryParse(() => toPlainJson(readJsonTree(text))),
        tryParse(() => JSON.parse(text)),
      );
    }),
    { numRuns: 2_000 },
  );
});

test("comments and trailing commas are accepted, and each value has its location", () => {
  const text = '/* x */ {"a": [1, // one\n 2,], "b": "//no",}';
  const tree = readJsonTree(text);
  assert.deepEqual(toPlainJson(tree), { a: [1, 2], b: "//no" });
  assert.equal(text.slice(getMember(tree, "b")?.offset).startsWith('"//no"'), true);
  assert.equal(getTextValue(getMember(tree, "b")), "//no");
});

test("a backslash before a letter that needs none is ignored, and the locations stay correct", () => {
  const text = `{"a": "it\\'s \\\\ \\"\\d\\"", "b": "\\u0041\\n",}`;
  const tree = readJsonTree(text);
  assert.deepEqual(toPlainJson(tree), { a: `it's \\ "d"`, b: "A\n" });
  assert.equal(getMember(tree, "b")?.offset, text.indexOf('"\\u0041'));
});

test("unexpected text in invalid JSON is described in the error", () => {
  const invalidTexts: readonly (readonly [text: string, message: string, at: number])[] = [
    ["", "the text ends too early: expected a value", 0],
    ["{'a': 1}", "strings and names need double quotes", 1],
    ['{"a": 1 "b": 2}', 'expected "," or a closing bracket', 8],
    ['{"a": "b\n"}', "a string does not end on its line", 6],
    ['{"a": 1}}', "nothing may follow the JSON value", 8],
    ['{"a": "\t"}', "a string contains a tab or another control character", 6],
    ["/* {", 'a comment has no end "*/"', 0],
    ['\uFEFF{"a": 01}', 'expected "," or a closing bracket', 8],
  ];
  for (const [text, message, at] of invalidTexts)
    assert.throws(
      () => readJsonTree(text),
      (fault) => fault instanceof JsonError && fault.message.startsWith(message) && fault.offset === at,
      text,
    );
});

test("names of built-in object properties are ordinary names", () => {
  assert.deepEqual(toPlainJson(readJsonTree('{"__proto__": {"a": 1},}')), JSON.parse('{"__proto__": {"a": 1}}'));
});

test("an error has its location, in a file of any depth", () => {
  assert.throws(
    () => readJsonTree('{"a" 1}'),
    (fault) => fault instanceof JsonError && fault.offset === 5,
  );
  assert.throws(() => readJsonTree("[".repeat(100_000)), /levels deep/);
});
