import assert from "node:assert/strict";
import { test } from "node:test";
import { createSearchTrails, type MadeSearch } from "./search-trails.ts";

const MINUTE = 60_000;
const made = (q: string): MadeSearch => ({ q, locale: "en", source: "page" });

test("a product is opened from the search whose results the page shows, and taken from the one it was opened from", () => {
  const trails = createSearchTrails();
  trails.searched("ada", "/search?q=hat", made("hat"), 0);
  trails.searched("ada", "/", made("ca"), MINUTE);
  trails.searched("ada", "/", made("cap"), MINUTE);
  assert.equal(trails.opened("ada", "/search?q=hat", "7", 2 * MINUTE)?.q, "hat");
  assert.equal(trails.opened("ada", "/", "8", 2 * MINUTE)?.q, "cap", "the last search of a page counts");
  assert.equal(trails.opened("ada", "/collections", "9", 2 * MINUTE), undefined);
  assert.equal(trails.opened("bob", "/", "8", 2 * MINUTE), undefined);
  assert.equal(trails.added("ada", "/products/hat", "7", 3 * MINUTE)?.q, "hat");
  assert.equal(trails.added("ada", "/products/scarf", "9", 3 * MINUTE), undefined);
  assert.equal(trails.added("ada", "/search?q=hat", "9", 3 * MINUTE)?.q, "hat", "taken from the results themselves");
});

test("a search is forgotten after half an hour, or after eight others", () => {
  const trails = createSearchTrails();
  trails.searched("ada", "/a", made("a"), 0);
  assert.equal(trails.opened("ada", "/a", "7", 30 * MINUTE)?.q, "a");
  assert.equal(trails.opened("ada", "/a", "7", 31 * MINUTE), undefined);
  for (let n = 0; n < 8; n += 1) trails.searched("ada", `/${n}`, made("b"), 0);
  assert.equal(trails.opened("ada", "/a", "7", 0), undefined);
  assert.equal(trails.opened("ada", "/0", "7", 0)?.q, "b");
  trails.searched("ada", "/long", made("x".repeat(301)), 0);
  assert.equal(trails.opened("ada", "/long", "7", 0), undefined);
});
