import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { JsonFault, type JsonNode, member, readJsonTree, textValue } from "./json-tree.ts";

function plain(node: JsonNode): unknown {
  if (node.kind === "plain") return node.value;
  if (node.kind === "list") return node.items.map(plain);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
}

function attempt<T>(read: () => T): T | "fault" {
  try {
    return read();
  } catch {
    return "fault";
  }
}

test("a tree holds what JSON.parse reads", () => {
  fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(plain(readJsonTree(text)), JSON.parse(text))));
});

test("a text is JSON to both or to neither, but for comments and needless commas", () => {
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
    "\\",
    "0.5e1",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (some) => {
      const text = some.join("");
      assert.deepEqual(
        attempt(() => plain(readJsonTree(text))),
        attempt(() => JSON.parse(text)),
      );
    }),
    { numRuns: 2_000 },
  );
});

test("comments and needless commas may stand in it, and each value knows its place", () => {
  const text = '/* x */ {"a": [1, // one\n 2,], "b": "//no",}';
  const tree = readJsonTree(text);
  assert.deepEqual(plain(tree), { a: [1, 2], b: "//no" });
  assert.equal(text.slice(member(tree, "b")?.at).startsWith('"//no"'), true);
  assert.equal(textValue(member(tree, "b")), "//no");
});

test("a fault knows its place, in a file however deep", () => {
  assert.throws(
    () => readJsonTree('{"a" 1}'),
    (fault) => fault instanceof JsonFault && fault.at === 5,
  );
  assert.throws(() => readJsonTree("[".repeat(100_000)), /deep in one another/);
});
