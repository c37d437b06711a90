import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatDecimalMoney, formatMoney, getMinorUnit, parseMoney } from "./money.ts";

test("2.3 a currency has its ISO minor unit: none, hundredths or thousandths", () => {
  assert.deepEqual(["JPY", "USD", "KWD", "IQD", "KRW", "EUR"].map(getMinorUnit), [0, 2, 3, 3, 0, 2]);
});

test("an amount is formatted with the decimals of its currency, in the reader's language", () => {
  assert.equal(formatMoney(123_450, "USD", "en"), "$1,234.50");
  assert.equal(formatMoney(1_999, "JPY", "ja"), "￥1,999");
  assert.equal(formatMoney(1_999, "KWD", "en").replace(/\s/u, " "), "KWD 1.999");
  assert.equal(formatMoney(14_800, "USD", "ar"), "\u200f148.00\u00a0US$\u200e", "the sign stays with its letters");
  assert.equal(formatDecimalMoney(-5, "USD"), "-0.05");
  assert.equal(formatDecimalMoney(5, "KWD"), "0.005");
});

test("a formatted decimal parses to the same amount, of any size", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 50 }), fc.constantFrom("JPY", "USD", "KWD"), (amount, currency) => {
      assert.equal(parseMoney(formatDecimalMoney(amount, currency), currency), amount);
    }),
  );
});

test("a text that is not an amount of the currency is rejected", () => {
  for (const text of ["", "-1", "1.999", "1e3", "0x10", "1,5", "abc", "99999999999999999"]) {
    assert.equal(parseMoney(text, "USD"), undefined, text);
  }
  assert.equal(parseMoney("1.500", "USD"), 150);
  assert.equal(parseMoney("7.0", "JPY"), 7);
});
