import assert from "node:assert/strict";
import test from "node:test";
import { blake3 } from "./blake3.ts";

/** Length of a run of the bytes 0, 1 … 250, 0, 1 … -> its hash, as the specification's test vectors have it. */
const vectors: readonly (readonly [length: number, hash: string])[] = [
  [0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"],
  [1_024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"],
  [1_025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"],
  [2_049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030"],
];

test("blake3 hashes as its specification says, over one chunk and several", () => {
  for (const [length, hash] of vectors)
    assert.equal(blake3(Uint8Array.from({ length }, (_, index) => index % 251)), hash, `${length} bytes`);
});
