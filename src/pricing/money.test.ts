import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  formatDecimalMoney,
  formatMoney,
  formatTypedMoney,
  getMinorUnit,
  parseMoney,
  parseTypedMoney,
} from "./money.ts";

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
  const endless = `1.${"0".repeat(1_000)}`;
  for (const text of ["", "-1", "1.999", "1e3", "0x10", "1,5", "abc", "99999999999999999", endless]) {
    assert.equal(parseMoney(text, "USD"), undefined, text);
  }
  assert.equal(parseMoney("1.500", "USD"), 150);
  assert.equal(parseMoney("7.0", "JPY"), 7);
});

test("a typed amount is read in either notation, and rejected if it could be two amounts", () => {
  const amounts: Readonly<Record<string, readonly (readonly [text: string, amount: number | undefined])[]>> = {
    "EUR de": [
      ["4,90", 490],
      ["4.90", 490],
      ["4,9", 490],
      ["1.234", 123_400],
      ["1,234", undefined],
    ],
    "EUR en": [
      ["4,90", 490],
      ["4.90", 490],
      ["1,234", 123_400],
      ["1.234", undefined],
      ["1.230", undefined],
    ],
    "EUR fr": [
      ["1\u202f234,50", 123_450],
      ["1 234", 123_400],
      ["12 34", undefined],
      ["0.125", undefined],
    ],
    "USD ar": [
      ["1.234.567,80", 123_456_780],
      ["1,234,567.8", 123_456_780],
      ["1,234.567", undefined],
      ["1234,567", undefined],
    ],
    "CHF de": [
      ["1'234.50", 123_450],
      ["1’234,50", 123_450],
      ["1.23.4", undefined],
      ["1.234.5", undefined],
    ],
    "KWD en": [
      ["1.250", 1_250],
      ["1,250", undefined],
      ["1,25", 1_250],
      ["1,250.500", 1_250_500],
    ],
    "KWD de": [
      ["1,250", 1_250],
      ["1.250", undefined],
      ["1.250.000", 1_250_000_000],
    ],
    "JPY en": [
      ["1,250", 1_250],
      ["1.250", undefined],
      ["12,50", undefined],
      ["1250", 1_250],
    ],
  };
  for (const [setting, cases] of Object.entries(amounts)) {
    const [currency = "", language = ""] = setting.split(" ");
    for (const [text, amount] of cases)
      assert.equal(parseTypedMoney(text, currency, language), amount, `${text} ${setting}`);
  }
});

test("an amount in a form field has the decimal mark of the language, and is parsed to the same amount", () => {
  assert.equal(formatTypedMoney(490, "EUR", "de"), "4,90");
  assert.equal(formatTypedMoney(490, "EUR", "en"), "4.90");
  const languages = ["ar", "de", "en", "fr", "ja", "pt-BR", "th"];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 50 }),
      fc.constantFrom("JPY", "USD", "KWD"),
      fc.constantFrom(...languages),
      (amount, currency, language) => {
        assert.equal(parseTypedMoney(formatTypedMoney(amount, currency, language), currency, language), amount);
      },
    ),
  );
});
