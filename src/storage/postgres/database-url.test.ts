import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../open-database.ts";

test("a URL with reserved characters in the password is rejected, and the message contains no part of the URL", async () => {
  for (const password of [
    "1/secret",
    "1#secret",
    "1?secret",
    "a/secret",
    "secret@secret/b",
    "secret@secret#b",
    "1?a=secret",
  ])
    await assert.rejects(openDatabase({ url: `postgres://secret:${password}@127.0.0.1:1/shop` }), (error: Error) => {
      assert.match(error.message, /^DATABASE_URL: must be a URL .* In user and password, write .*"%40 %3A %2F/);
      assert.doesNotMatch(error.message, /secret/, password);
      return true;
    });
});

test("encoded characters in the password, and parameters, are accepted", async () => {
  for (const url of ["postgres://shop:a%2Fb%23@127.0.0.1:1/shop", "postgresql://127.0.0.1:1/shop?user=shop%40a"])
    await assert.rejects(openDatabase({ url }), /^SetupError: DATABASE_URL: cannot be used: .*ECONNREFUSED/);
});
