import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type DecimalSign, readLocalizedNumber } from "./local-number.ts";

const locales = ["en", "de", "de-CH", "fr", "ja", "pl", "sv", "pt-BR"];

test("a number in the notation of any country is read exactly once the column's decimal separator is known", () => {
  const cases = fc.record({
    thousandths: fc.oneof(fc.integer({ min: -9_999, max: 9_999 }), fc.integer({ min: -900_000_000, max: 900_000_000 })),
    digits: fc.constantFrom(0, 1, 2, 3),
    locale: fc.constantFrom(...locales),
  });
  fc.assert(
    fc.property(cases, ({ thousandths, digits, locale }) => {
      const value = Math.round(thousandths / 10 ** (3 - digits)) / 10 ** digits;
      const format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
      const sign = format.formatToParts(0.5 * 10 ** -digits + 1.5).find(({ type }) => type === "decimal")?.value ?? "";
      const decimalSign = sign === "" ? (locale === "de" || locale === "pt-BR" ? "," : ".") : sign;
      const text = format.format(value).replace("\u2212", "-");
      assert.deepEqual(
        readLocalizedNumber(text, decimalSign as DecimalSign, "thousands")?.value,
        value === 0 ? 0 : value,
        text,
      );
    }),
    { numRuns: 3_000 },
  );
});

test("an ambiguous number is read as thousands or decimals, and the choice is reported", () => {
  const readNumber = (text: string, sign?: DecimalSign) => {
    const { value, ambiguityNote: guess } = readLocalizedNumber(text, sign, "thousands") ?? {};
    return [value, guess === undefined];
  };
  assert.deepEqual(readNumber("1,000"), [1_000, false]);
  assert.deepEqual(readNumber("2.000"), [2_000, false]);
  assert.deepEqual(readNumber("2.000", "."), [2, false]);
  assert.deepEqual(readNumber("0.250"), [0.25, true]);
  assert.deepEqual(readNumber("1.234.567"), [1_234_567, true]);
  assert.deepEqual(readNumber("1 000"), [1_000, true]);
  assert.deepEqual(readNumber("1,5"), [1.5, true]);
  assert.equal(readLocalizedNumber("1,200", undefined, "decimals")?.value, 1.2);
  assert.match(
    readLocalizedNumber("1,200", undefined, "decimals")?.ambiguityNote ?? "",
    /is read as the decimal sign: 1$/,
  );
  for (const text of ["", ".", "1.2.3", "1,2,3", "12,34,567", "one", "1e3", "9999999999", "1.5.000"])
    assert.equal(readLocalizedNumber(text, undefined, "thousands"), undefined, text);
});
