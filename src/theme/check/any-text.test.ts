import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { findingsOf } from "./theme-files.fixture.ts";

const pieces = [
  "{{",
  "}}",
  "{%",
  "-%}",
  "{% if a %}",
  "{% else %}",
  "{% endif %}",
  "{% for x in y %}",
  "{% endfor %}",
  "{% case a %}{% when 'b', c %}",
  "{% endcase %}",
  "{% liquid\n",
  "assign a = b | c: d, e: f\n",
  "{% assign a = ",
  "{% render 's', a: ",
  "{% comment %}",
  "{% raw %}",
  "{% endraw %}",
  "{% schema %}{",
  "{% endschema %}",
  "a[b[0].c].d",
  "| t: x",
  "'",
  '"',
  "(1..3)",
  " ",
  "\n",
  "é",
];

test("for any text in a file, check ends and its locations are in the file", (t) => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((chunks) => chunks.join(""));
  fc.assert(
    fc.property(text, text, (section, snippet) => {
      const lines = Math.max(section.split("\n").length, snippet.split("\n").length);
      const files = { "sections/a.liquid": section, "snippets/s.liquid": snippet, "templates/index.json": section };
      for (const finding of findingsOf(t, files)) {
        const [, file, line = "1"] = /^([\w./-]+?)(?::(\d+))?(?::\d+)? (?:error|warning) [\w-]+: /.exec(finding) ?? [];
        assert.ok(file !== undefined && Number(line) >= 1 && Number(line) <= lines, finding);
      }
    }),
    { numRuns: 60 },
  );
});
