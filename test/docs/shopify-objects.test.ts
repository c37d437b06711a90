import assert from "node:assert/strict";
import { test } from "node:test";
import { shopifyObjectsText } from "../../scripts/shopify-objects.ts";

const empty = { fields: {}, sameType: {}, undeclaredFields: {}, reasons: {} };

test("the table of Shopify's objects lists each field by its state, with reasons", () => {
  const data = {
    fields: { page: "title author gone", discount: "title", forloop: "index" },
    sameType: { discount: "discount_application" },
    undeclaredFields: { forloop: "index" },
    reasons: { "not stored": "page.author page.gone" },
  };
  const rows = shopifyObjectsText(data)
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  assert.deepEqual(rows, [
    "| `page` | `title` | `author` | `gone` | not stored |",
    "| `discount` | `title` |  |  |  |",
    "| `forloop` | `index` |  |  |  |",
  ]);
});

test("the table of Shopify's objects requires a reason for exactly the fields without a value", () => {
  assert.throws(() => shopifyObjectsText({ ...empty, fields: { page: "gone" } }), /no reason for page\.gone/);
  const reasons = { "not stored": "page.title" };
  assert.throws(
    () => shopifyObjectsText({ ...empty, fields: { page: "title" }, reasons }),
    /have a value: page\.title/,
  );
});
