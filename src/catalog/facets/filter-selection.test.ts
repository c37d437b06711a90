import assert from "node:assert/strict";
import test from "node:test";
import { parseFilters } from "./filter-selection.ts";

test("a currency without decimals accepts whole amounts", () => {
  const choice = parseFilters(new URLSearchParams("filter.v.price.gte=1200&filter.v.price.lte=99.5"), "JPY");
  assert.deepEqual([choice.priceFrom, choice.priceTo], [1200, undefined]);
});

test("option names match in any case, and unknown parameters are ignored", () => {
  const query =
    "filter.v.option.Shoe+Size=42&filter.v.option.shoe+size=43&filter.p.nothing=1&filter.v.availability=yes&q=a";
  const { values, availability } = parseFilters(new URLSearchParams(query), "USD");
  assert.deepEqual([...values], [["filter.v.option.shoe size", new Set(["42", "43"])]]);
  assert.equal(availability.size, 0);
});
