import assert from "node:assert/strict";
import { test } from "node:test";
import { overrideConstant, parseOverride } from "./constant-source.ts";

const source = `/** Points. */
export const closePoints = 8 * unit;
export const boosts: Readonly<Record<Kind, number>> = {
  exact: 100,
  // Less.
  form: 95,
};
const declared = {
  title: { label: "title", weight: 100 },
  vendor: { label: "vendor", weight: 60 },
} as const;
`;

test("a constant, a property and a property of a property are changed where they stand, and nothing else is", () => {
  assert.equal(overrideConstant(source, "closePoints", "3"), source.replace("8 * unit", "3"));
  assert.equal(overrideConstant(source, "boosts.form", "90"), source.replace("95", "90"));
  assert.equal(overrideConstant(source, "declared.vendor.weight", "70"), source.replace("60", "70"));
});

test("a constant that is not there is an error, as is an override of another form", () => {
  assert.throws(() => overrideConstant(source, "farPoints", "3"), /no constant farPoints/);
  assert.throws(() => overrideConstant(source, "boosts.weight2", "3"), /no property weight2/);
  assert.throws(() => parseOverride("closePoints=3"), /not of the form/);
});
