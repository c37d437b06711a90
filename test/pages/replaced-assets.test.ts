import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

test("a hashed asset address never returns other bytes as immutable, also while a file is being replaced", async () => {
  const paint = (background: string): Promise<Buffer> =>
    sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .png()
      .toBuffer();
  const [red, blue] = [await paint("#f00"), await paint("#00f")];
  const files = [
    ["look.css", Buffer.from(".a { color: red }"), Buffer.from(".a { color: tan }"), ""],
    ["look.png", red, blue, ""],
    ["look.png", red, blue, "&width=30"],
    ["film.mp4", Buffer.from("one"), Buffer.from("two"), ""],
  ] as const;
  for (const [name, before, after, size] of files) {
    const own = await startShop({
      themeFiles: { "sections/links.liquid": `{{ '${name}' | asset_url }}`, [`assets/${name}`]: "" },
    });
    const path = join(own.storeDir, "theme", "assets", name);
    const replace = (bytes: Uint8Array): Promise<void> => writeFile(path, bytes);
    const address = async (): Promise<string> => (await own.client().get("/?section_id=links")).text.trim();
    const fetched = async (url: string) => {
      const reply = await fetch(own.origin + url);
      assert.equal(reply.status, 200);
      const bytes = Buffer.from(await reply.arrayBuffer());
      const isNew = size === "" ? bytes.equals(after) : (await sharp(bytes).stats()).channels[2]?.mean === 255;
      return { isNew, cacheControl: reply.headers.get("cache-control") ?? "" };
    };
    const empty = (await address()).match(/\/assets\/[^\s<]+/)?.[0] ?? "";
    await replace(before);
    const old = await until(async () => {
      const found = (await address()).match(/\/assets\/[^\s<]+/)?.[0] ?? "";
      return found === empty ? undefined : found;
    }, `${name} has another address`);
    // This happens before the server scans the folder again, and before the first request for this version.
    await replace(after);
    const meanwhile = await fetched(old + size);
    if (meanwhile.isNew) assert.equal(meanwhile.cacheControl, "public, max-age=60", name + size);
    // After the file is restored, the old URL returns the old bytes.
    await replace(before);
    const newer: string[] = [];
    await until(async () => {
      const back = await fetched(old + size);
      if (back.isNew) newer.push(back.cacheControl);
      return !back.isNew && (back.cacheControl.includes("immutable") || name.endsWith(".mp4"));
    }, name + size);
    assert.deepEqual([...new Set(newer)].join(), newer.length === 0 ? "" : "public, max-age=60", name + size);
    await own.close();
  }
});
