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

test("the tags of data blocks inside comments and raw text are text", () => {
  for (const [opening, closing] of [
    ["{%- comment -%}", "{%- endcomment -%}"],
    ["{% comment %}{% comment %}{% endcomment %}", "{% endcomment %}"],
    ["{% comment %}{% raw %}{% endcomment %}{% endraw %}", "{% endcomment %}"],
    ["{% raw %}", "{% endraw %}"],
  ]) {
    const text = `${opening}styles are in {% stylesheet %}${closing}a`;
    const source = splitSource(`${text}{% stylesheet %}p {}{% endstylesheet %}`);
    assert.equal(source.liquid.startsWith(text), true, text);
    assert.equal(source.stylesheet, "p {}\n");
  }
  assert.equal(splitSource("{% comment %}{% schema %}{}{% endschema %}").schema, "{}");
});
