import assert from "node:assert/strict";
import { test } from "node:test";
import { createRuleMatcher, matchesRules } from "./collection.ts";

const coat = { vendor: "Ansty", productType: "Coats", tags: ["Rain", "yellow"] };

test("a tag rule matches a product with other tags too, in any case", () => {
  assert.ok(matchesRules({ tag: "rain" }, coat));
  assert.ok(matchesRules({ tag: " YELLOW" }, coat));
  assert.ok(!matchesRules({ tag: "red" }, coat));
  assert.ok(!matchesRules({ tag: "rain" }, { ...coat, tags: [] }));
});

test("a product must match all rules of a collection, and a collection without rules is empty", () => {
  assert.ok(matchesRules({ vendor: "ansty", productType: "coats", tag: "rain" }, coat));
  for (const rules of [{ vendor: "Cobb", tag: "rain" }, { productType: "Hats", tag: "rain" }, {}])
    assert.ok(!matchesRules(rules, coat));
});

test("the matcher finds the collections that a separate check of each rule finds", () => {
  const rules = [{ tag: "yellow" }, { vendor: "Cobb" }, { vendor: "Ansty", tag: "rain" }, {}, { productType: "coats" }];
  const collections = rules.map((rule, id) => ({
    ...{ kind: "collection" as const, id: String(id), handle: String(id), title: "", description: "" },
    ...{ products: [], published: true, translations: {}, rules: rule },
  }));
  assert.deepEqual(createRuleMatcher([...collections, undefined])(coat), [0, 2, 4]);
});
