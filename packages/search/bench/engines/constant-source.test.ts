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

test("an override changes only the value of its constant, property or nested property", () => {
  assert.equal(overrideConstant(source, "closePoints", "3"), source.replace("8 * unit", "3"));
  assert.equal(overrideConstant(source, "boosts.form", "90"), source.replace("95", "90"));
  assert.equal(overrideConstant(source, "declared.vendor.weight", "70"), source.replace("60", "70"));
});

test("an unknown constant, an unknown property and a malformed override are errors", () => {
  assert.throws(() => overrideConstant(source, "farPoints", "3"), /no constant farPoints/);
  assert.throws(() => overrideConstant(source, "boosts.weight2", "3"), /no property weight2/);
  assert.throws(() => parseOverride("closePoints=3"), /not of the form/);
});
