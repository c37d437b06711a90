import assert from "node:assert/strict";
import test from "node:test";
import { splitSource } from "./source.ts";

test("data blocks are removed, line numbers stay, and dashes trim", () => {
  const source = splitSource("a\n{%- schema -%}\n{}\n{% endschema -%}\nb{% doc %}{{{% enddoc %}c");
  assert.equal(source.schema, "\n{}\n");
  assert.equal(source.liquid, "a\n{%- #\n\n -%}\nb{% # %}c");
});

test("an unclosed block stays, to be reported by the parser", () => {
  assert.equal(splitSource("a{% schema %}b").liquid, "a{% schema %}b");
  assert.equal(splitSource("{% doc %}".repeat(20_000)).schema, undefined);
});
