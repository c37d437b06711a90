import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { createLimits, limitsByName } from "../../runtime/limits.ts";
import { resizeImage } from "./resize-image.ts";
import { createResizedImages } from "./resized-images.ts";

test("the log names an image that cannot be resized, in a line that is not repeated for each size", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "vitrine-resized-images-"));
  const file = join(folder.path, "damaged.png");
  await writeFile(file, "not an image");
  const lines: string[] = [];
  const images = createResizedImages({
    ...{ dir: join(folder.path, "cache"), maxBytes: 1e6, now: () => 0, limits: createLimits(limitsByName) },
    log: {
      warn: (_fields, message) => lines.push(`warn ${message}`),
      recurring: (_fields, message) => lines.push(`recurring ${message}`),
    },
  });
  for (const width of [100, 200])
    assert.equal(
      await images.resize(file, { width }, { cacheControl: "no-store", client: { address: "192.0.2.1" } }),
      "original",
    );
  await images.close();
  const line = `recurring ${file}: the image could not be resized, so the original is sent`;
  assert.deepEqual(lines, [line, line]);
});

test("an image is resized while another thread loads the library, which blocks its decoders for all threads", async () => {
  const original = sharp({ create: { width: 40, height: 30, channels: 3, background: "red" } });
  for (const source of [await original.clone().webp().toBuffer(), await original.clone().png().toBuffer()]) {
    await resizeImage(source, { width: 10 });
    sharp.block({ operation: ["VipsForeignLoad"] });
    const resized = await resizeImage(source, { width: 20 });
    const { width, height } = await sharp(resized?.bytes).metadata();
    assert.deepEqual({ width, height }, { width: 20, height: 15 });
  }
  await assert.rejects(resizeImage(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), { width: 10 }), /format/);
});
