import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createKeyring } from "./keyring.ts";

const A = "a".repeat(32);
const B = "b".repeat(32);
const now = 1_800_000_000_000;
const ring = createKeyring([A]);

test("a signed value is verified for its purpose, until it expires", () => {
  const token = ring.sign("cart", "some-value_1", now + 1);
  assert.match(token, /^v1\.[\w-]{8}\.some-value_1\.\d+\.[\w-]{43}$/);
  assert.deepEqual(ring.verify("cart", token, now), { value: "some-value_1", expires: now + 1 });
  assert.equal(ring.verify("cart", token, now + 1), undefined);
  assert.equal(ring.verify("buy_now", token, now), undefined);
});

test("any changed token is invalid", () => {
  const token = ring.sign("cart", "value", now + 1);
  const character = fc.constantFrom(..."abcXYZ019-_.");
  fc.assert(
    fc.property(fc.nat(token.length - 1), character, (place, other) => {
      const changed = token.slice(0, place) + other + token.slice(place + 1);
      assert.equal(ring.verify("cart", changed, now) === undefined, changed !== token);
    }),
  );
  for (const junk of [
    "",
    "a.b.c",
    `${token}.`,
    ` ${token}`,
    token.slice(0, -1),
    "x".repeat(4_000),
    "v1.__proto__.a.1.b",
  ])
    assert.equal(ring.verify("cart", junk, now), undefined);
});

test("the first key signs, all keys verify, a removed key does not", () => {
  const old = createKeyring([A]).sign("cart", "v", now + 1);
  assert.ok(createKeyring([B, A]).verify("cart", old, now));
  assert.equal(createKeyring([B]).verify("cart", old, now), undefined);
  assert.equal(createKeyring([A]).verify("cart", createKeyring([B, A]).sign("cart", "v", now + 1), now), undefined);
});

test("a digest depends on key, purpose and value", () => {
  const digests = [
    ring.digest("x", "1"),
    ring.digest("x", "2"),
    ring.digest("y", "1"),
    createKeyring([B]).digest("x", "1"),
  ];
  assert.equal(new Set(digests).size, 4);
  assert.equal(ring.digest("x", "1"), ring.digest("x", "1"));
});

test("a short secret is rejected with a message that does not contain it", () => {
  assert.throws(
    () => createKeyring([A, "short-one"]),
    (error: Error) => {
      assert.match(error.message, /Secret 2 has 9 bytes.*32 or more/);
      return !error.message.includes("short-one");
    },
  );
  assert.throws(() => createKeyring([]), /VITRINE_SECRET/);
  assert.doesNotThrow(() => createKeyring(["é".repeat(16)]));
});
