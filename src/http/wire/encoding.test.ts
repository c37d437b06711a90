import assert from "node:assert/strict";
import { test } from "node:test";
import { normalizeTag, parseAcceptEncoding } from "./encoding.ts";

for (const [accepted, coding] of [
  [undefined, undefined],
  ["", undefined],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["br;q=0.5, gzip;q=0.9", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br ; q=1.0 , gzip ; q=1.0", "br"],
  ["*", "br"],
  ["*;q=0", undefined],
  ["br;q=0, *", "zstd"],
  ["identity, br;q=0.5", undefined],
  ["BR", "br"],
  ["gzip, zstd", "zstd"],
  ["deflate", undefined],
  ["br;q=none", undefined],
] as const)
  test(`Accept-Encoding ${JSON.stringify(accepted)} selects ${coding ?? "no encoding"}`, () => {
    assert.equal(parseAcceptEncoding(accepted)[0], coding);
  });

test("ETags are compared without their encoding suffix and weakness prefix", () => {
  assert.deepEqual(['"a-br"', ' W/"a-gzip"', '"a-zstd"', '"a"', '"a-brx"'].map(normalizeTag), [
    '"a"',
    '"a"',
    '"a"',
    '"a"',
    '"a-brx"',
  ]);
});
