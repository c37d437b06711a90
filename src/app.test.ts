import assert from "node:assert/strict";
import { test } from "node:test";
import { countEventLoops } from "./app.ts";

test("a server has one event loop per core, at most one per 512 MB of memory, and at least one", () => {
  const gigabyte = 1 << 30;
  assert.equal(countEventLoops(2, 24 * gigabyte), 2);
  assert.equal(countEventLoops(8, 2 * gigabyte), 4);
  assert.equal(countEventLoops(2, gigabyte), 2);
  // A machine with 1 GB reports a little less.
  assert.equal(countEventLoops(2, gigabyte - (64 << 20)), 1);
  assert.equal(countEventLoops(2, gigabyte / 4), 1);
});
