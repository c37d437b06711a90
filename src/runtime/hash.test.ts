import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../test/support/any-text.ts";
import { hashFnv1a } from "./hash.ts";

test("fnv1a gives the published values for ASCII", () => {
  assert.deepEqual(
    ["", "a", "foobar"].map((text) => hashFnv1a(text)),
    [0x811c9dc5, 0xe40c292c, 0xbf9cf968],
  );
});

test("fnv1a is the product and exclusive or of its definition, modulo 2^32", () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      let hash = 2_166_136_261n;
      for (let index = 0; index < text.length; index += 1)
        hash = ((hash ^ BigInt(text.charCodeAt(index))) * 16_777_619n) % 2n ** 32n;
      assert.equal(hashFnv1a(text), Number(hash));
    }),
  );
});
