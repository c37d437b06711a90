import assert from "node:assert/strict";
import { test } from "node:test";
import { normalizeCountableTerm } from "./countable-term.ts";

test("personal texts are not countable; case, width and spaces of others do not matter", () => {
  const personalTexts = [
    "mate@example.test",
    "mate at example dot test",
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "+44 20 7946 0958",
    "(030) 1234567",
    "٠١٢٣٤٥٦٧٨٩",
    "a".repeat(41),
    "do you have this in my size",
    "x".repeat(100_000),
    "",
    " \n ",
    "\ud800",
  ];
  for (const text of personalTexts) assert.equal(normalizeCountableTerm(text), undefined, text.slice(0, 50));
  assert.equal(normalizeCountableTerm("  Ｒain\tCoat "), "rain coat");
  assert.equal(normalizeCountableTerm("usb 3.0 cable 200 cm"), "usb 3.0 cable 200 cm");
  assert.equal(normalizeCountableTerm("雨衣"), "雨衣");
});
