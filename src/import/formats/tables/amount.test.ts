import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatDecimalMoney, getMinorUnit } from "../../../pricing/money.ts";
import { readAmount } from "./amount.ts";

const locales = ["en", "de", "de-CH", "en-IN", "fr", "ja", "pl", "sv", "pt-BR"];

test("an amount in the notation of any country is read exactly or rejected, never misread", () => {
  const cases = fc.record({
    amount: fc.oneof(fc.nat(99_999), fc.nat(2_000_000_000)),
    currency: fc.constantFrom("EUR", "USD", "JPY", "KWD"),
    locale: fc.constantFrom(...locales),
    style: fc.constantFrom("decimal" as const, "currency" as const),
  });
  let readCount = 0;
  fc.assert(
    fc.property(cases, ({ amount, currency, locale, style }) => {
      const digits = getMinorUnit(currency);
      const bounds = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      const format = new Intl.NumberFormat(locale, { style, currency, ...bounds });
      const text = format.format(formatDecimalMoney(amount, currency) as Intl.StringNumericLiteral);
      const result = readAmount(text, currency);
      if ("error" in result) return;
      readCount += 1;
      assert.equal(result.amount, amount, text);
    }),
    { numRuns: 2_000, seed: 1 },
  );
  assert.ok(readCount > 1_200, `${readCount} of 2,000 were read`);
});

test("an ambiguous amount and an amount in another currency are rejected", () => {
  for (const text of ["1.999", "1,999", "1,23,456", "-5", "5-", "1.2345", "free", "1..5", "1,2,3", "12 EUR EUR"])
    assert.ok("error" in readAmount(text, "EUR"), text);
  for (const [text, currency] of [
    ["9 USD", "EUR"],
    ["€9", "USD"],
    ["1,999", "KWD"],
  ] as const)
    assert.ok("error" in readAmount(text, currency), text);
  for (const [text, currency, amount] of [
    ["9", "EUR", 900],
    ["0,5", "EUR", 50],
    ["9 €", "EUR", 900],
    ["EUR 9.00", "EUR", 900],
    ["1'234.50", "CHF", 123_450],
    ["1,980", "JPY", 1_980],
    ["1980.00", "JPY", 1_980],
  ] as const)
    assert.deepEqual(
      readAmount(text, currency),
      { amount, isLocalFormat: !/^(?:\d+(?:\.00)?|EUR 9.00)$/.test(text) },
      text,
    );
});
