import assert from "node:assert/strict";
import { test } from "node:test";
import { packClicks } from "./click-boosts.ts";
import type { ClickedProduct } from "./signals.ts";

const click = (text: string, id: number, weight: number): ClickedProduct => ({
  locale: "en",
  text,
  id: String(id),
  weight,
});

test("a query counts its own clicks, and a prefix the clicks of all queries that it may become", () => {
  const clicks = packClicks([
    click("boots", 7, 80),
    click("boot", 7, 30),
    click("boot", 9, 55),
    click("rain coat", 12, 200),
  ]);
  const productIds = (text: string, locale = "en") =>
    clicks.find(text, locale).map(({ id, points }) => `${id} ${(points / 2).toFixed(2)}`);
  assert.deepEqual(productIds("boots"), ["7 0.67"]);
  assert.deepEqual(productIds("Boot"), ["9 0.58", "7 0.32"]);
  assert.deepEqual(productIds("boo"), ["7 0.73", "9 0.37"]);
  assert.deepEqual(productIds("  Rain-Coat "), ["12 0.83"], "spellings share a key");
  assert.deepEqual(productIds("bo"), [], "two letters are too few");
  assert.deepEqual(productIds("boots red"), []);
  assert.deepEqual(productIds("oot"), []);
  assert.deepEqual(productIds(""), []);
  assert.deepEqual(productIds("boots", "fr"), []);
});

test("a prefix of very many queries finds nothing, and at most ten documents are found", () => {
  const manyClicks = Array.from({ length: 70 }, (_, n) => click(`lamp ${n}`, n, 30));
  const clicks = packClicks(manyClicks);
  assert.deepEqual(clicks.find("lamp", "en"), []);
  assert.equal(clicks.find("lamp 1", "en").length, 1);
  assert.equal(packClicks(manyClicks.map((click) => ({ ...click, text: "lamp" }))).find("lam", "en").length, 10);
});
