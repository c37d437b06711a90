import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findJsonError } from "./body.ts";

test("JSON within the depth limit and without duplicate names has no error", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      for (const space of [0, 2]) assert.equal(findJsonError(JSON.stringify(value, null, space), 20), undefined);
    }),
  );
});

test("brackets in strings do not count as depth", () => {
  assert.equal(findJsonError(`${"[".repeat(20)}${"]".repeat(20)}`, 20), undefined);
  assert.match(findJsonError("[".repeat(21), 20) ?? "", /20 levels/);
  assert.equal(findJsonError(`["${"[".repeat(50)}"]`, 20), undefined);
  assert.equal(findJsonError(`["\\"${"{".repeat(50)}"]`, 20), undefined);
});

test("a duplicate name in an object is reported, in any escaping", () => {
  for (const text of ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"x":{"b":1,"c":[{}],"b":2}}', '{"a" :1,"a"\n:2}'])
    assert.match(findJsonError(text, 20) ?? "", /repeats a name/);
  for (const text of ['{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"a"}', '{"a":["a","a"]}'])
    assert.equal(findJsonError(text, 20), undefined);
});

test("malformed text neither throws nor hangs", () => {
  fc.assert(fc.property(fc.string(), (text) => void findJsonError(text, 20)));
  for (const text of ['"', '{"\\', "}}}", '{"a":"\\']) findJsonError(text, 20);
});
