import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MAX_SIDE_PIXELS, parseImageSize } from "./image-size.ts";

const parse = (query: string, acceptsWebp = false) => parseImageSize(new URLSearchParams(query), acceptsWebp);

for (const [query, size] of [
  ["", undefined],
  ["v=abc", undefined],
  ["width=", undefined],
  ["width=0&height=-5", undefined],
  ["width=NaN", undefined],
  ["width=100", { width: 100 }],
  ["width=101", { width: 128 }],
  ["width=99999", { width: MAX_SIDE_PIXELS }],
  ["width=330&height=90", { width: 360, height: 100 }],
  ["width=400&height=300&crop=center", { width: 420, height: 315, crop: "center" }],
  ["width=300&height=400&crop=top", { width: 315, height: 420, crop: "top" }],
  ["width=400&crop=center", { width: 420 }],
  ["width=400&crop=sideways", { width: 420 }],
  ["format=webp", { format: "webp" }],
  ["format=exe", undefined],
  ["width=100&format=pjpg", { width: 100, format: "pjpg" }],
  ["width=100&height=50&pad_color=FF0000", { width: 100, height: 50, padColor: "ff0000" }],
  [
    "width=100&crop=region&crop_left=1&crop_top=2&crop_width=30&crop_height=40",
    { width: 100, region: { left: 1, top: 2, width: 30, height: 40 } },
  ],
  ["width=100&crop=region&crop_width=0", { width: 100 }],
] as const)
  test(`the size of an image requested by "${query}"`, () => {
    assert.deepEqual(parse(query), size);
  });

test("without a requested format, clients that accept WebP get it", () => {
  assert.deepEqual(parse("width=100", true), { width: 100, format: "webp" });
  assert.deepEqual(parse("width=100&format=png", true), { width: 100, format: "png" });
  assert.deepEqual(parse("format=auto", true), { format: "webp" });
  assert.equal(parse("v=1", true), undefined);
});

test("an image is never smaller than requested, and keeps the requested aspect ratio", () => {
  const side = fc.integer({ min: 1, max: MAX_SIDE_PIXELS });
  fc.assert(
    fc.property(side, side, (width, height) => {
      const size = parse(`width=${width}&height=${height}&crop=center`);
      assert.ok(size?.width !== undefined && size.height !== undefined);
      assert.ok(Math.max(size.width, size.height) >= Math.max(width, height));
      const [requestedRatio, actualRatio] = [width / height, size.width / size.height];
      // The ratio may differ by one step of 1/720, plus an error from rounding to whole pixels.
      const deviation = Math.abs(Math.min(requestedRatio, 1 / requestedRatio) - Math.min(actualRatio, 1 / actualRatio));
      assert.ok(
        deviation <= 1 / 720 + 1 / Math.max(size.width, size.height),
        `${requestedRatio} became ${actualRatio}`,
      );
    }),
  );
});

test("all possible widths produce only a few images", () => {
  const widths = Array.from({ length: 10_000 }, (_, index) => parse(`width=${index + 1}`)?.width);
  assert.ok(new Set(widths).size < 40);
});
