import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createGroupHasher } from "./product-group.ts";

const rounds = Number(process.env.VITRINE_ROUNDS ?? 300);
const groupKeyOf = createGroupHasher();
const keyOf = (title: string, vendor = "Sol", productType = "Paints"): number =>
  groupKeyOf({ title, vendor, productType });

const bases = ["Paint", "Paint brush", "iPhone 13", "iPhone 14", "Milk 3.5 %", "Milk 1.5 %", "No. 8 lipstick"];
const colors = ["white", "Navy", "weiß", "bleu marine", "rojo", "赤", "черный"];
const differences = [
  "",
  "5 l",
  "5000 ml",
  "1/2 in",
  "2 x 1 l",
  "6-pack",
  "pack of 6",
  "4 x 8 ft",
  "XL",
  "size 42",
  "Gr. 62/68",
];
const title = fc.record({
  base: fc.constantFrom(...bases),
  color: fc.constantFrom("", ...colors),
  difference: fc.constantFrom(...differences),
  isColorFirst: fc.boolean(),
});
type Title = typeof title extends fc.Arbitrary<infer T> ? T : never;

const write = ({ base, color, difference, isColorFirst }: Title): string =>
  (isColorFirst ? [color, base, difference] : [base, difference, color]).filter((part) => part !== "").join(", ");

test("titles have the same key if only colors, sizes and quantities differ, and both or neither name a color", () => {
  fc.assert(
    fc.property(title, title, (one, other) => {
      const isSameGroup = one.base === other.base && (one.color === "") === (other.color === "");
      assert.equal(keyOf(write(one)) === keyOf(write(other)), isSameGroup, `${write(one)} | ${write(other)}`);
    }),
    { numRuns: rounds },
  );
});

test("case, accents and punctuation do not matter; vendor and type do", () => {
  assert.equal(keyOf("Crème-Brûlée, 500 g"), keyOf("creme brulee (1 kg)"));
  assert.notEqual(keyOf("Paint 5 l"), keyOf("Paint 5 l", "Luna"));
  assert.notEqual(keyOf("Red beans", "Sol", "Beans"), keyOf("Black beans", "Sol", "Coffee"));
});

test("a title of nothing but sizes and colors has no group", () => {
  for (const text of ["", "XL", "Red", "5 l", "42", "White, 2 x 1 l"]) assert.equal(keyOf(text), 0, text);
});
