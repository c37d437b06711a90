import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createKeyring } from "./keyring.ts";

const FIRST_SECRET = "a".repeat(32);
const SECOND_SECRET = "b".repeat(32);
const now = 1_800_000_000_000;
const keyring = createKeyring([FIRST_SECRET]);

test("a signed value is verified for its purpose, until it expires", () => {
  const token = keyring.sign("cart", "some-value_1", now + 1);
  assert.match(token, /^v1\.[\w-]{8}\.some-value_1\.\d+\.[\w-]{43}$/);
  assert.deepEqual(keyring.verify("cart", token, now), { value: "some-value_1", expires: now + 1 });
  assert.equal(keyring.verify("cart", token, now + 1), undefined);
  assert.equal(keyring.verify("buy_now", token, now), undefined);
});

test("any changed token is invalid", () => {
  const token = keyring.sign("cart", "value", now + 1);
  const character = fc.constantFrom(..."abcXYZ019-_.");
  fc.assert(
    fc.property(fc.nat(token.length - 1), character, (index, otherCharacter) => {
      const changedToken = token.slice(0, index) + otherCharacter + token.slice(index + 1);
      assert.equal(keyring.verify("cart", changedToken, now) === undefined, changedToken !== token);
    }),
  );
  for (const invalidToken of [
    "",
    "a.b.c",
    `${token}.`,
    ` ${token}`,
    token.slice(0, -1),
    "x".repeat(4_000),
    "v1.__proto__.a.1.b",
  ])
    assert.equal(keyring.verify("cart", invalidToken, now), undefined);
});

test("the first key signs, all keys verify, a removed key does not", () => {
  const oldToken = createKeyring([FIRST_SECRET]).sign("cart", "v", now + 1);
  assert.ok(createKeyring([SECOND_SECRET, FIRST_SECRET]).verify("cart", oldToken, now));
  assert.equal(createKeyring([SECOND_SECRET]).verify("cart", oldToken, now), undefined);
  assert.equal(
    createKeyring([FIRST_SECRET]).verify(
      "cart",
      createKeyring([SECOND_SECRET, FIRST_SECRET]).sign("cart", "v", now + 1),
      now,
    ),
    undefined,
  );
});

test("a digest depends on key, purpose and value", () => {
  const digests = [
    keyring.digest("x", "1"),
    keyring.digest("x", "2"),
    keyring.digest("y", "1"),
    createKeyring([SECOND_SECRET]).digest("x", "1"),
  ];
  assert.equal(new Set(digests).size, 4);
  assert.equal(keyring.digest("x", "1"), keyring.digest("x", "1"));
});

test("a short secret is rejected with a message that does not contain it", () => {
  assert.throws(
    () => createKeyring([FIRST_SECRET, "short-one"]),
    (error: Error) => {
      assert.match(error.message, /Secret 2 has 9 bytes.*32 or more/);
      return !error.message.includes("short-one");
    },
  );
  assert.throws(() => createKeyring([]), /VITRINE_SECRET/);
  assert.doesNotThrow(() => createKeyring(["é".repeat(16)]));
});
