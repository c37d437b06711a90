import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../problem.ts";
import { createJwsSigner } from "../../security/jws-signer.ts";
import { createKeyring } from "../../security/keyring.ts";
import { createWriteKey, readKeyHeader } from "./write-key.ts";

const readKey = (key: string | undefined) =>
  readKeyHeader({ headers: key === undefined ? {} : { "idempotency-key": key } });

test("an Idempotency-Key is 1 to 255 visible ASCII characters, or undefined", () => {
  assert.equal(readKey(undefined), undefined);
  for (const key of ["k", "k".repeat(255), "!~", '"quoted"']) assert.equal(readKey(key), key);
  for (const key of ["", " ", "a b", "k".repeat(256), "tab\t", "é", "\u007f", "line\n"]) {
    assert.throws(
      () => readKey(key),
      (error) =>
        error instanceof Problem &&
        error.code === "validation_failed" &&
        error.fields[0]?.field === "Idempotency-Key" &&
        !error.message.includes(key.trim() || "none"),
      JSON.stringify(key),
    );
  }
});

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
