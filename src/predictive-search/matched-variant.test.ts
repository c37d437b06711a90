import assert from "node:assert/strict";
import { test } from "node:test";
import type { Product } from "../catalog/product.ts";
import { parseRow } from "../catalog/rows/parse-row.ts";
import { createVariantMatcher } from "./matched-variant.ts";

const parse = (title: string, options: readonly string[], variants: readonly object[]): Product =>
  parseRow({ kind: "product", handle: "p", title, options, variants }, undefined, (field, message) =>
    assert.fail(`${field} ${message}`),
  ) as Product;
const colors = ["Red", "Navy blue"].flatMap((color) =>
  ["1 l", "5 l"].map((size) => ({
    id: `${color[0]}${size[0]}`,
    options: [color, size],
    price: 100,
    sku: `P.${color[0]}-${size[0]}`,
    inventory_quantity: color === "Red" && size === "1 l" ? 0 : 3,
  })),
);
const paint = parse("Wall paint", ["Color", "Size"], colors);
const find = (q: string, product = paint): string | undefined => createVariantMatcher(q)(product)?.id;

test("the values of options name a variant, in any notation of quantities", () => {
  for (const [q, id] of [
    ["wall paint navy 5 l", "N5"],
    ["paint blue 5000ml", "N5"],
    ["red wall paint 1 l", "R1"],
    ["paint nav", "N1"],
  ] as const)
    assert.equal(find(q), id, q);
});

test("a size names a variant with or without the word for it", () => {
  const variants = ["7", "8", "Size 9"].map((value, id) => ({ id: id + 1, options: [value], price: 1 }));
  const boot = parse("Boot", ["Size"], variants);
  for (const [q, id] of [
    ["boot size 8", "2"],
    ["boot sz. 8", "2"],
    ["boot 9", "3"],
  ] as const)
    assert.equal(find(q, boot), id, q);
});

test("an available variant is preferred among equal ones", () => {
  assert.equal(find("red paint"), "R5");
});

test("an SKU names a variant without regard to its punctuation", () => {
  for (const q of ["P.N-1", "p n 1", "PN1"]) assert.equal(find(q), "N1", q);
});

test("a search that fits all variants, or none, names no variant", () => {
  for (const q of ["wall paint", "paint na", "green paint", "", "paint 7 l"]) assert.equal(find(q), undefined, q);
  const same = parse(
    "Red hat",
    ["Size"],
    ["Red S", "Blue M"].map((value, id) => ({ id: id + 1, options: [value], price: 1 })),
  );
  assert.equal(find("red hat", same), undefined);
  assert.equal(find("red hat blue", same), "2");
  const single = parse("Hat", ["Size"], [{ id: 1, options: ["S"], price: 1 }]);
  assert.equal(find("hat s", single), undefined);
});
