import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { didYouMean, nearest } from "./nearest.ts";

/** Returns the edit distance by its definition: delete, insert, replace, or swap two adjacent characters. */
function edits(left: string, right: string): number {
  if (left === "" || right === "") return left.length + right.length;
  const [rest, other] = [left.slice(1), right.slice(1)];
  if (left[0] === right[0]) return edits(rest, other);
  const swap = left[0] === right[1] && left[1] === right[0] ? [edits(left.slice(2), right.slice(2))] : [];
  return 1 + Math.min(edits(rest, right), edits(left, other), edits(rest, other), ...swap);
}

test("the nearest name has the fewest edits, at most one per four letters", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 3, maxLength: 6 });
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 4 }), (name, known) => {
      const found = nearest(name, known);
      const least = Math.min(...known.map((one) => edits(name, one)));
      if (least > Math.max(1, Math.floor(name.length / 4))) assert.equal(found, undefined);
      else assert.equal(edits(name, found ?? ""), least);
    }),
  );
});

test("names of one or two letters get no suggestion, file extensions do", () => {
  assert.equal(didYouMean("x", ["y"]), "");
  assert.equal(didYouMean("icon-cart", ["icon-cart.svg"]), ': did you mean "icon-cart.svg"?');
  assert.equal(didYouMean("monye", ["map", "money"]), ': did you mean "money"?');
});
