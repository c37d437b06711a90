import assert from "node:assert/strict";
import { test } from "node:test";
import { type Click, packClicks } from "./click-boosts.ts";

const click = (text: string, id: number, weight: number): Click<number> => ({ locale: "en", text, id, weight });

test("a query counts its own clicks, and a prefix the clicks of all queries that it may become", () => {
  const clicks = packClicks([
    click("boots", 7, 80),
    click("boot", 7, 30),
    click("boot", 9, 55),
    click("rain coat", 12, 200),
  ]);
  const found = (text: string, locale = "en") =>
    clicks.find(text, locale).map(({ id, points }) => `${id} ${(points / 2).toFixed(2)}`);
  assert.deepEqual(found("boots"), ["7 0.67"]);
  assert.deepEqual(found("Boot"), ["9 0.58", "7 0.32"]);
  assert.deepEqual(found("boo"), ["7 0.73", "9 0.37"]);
  assert.deepEqual(found("  Rain-Coat "), ["12 0.83"], "spellings share a key");
  assert.deepEqual(found("bo"), [], "two letters are too few");
  assert.deepEqual(found("boots red"), []);
  assert.deepEqual(found("oot"), []);
  assert.deepEqual(found(""), []);
  assert.deepEqual(found("boots", "fr"), []);
});

test("a prefix of very many queries finds nothing, and at most ten documents are found", () => {
  const many = Array.from({ length: 70 }, (_, n) => click(`lamp ${n}`, n, 30));
  const clicks = packClicks(many);
  assert.deepEqual(clicks.find("lamp", "en"), []);
  assert.equal(clicks.find("lamp 1", "en").length, 1);
  assert.equal(packClicks(many.map((one) => ({ ...one, text: "lamp" }))).find("lam", "en").length, 10);
});
