import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { SharedBody } from "./filled-body.ts";

const standIn = "a text that nobody knows";

test("a shared body filled with a visitor's text equals a separately rendered one, compressed or not", () => {
  const part = fc.string({ unit: "binary", maxLength: 2_000 }).map((text) => text.replaceAll(standIn, ""));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.stringMatching(/^[\w.-]{0,300}$/), (parts, own) => {
      const wanted = parts.join(own);
      fc.pre(parts.join(standIn).split(standIn).length === parts.length);
      const shared = new SharedBody(parts.join(standIn), standIn);
      assert.equal(Buffer.from(shared.fill(own), "latin1").toString(), Buffer.from(wanted).toString());
      const packed = Buffer.from(shared.gzip(own), "latin1");
      assert.equal(gunzipSync(packed).toString(), Buffer.from(wanted).toString());
    }),
  );
});

test("the length of a compressed body reveals nothing about the visitor's text", () => {
  const shared = new SharedBody(`<p>${"abcdefgh".repeat(200)}</p>${standIn}<p>${"abcdefgh".repeat(200)}</p>`, standIn);
  const lengths = ["abcdefghabcdefgh", "q8Zt-0xK_9vWm2Lr"].map((own) => shared.gzip(own).length);
  assert.equal(lengths[0], lengths[1]);
});
