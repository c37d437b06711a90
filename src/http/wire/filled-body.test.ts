import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { anyText } from "../../../test/support/any-text.ts";
import { SharedBody } from "./filled-body.ts";

const placeholder = "a text that nobody knows";

test("a shared body filled with a visitor's text equals a separately rendered one, compressed or not", () => {
  const part = anyText({ maxLength: 2_000 }).map((text) => text.replaceAll(placeholder, ""));
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 5 }),
      fc.stringMatching(/^[\w.-]{0,300}$/),
      (parts, token) => {
        const expected = parts.join(token);
        fc.pre(parts.join(placeholder).split(placeholder).length === parts.length);
        const sharedBody = new SharedBody(parts.join(placeholder), placeholder);
        assert.equal(Buffer.from(sharedBody.insertToken(token), "latin1").toString(), Buffer.from(expected).toString());
        const compressedBody = Buffer.from(sharedBody.gzip(token), "latin1");
        assert.equal(gunzipSync(compressedBody).toString(), Buffer.from(expected).toString());
      },
    ),
  );
});

test("the length of a compressed body reveals nothing about the visitor's text", () => {
  const sharedBody = new SharedBody(
    `<p>${"abcdefgh".repeat(200)}</p>${placeholder}<p>${"abcdefgh".repeat(200)}</p>`,
    placeholder,
  );
  const lengths = ["abcdefghabcdefgh", "q8Zt-0xK_9vWm2Lr"].map((token) => sharedBody.gzip(token).length);
  assert.equal(lengths[0], lengths[1]);
});
