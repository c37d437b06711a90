import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { computeTaxes, findTaxCountry, sumAddedTax, type TaxRules } from "./taxes.ts";

const percents = fc.oneof(
  fc.constantFrom(0, 5.5, 7, 19, 20, 25.5, 33.3333, 100),
  fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000),
);
const amounts = fc.oneof(fc.nat(200), fc.integer({ min: 0, max: 2 ** 47 }));
const types = ["", "Books", "Food"];

/** Computes the tax from the definition: the exact fraction, rounded half up. */
function slowTax(amount: number, percent: number, isIncluded: boolean): bigint {
  const [scaledPercent, hundredPercent] = [BigInt(Math.round(percent * 10_000)), 1_000_000n];
  const denominator = isIncluded ? hundredPercent + scaledPercent : hundredPercent;
  const numerator = BigInt(amount) * scaledPercent;
  const quotient = numerator / denominator;
  const remainder = numerator - quotient * denominator;
  return remainder + remainder >= denominator ? quotient + 1n : quotient;
}

test("taxes equal the definition line by line, and every sum is exact to the unit", () => {
  fc.assert(
    fc.property(
      fc.record({
        isIncluded: fc.boolean(),
        standard: percents,
        books: fc.option(percents, { nil: undefined }),
        lines: fc.array(
          fc.record({ amount: amounts, productType: fc.constantFrom(...types), isTaxable: fc.boolean() }),
          { maxLength: 8 },
        ),
        shipping: amounts,
      }),
      ({ isIncluded, standard, books, lines, shipping }) => {
        const rules: TaxRules = {
          pricesIncludeTax: isIncluded,
          rates: { DE: standard },
          reduced: books === undefined ? [] : [{ types: ["Books"], rates: { DE: books } }],
        };
        const taxes = computeTaxes(rules, "DE", lines, shipping);
        assert.ok(taxes);
        const percentOf = (type: string): number => (type === "Books" ? (books ?? standard) : standard);
        const expectedTaxes = lines.map(({ amount, productType, isTaxable }) =>
          isTaxable ? slowTax(amount, percentOf(productType), isIncluded) : 0n,
        );
        assert.deepEqual(taxes.lines.map(BigInt), expectedTaxes);
        assert.equal(BigInt(taxes.shipping), slowTax(shipping, standard, isIncluded));
        const sum = [...taxes.lines, taxes.shipping].reduce((a, b) => a + b, 0);
        assert.equal(taxes.total, sum);
        assert.equal(
          taxes.rates.reduce((total, { amount }) => total + amount, 0),
          sum,
        );
        assert.equal(sumAddedTax(taxes), isIncluded ? 0 : sum);
        if (isIncluded) for (const [n, tax] of taxes.lines.entries()) assert.ok(tax <= (lines[n]?.amount ?? 0));
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a known invoice: 19 % and 7 %, tax added and included", () => {
  const reduced = [{ types: ["Books"], rates: { DE: 7 } }];
  const lines = [
    { amount: 11_900, productType: "Coats", isTaxable: true },
    { amount: 1_070, productType: "Books", isTaxable: true },
    { amount: 500, productType: "Vouchers", isTaxable: false },
  ];
  const includedTaxes = computeTaxes({ pricesIncludeTax: true, rates: { DE: 19 }, reduced }, "DE", lines, 595);
  assert.deepEqual([includedTaxes?.lines, includedTaxes?.shipping, includedTaxes?.total], [[1_900, 70, 0], 95, 2_065]);
  const addedTaxes = computeTaxes({ pricesIncludeTax: false, rates: { DE: 19 }, reduced }, "DE", lines, 595);
  assert.deepEqual(addedTaxes?.rates, [
    { percent: 19, amount: 2_261 + 113 },
    { percent: 7, amount: 75 },
  ]);
});

test("a country without a rate has no tax; the default country is the first shipping country with a rate", () => {
  const rules = { pricesIncludeTax: true, rates: { FR: 20, DE: 19 }, reduced: [] };
  assert.equal(computeTaxes(rules, "US", [], 1), undefined);
  assert.equal(computeTaxes(rules, "toString", [], 1), undefined);
  assert.equal(findTaxCountry(rules, ["US", "DE"]), "DE");
  assert.equal(findTaxCountry(rules, []), "FR");
  assert.equal(findTaxCountry({ rates: {} }, ["DE"]), "");
});
