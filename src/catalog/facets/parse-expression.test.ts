import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { FilterExpression } from "./filter-expression.ts";
import { parseFilterExpression } from "./parse-expression.ts";

const parse = (text: string): FilterExpression => parseFilterExpression(text, 2);
const vendor = (value: string): FilterExpression => ({ kind: "value", facet: "filter.p.vendor", value });
const price = (range: object): FilterExpression => ({ kind: "number", facet: "filter.v.price", ...range });

const cases: readonly (readonly [text: string, expression: FilterExpression])[] = [
  ["vendor:Acme", vendor("Acme")],
  ["  filter.p.vendor : 'Acme Ltd' ", vendor("Acme Ltd")],
  ['"vendor:Acme Ltd"', vendor("Acme Ltd")],
  [String.raw`vendor:"O\"Neil \\ Co"`, vendor('O"Neil \\ Co')],
  ["vendor:AND", vendor("AND")],
  ["vendor:https://a.example/?b=1", vendor("https://a.example/?b=1")],
  ["new", { kind: "value", facet: "filter.p.tag", value: "new" }],
  ["_tags:'on sale'", { kind: "value", facet: "filter.p.tag", value: "on sale" }],
  ["'option.Shoe Size':42", { kind: "value", facet: "filter.v.option.shoe size", value: "42" }],
  ["m.custom.width >= 2.5", { kind: "number", facet: "filter.p.m.custom.width", from: 2.5 }],
  ["price:10 TO 20.5", price({ from: 1_000, to: 2_050 })],
  ["price > 12.99", price({ from: 1_299, isFromOpen: true })],
  ["price<12.99", price({ to: 1_299, isToOpen: true })],
  ["price = 5", price({ from: 500, to: 500 })],
  ["price:5", price({ from: 500, to: 500 })],
  ["price != 5", { kind: "not", part: price({ from: 500, to: 500 }) }],
  ["availability:true", { kind: "stock", isInStock: true }],
  ["availability=0", { kind: "stock", isInStock: false }],
  ["NOT vendor:a", { kind: "not", part: vendor("a") }],
  ["vendor:a AND NOT vendor:b", { kind: "and", parts: [vendor("a"), { kind: "not", part: vendor("b") }] }],
  [
    "(vendor:a OR vendor:b)AND(NOT(vendor:c))",
    {
      kind: "and",
      parts: [
        { kind: "or", parts: [vendor("a"), vendor("b")] },
        { kind: "not", part: vendor("c") },
      ],
    },
  ],
];

test("an expression is parsed with the grammar of Algolia's filters", () => {
  for (const [text, expression] of cases) assert.deepEqual(parse(text), expression, text);
});

test("an error says what is wrong, and contains only the start of the input", () => {
  const errors: readonly (readonly [text: string, message: RegExp])[] = [
    ["vendor:a AND vendor:b OR vendor:c", /combines AND and OR: put one of them in parentheses/],
    ["vendor:a vendor:b", /an error at character 10: vendor:b/],
    ["vendor:", /ends too early/],
    ["(vendor:a", /ends too early/],
    ["vendor:a)", /an error at character 9: \)/],
    ["AND vendor:a", /an error at character 1: AND vendor:a/],
    ["vendor:'a", /an error at character 8: 'a/],
    ["rating:5", /names "rating", which is not a filter of this shop/],
    ["m.:5", /is not a filter/],
    ["price < cheap", /compares with "cheap", which is not a number/],
    ["price:1 TO x", /compares with "x"/],
    ["price:NaN", /compares with "NaN"/],
    ["availability:maybe", /an availability other than true, false, 1, or 0/],
    ["availability < 1", /an availability other than/],
    ["vendor:a<score=2>", /has a score, which is not supported/],
    [`${"(".repeat(30)}vendor:a`, /more than 20 nested parentheses/],
    [`${"NOT ".repeat(30)}vendor:a`, /more than 20 nested parentheses/],
    [Array.from({ length: 101 }, () => "new").join(" OR "), /more than 100 conditions/],
    ["x".repeat(8_193), /at most 8192 characters/],
    [`vendor:a ${"x".repeat(500)}`, /an error at character 10: x{20}\.$/],
  ];
  for (const [text, message] of errors) assert.throws(() => parse(text), { code: "invalid_parameter", message }, text);
});

test("any expression that is written with parentheses and quotes is read back", () => {
  const { expression: expressions } = fc.letrec<{ expression: FilterExpression }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(
        fc.string({ minLength: 1 }).map(vendor),
        fc.tuple(fc.nat(9_999), fc.nat(9_999)).map(([from, to]) => price({ from, to })),
      ),
      tie("expression").map((part) => ({ kind: "not" as const, part })),
      fc.record(
        {
          kind: fc.constantFrom("and" as const, "or" as const),
          parts: fc.array(tie("expression"), { minLength: 2, maxLength: 3 }),
        },
        { noNullPrototype: true },
      ),
    ),
  }));
  fc.assert(
    fc.property(expressions, (expression) => assert.deepEqual(parse(formatExpression(expression)), expression)),
  );
});

test("any text is parsed or rejected", () => {
  const words = fc.constantFrom("vendor", ":", "AND", "OR", "NOT", "(", ")", '"', "'", "a", " ", "<", "1", "TO", "\\");
  fc.assert(
    fc.property(fc.array(words, { maxLength: 20 }), (parts) => {
      try {
        parse(parts.join(""));
      } catch (error) {
        assert.equal((error as { readonly code?: string }).code, "invalid_parameter");
      }
    }),
    { numRuns: 500 },
  );
});

function formatExpression(expression: FilterExpression): string {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.parts.map((part) => `(${formatExpression(part)})`).join(` ${expression.kind.toUpperCase()} `);
    case "not":
      return `NOT (${formatExpression(expression.part)})`;
    case "value":
      return `vendor:"${expression.value.replaceAll(/["\\]/g, "\\$&")}"`;
    case "number":
      return `price:${(expression.from ?? 0) / 100} TO ${(expression.to ?? 0) / 100}`;
    case "stock":
      return `availability:${expression.isInStock}`;
  }
}
