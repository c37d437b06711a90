import assert from "node:assert/strict";
import { test } from "node:test";
import { createAttribution } from "./attribution.ts";

const NOW = Date.UTC(2026, 0, 1);
const visit = { visitor: "v", page: "/search?q=hat", address: "", at: NOW };
const search = { kind: "searched", q: "hat", locale: "en", isFound: true } as const;

test("a click on a product belongs to the search that its page shows; an add to cart on any page, and an order, to the search of the click", () => {
  const attribution = createAttribution();
  const { findAttributedSearch: attribute } = attribution;
  const clickEvent = { ...visit, kind: "clicked", product: "hat" } as const;
  const addEvent = { ...visit, kind: "added", product: "hat", page: "/products/hat" } as const;
  attribution.recordSearch({ ...visit, ...search, q: "ha" });
  attribution.recordSearch({ ...visit, ...search });
  assert.equal(attribute({ ...clickEvent, page: "/collections/hats" }), undefined);
  assert.equal(attribute({ ...clickEvent, visitor: "other" }), undefined);
  assert.equal(attribute(addEvent), undefined);
  assert.deepEqual(attribute(clickEvent), search);
  assert.deepEqual(attribute(addEvent), search);
  assert.deepEqual(attribute({ ...addEvent, product: "cap", page: visit.page }), search, "from the results directly");
  assert.equal(attribute({ ...addEvent, product: "cap" }), undefined);
  const orderEvent = { ...addEvent, kind: "ordered", page: "/orders", at: NOW + 29 * 60_000 } as const;
  assert.deepEqual(attribute(orderEvent), search);
  assert.equal(attribute({ ...orderEvent, product: "glove" }), undefined, "never added to the cart");
  assert.equal(attribute({ ...orderEvent, at: NOW + 31 * 60_000 }), undefined, "half an hour after it was added");
  assert.equal(attribute({ ...clickEvent, at: NOW + 31 * 60_000 }), undefined, "half an hour later");
});

test("memory is limited: the last ten thousand visitors, and the last eight pages of each", () => {
  const attribution = createAttribution();
  const clickEvent = (visitor: string, page: string) =>
    attribution.findAttributedSearch({ ...visit, kind: "clicked", product: "hat", visitor, page });
  for (let n = 0; n < 20; n += 1) attribution.recordSearch({ ...visit, ...search, page: `/search?q=hat&page=${n}` });
  assert.equal(clickEvent("v", "/search?q=hat&page=11"), undefined);
  assert.deepEqual(clickEvent("v", "/search?q=hat&page=12"), search);
  for (let n = 0; n < 10_000; n += 1) attribution.recordSearch({ ...visit, ...search, visitor: `visitor ${n}` });
  assert.equal(clickEvent("v", "/search?q=hat&page=12"), undefined);
  assert.deepEqual(clickEvent("visitor 0", visit.page), search);
});
