import assert from "node:assert/strict";
import { test } from "node:test";
import { createAttribution } from "./attribution.ts";

const NOW = Date.UTC(2026, 0, 1);
const visit = { visitor: "v", page: "/search?q=hat", address: "", at: NOW };
const search = { kind: "searched", q: "hat", locale: "en", isFound: true } as const;

test("a click on a product belongs to the search that its page shows; an add to cart on any page, to the search of the click", () => {
  const attribution = createAttribution();
  const { searchBefore } = attribution;
  const click = { ...visit, kind: "clicked", product: "hat" } as const;
  const add = { ...visit, kind: "added", product: "hat", page: "/products/hat" } as const;
  attribution.searched({ ...visit, ...search, q: "ha" });
  attribution.searched({ ...visit, ...search });
  assert.equal(searchBefore({ ...click, page: "/collections/hats" }), undefined);
  assert.equal(searchBefore({ ...click, visitor: "other" }), undefined);
  assert.equal(searchBefore(add), undefined);
  assert.deepEqual(searchBefore(click), search);
  assert.deepEqual(searchBefore(add), search);
  assert.deepEqual(searchBefore({ ...add, product: "cap", page: visit.page }), search, "from the results directly");
  assert.equal(searchBefore({ ...add, product: "cap" }), undefined);
  assert.equal(searchBefore({ ...click, at: NOW + 31 * 60_000 }), undefined, "half an hour later");
});

test("memory is limited: the last ten thousand visitors, and the last eight pages of each", () => {
  const attribution = createAttribution();
  const click = (visitor: string, page: string) =>
    attribution.searchBefore({ ...visit, kind: "clicked", product: "hat", visitor, page });
  for (let n = 0; n < 20; n += 1) attribution.searched({ ...visit, ...search, page: `/search?q=hat&page=${n}` });
  assert.equal(click("v", "/search?q=hat&page=11"), undefined);
  assert.deepEqual(click("v", "/search?q=hat&page=12"), search);
  for (let n = 0; n < 10_000; n += 1) attribution.searched({ ...visit, ...search, visitor: `visitor ${n}` });
  assert.equal(click("v", "/search?q=hat&page=12"), undefined);
  assert.deepEqual(click("visitor 0", visit.page), search);
});
