import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { findNearestName, suggestName } from "./nearest.ts";

/** Computes the edit distance without optimizations: delete, insert, replace, or swap two adjacent characters. */
function editDistance(left: string, right: string): number {
  if (left === "" || right === "") return left.length + right.length;
  const [leftRest, rightRest] = [left.slice(1), right.slice(1)];
  if (left[0] === right[0]) return editDistance(leftRest, rightRest);
  const swapDistance =
    left[0] === right[1] && left[1] === right[0] ? [editDistance(left.slice(2), right.slice(2))] : [];
  return (
    1 +
    Math.min(
      editDistance(leftRest, right),
      editDistance(left, rightRest),
      editDistance(leftRest, rightRest),
      ...swapDistance,
    )
  );
}

test("the nearest name has the fewest edits, at most one per four letters", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 3, maxLength: 6 });
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 4 }), (name, knownNames) => {
      const match = findNearestName(name, knownNames);
      const minDistance = Math.min(...knownNames.map((knownName) => editDistance(name, knownName)));
      if (minDistance > Math.max(1, Math.floor(name.length / 4))) assert.equal(match, undefined);
      else assert.equal(editDistance(name, match ?? ""), minDistance);
    }),
  );
});

test("names of one or two letters get no suggestion, file extensions do", () => {
  assert.equal(suggestName("x", ["y"]), "");
  assert.equal(suggestName("icon-cart", ["icon-cart.svg"]), ': did you mean "icon-cart.svg"?');
  assert.equal(suggestName("monye", ["map", "money"]), ': did you mean "money"?');
});
