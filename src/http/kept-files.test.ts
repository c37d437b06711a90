import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeptFiles } from "./kept-files.ts";

test("the same bytes each time, until there is too much: then what was not asked for longest goes", async () => {
  const files = createKeptFiles(250);
  const ask = (key: string) => files.bytes(key, { text: key.repeat(100) });
  const one = await ask("a");
  assert.equal(await ask("a"), one);
  const two = await ask("b");
  assert.equal(await ask("a"), one);
  await ask("c");
  assert.equal(await ask("a"), one);
  assert.notEqual(await ask("b"), two);
});

test("a file that is gone is none", async () => {
  assert.equal(await createKeptFiles().bytes("x", { path: "/no/such/file" }), undefined);
});
