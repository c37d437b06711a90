import assert from "node:assert/strict";
import { test } from "node:test";
import { countBytes } from "./size.ts";

test("bytes of typed arrays are summed at any depth, each buffer once", () => {
  const sharedBuffer = new SharedArrayBuffer(100);
  const data = {
    name: "not counted",
    one: new Uint8Array(sharedBuffer, 0, 50),
    two: new Uint8Array(sharedBuffer, 60),
    list: [new Float64Array(2), undefined],
    map: new Map([[1, new Uint32Array(3)]]),
  };
  assert.equal(countBytes([data, data]), 50 + 40 + 16 + 12);
});
