import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseSameStorePath } from "./same-store-path.ts";

const localTexts: readonly (readonly [string, string])[] = [
  ["/", "/"],
  ["/cart", "/cart"],
  ["/products/tote?variant=7&page=2", "/products/tote?variant=7&page=2"],
  ["/a/../b", "/b"],
  ["/%2f%2fevil.com", "/%2f%2fevil.com"],
  ["/%5cevil.com", "/%5cevil.com"],
  ["/@evil.com", "/@evil.com"],
  ["/a?x=//evil.com#f", "/a?x=//evil.com"],
  ["/100%", "/100%"],
  ["/é", "/%C3%A9"],
  [`/${"a".repeat(2_047)}`, `/${"a".repeat(2_047)}`],
];

for (const [text, path] of localTexts) {
  test(`${JSON.stringify(text.slice(0, 30))} is a path of this store (spec 4.8)`, () =>
    assert.equal(parseSameStorePath(text), path));
}

test("every accepted path leads to this store, also when it is resolved again", () => {
  const textPiece = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "@",
    ":",
    "?",
    "#",
    "%2f",
    "%5c",
    "%2e",
    "evil.com",
    "a",
    "\t",
    " ",
  );
  fc.assert(
    fc.property(fc.array(textPiece, { maxLength: 8 }), (pieces) => {
      const path = parseSameStorePath(pieces.join(""));
      if (path === undefined) return;
      assert.equal(new URL(path, "https://shop.test/x/y").origin, "https://shop.test");
      assert.ok(!path.startsWith("//"));
    }),
  );
});
