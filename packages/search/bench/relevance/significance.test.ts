import assert from "node:assert/strict";
import { test } from "node:test";
import { estimate, randomisationP } from "./significance.ts";

test("an interval contains the mean, and narrows with the square root of the number of queries", () => {
  const coin = Array.from({ length: 100 }, (_, at) => at % 2);
  const smallSample = estimate(coin);
  const largeSample = estimate(Array.from({ length: 4 }, () => coin).flat());
  assert.equal(smallSample.mean, 0.5);
  // The interval of 100 coin flips is 1.96 standard errors, which is 0.098 on each side.
  assert.ok(
    Math.abs(smallSample.upperBound - smallSample.lowerBound - 0.196) < 0.03,
    `${smallSample.lowerBound} to ${smallSample.upperBound}`,
  );
  assert.ok(
    Math.abs(largeSample.upperBound - largeSample.lowerBound - 0.098) < 0.02,
    `${largeSample.lowerBound} to ${largeSample.upperBound}`,
  );
});

test("p is low for differences of one sign, and high for balanced signs", () => {
  assert.ok(randomisationP(Array.from({ length: 20 }, () => 0.1)) < 0.002);
  assert.ok(randomisationP(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 0.1 : -0.1))) > 0.9);
  // Three queries have eight combinations of signs. In two of them all signs are equal, so p is at least one in four.
  const p = randomisationP([0.1, 0.1, 0.1]);
  assert.ok(Math.abs(p - 0.25) < 0.05, String(p));
});
