import assert from "node:assert/strict";
import { test } from "node:test";
import { createJwsSigner } from "../../security/jws-signer.ts";
import { createKeyring } from "../../security/keyring.ts";
import { createWriteKey } from "./write-key.ts";

test("a write is identified by its path and body; express checkout keys are separate from the cart's", () => {
  const keyring = createKeyring(["only-for-tests-0123456789-abcdefghij"]);
  const shop = { keys: { ...keyring, documents: createJwsSigner(keyring.secrets) } };
  const write = { key: "k", body: { id: 1 }, kind: "cart", writer: { csrfToken: "token", visitorId: "v" } } as const;
  const baseKey = createWriteKey(shop, { prefix: "", path: "/cart/add.js" }, write);
  assert.deepEqual(createWriteKey(shop, { prefix: "", path: "/cart/add.js" }, { ...write, body: { id: 1 } }), baseKey);
  const otherKeys = [
    createWriteKey(shop, { prefix: "/fr", path: "/cart/add.js" }, write),
    createWriteKey(shop, { prefix: "", path: "/cart/add" }, write),
    createWriteKey(shop, { prefix: "", path: "/cart/add.js" }, { ...write, body: { id: 2 } }),
  ];
  for (const otherKey of otherKeys) {
    assert.notEqual(otherKey.fingerprint, baseKey.fingerprint);
    assert.equal(otherKey.visitor, baseKey.visitor);
  }
  assert.notEqual(
    createWriteKey(shop, { prefix: "", path: "/x" }, { ...write, kind: "buy_now" }).visitor,
    baseKey.visitor,
  );
  assert.notEqual(
    createWriteKey(shop, { prefix: "", path: "/x" }, { ...write, writer: { csrfToken: "other", visitorId: "v" } })
      .visitor,
    baseKey.visitor,
  );
  assert.notEqual(
    createWriteKey(shop, { prefix: "", path: "/x" }, { ...write, writer: { csrfToken: "token", visitorId: "w" } })
      .visitor,
    baseKey.visitor,
  );
});
