import assert from "node:assert/strict";
import { test } from "node:test";
import { bpref, condensedNdcg10, countForbiddenAbove, judged10, ndcg10, recall } from "./metrics.ts";

const grades = new Map([
  ["a", 3],
  ["b", 1],
  ["c", 0],
  ["d", 0],
]);

function assertClose(value: number, expected: number): void {
  assert.ok(Math.abs(value - expected) < 1e-9, `${value} instead of ${expected}`);
}

test("nDCG@10 weights a product by 2^grade - 1 and its rank, relative to the ideal order", () => {
  const ideal = 7 + 1 / Math.log2(3);
  assertClose(ndcg10(["a", "b"], grades), 1);
  assertClose(ndcg10(["b", "a"], grades), (1 + 7 / Math.log2(3)) / ideal);
  assertClose(ndcg10(["c", "x", "a"], grades), 7 / 2 / ideal);
  assertClose(ndcg10([], grades), 0);
  assertClose(ndcg10(["x", "y", "z", "x", "y", "z", "x", "y", "z", "x", "a"], grades), 0);
});

test("condensed nDCG@10 omits unjudged products", () => {
  assertClose(condensedNdcg10(["x", "a", "y", "b"], grades), 1);
  assertClose(condensedNdcg10(["x", "c", "y", "a"], grades), 7 / Math.log2(3) / (7 + 1 / Math.log2(3)));
});

test("recall is relative to the relevant products that fit into the limit", () => {
  assertClose(recall(["a", "x", "b"], grades, 10, 1), 1);
  assertClose(recall(["a", "x", "b"], grades, 2, 1), 1 / 2);
  assertClose(recall(["x", "a"], grades, 1, 1), 0);
  assertClose(recall(["b", "a"], grades, 10, 2), 1);
});

test("bpref penalizes wrong products above a relevant one, and ignores unjudged ones", () => {
  // Two products are relevant and two are wrong, so each wrong product above a relevant one costs one half.
  assertClose(bpref(["a", "b"], grades, 1, false, 10), 1);
  assertClose(bpref(["x", "y", "a", "b"], grades, 1, false, 10), 1);
  assertClose(bpref(["c", "a", "b"], grades, 1, false, 10), (1 / 2 + 1 / 2) / 2);
  assertClose(bpref(["a", "c", "d", "b"], grades, 1, false, 10), (1 + 0) / 2);
  assertClose(bpref(["a"], grades, 1, false, 10), 1 / 2);
  // All documents are judged, so documents without a grade are wrong. Of the eight wrong documents, at most two count.
  assertClose(bpref(["x", "a", "b"], grades, 1, true, 10), (1 / 2 + 1 / 2) / 2);
  // The cost of wrong products is limited to the value of the relevant product.
  assertClose(bpref(["c", "d", "x", "a"], new Map([...grades, ["x", 0]]), 3, false, 10), 0);
});

test("the judged share covers the first ten products", () => {
  assertClose(judged10(["a", "x", "c", "y"], grades), 1 / 2);
});

test("forbidden products count if a relevant product follows, or if no relevant product is found", () => {
  const withForbidden = new Map([...grades, ["n", -1], ["m", -1]]);
  assert.equal(countForbiddenAbove(["a", "n", "b", "m"], withForbidden), 1);
  assert.equal(countForbiddenAbove(["a", "b", "n", "m"], withForbidden), 0);
  assert.equal(countForbiddenAbove(["n", "x", "m"], withForbidden), 2);
  assertClose(ndcg10(["n", "a"], withForbidden), 7 / Math.log2(3) / (7 + 1 / Math.log2(3)));
});
