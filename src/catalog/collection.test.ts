import assert from "node:assert/strict";
import { test } from "node:test";
import { createRuleMatcher, matchesRules } from "./collection.ts";

const coat = { vendor: "Ansty", productType: "Coats", tags: ["Rain", "yellow"] };

test("a rule by tag holds for a product with other tags too, whatever the case", () => {
  assert.ok(matchesRules({ tag: "rain" }, coat));
  assert.ok(matchesRules({ tag: " YELLOW" }, coat));
  assert.ok(!matchesRules({ tag: "red" }, coat));
  assert.ok(!matchesRules({ tag: "rain" }, { ...coat, tags: [] }));
});

test("all rules of a collection must hold, and one without rules holds nothing", () => {
  assert.ok(matchesRules({ vendor: "ansty", productType: "coats", tag: "rain" }, coat));
  for (const rules of [{ vendor: "Cobb", tag: "rain" }, { productType: "Hats", tag: "rain" }, {}])
    assert.ok(!matchesRules(rules, coat));
});

test("the matcher finds the collections that each rule would find alone", () => {
  const rules = [{ tag: "yellow" }, { vendor: "Cobb" }, { vendor: "Ansty", tag: "rain" }, {}, { productType: "coats" }];
  const collections = rules.map((one, id) => ({
    ...{ kind: "collection" as const, id: String(id), handle: String(id), title: "", description: "" },
    ...{ products: [], published: true, translations: {}, rules: one },
  }));
  assert.deepEqual(createRuleMatcher([...collections, undefined])(coat), [0, 2, 4]);
});
