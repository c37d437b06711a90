import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createSegmentFile, readSegmentFile } from "./segment-file.ts";

let dir: string;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), "vitrine-segment-file-"));
});
after(() => rm(dir, { recursive: true, force: true }));

const data = {
  name: "Größe \ud800",
  isSmall: true,
  list: [{ words: Uint16Array.of(1, 2, 65_535) }, { words: new Uint16Array(0) }, []],
  externalIds: { bytes: Uint8Array.of(9), docIds: Float64Array.of(0.1, 2 ** 52), signed: Int32Array.of(-1) },
};

test("data is read as it was written, raw bytes are at their offsets, and the folder contains no other file", async () => {
  const file = join(dir, "whole");
  writeSegment(file, data, [Buffer.from("first"), Buffer.from("second")]);
  assert.deepEqual(await readSegment(file, "1"), data);
  const fd = openSync(file, "r");
  const rawBytes = Buffer.alloc(6);
  readSync(fd, rawBytes, 0, 6, 5);
  closeSync(fd);
  assert.equal(rawBytes.toString(), "second");
  assert.deepEqual(await readdir(dir), ["whole"]);
});

test("arrays and raw bytes of several blocks are read as they were written", async () => {
  const file = join(dir, "large");
  const largeArray = Uint32Array.from({ length: 2_500_000 }, (_, index) => Math.imul(index, 2_654_435_761) >>> 0);
  const rawBytes = Buffer.from(largeArray.buffer, 0, 5_000_000);
  writeSegment(file, { small: Uint8Array.of(1, 2, 3), large: largeArray }, [rawBytes, rawBytes]);
  const loadedData = (await readSegment(file, "1")) as { small: Uint8Array; large: Uint32Array };
  assert.deepEqual([...loadedData.small], [1, 2, 3]);
  assert.equal(
    Buffer.compare(
      Buffer.from(loadedData.large.buffer, loadedData.large.byteOffset, largeArray.byteLength),
      bytesOf(largeArray),
    ),
    0,
  );
});

test("a file with a changed byte, a wrong length or another version is rejected", async () => {
  const file = join(dir, "damaged");
  writeSegment(file, data, [Buffer.from("raw bytes")]);
  const intactBytes = readFileSync(file);
  for (let index = 0; index < intactBytes.length; index += 1) {
    const damagedBytes = Buffer.from(intactBytes);
    damagedBytes[index] = (damagedBytes[index] ?? 0) ^ (1 << (index % 8));
    assert.equal(await readBytes(damagedBytes), undefined, `byte ${index}`);
  }
  for (let length = 0; length < intactBytes.length; length += 1)
    assert.equal(await readBytes(intactBytes.subarray(0, length)), undefined, `${length} bytes`);
  assert.equal(await readBytes(Buffer.concat([intactBytes, Buffer.alloc(1)])), undefined);
  assert.equal(await readBytes(Buffer.concat([intactBytes, intactBytes])), undefined);
  assert.equal(await readSegment(file, "2"), undefined);
  assert.deepEqual(await readBytes(intactBytes), data);
});

test("values other than plain data are rejected, and a discarded file leaves nothing", async () => {
  const file = join(dir, "refused");
  for (const invalidData of [{ map: new Map() }, { number: Number.NaN }, { $: 1 }, { run: () => 1 }]) {
    const writer = createSegmentFile(file, "1");
    assert.throws(() => writer.finish(invalidData), /cannot be kept/);
    writer.discardFile();
    closeSync(writer.fd);
  }
  assert.equal((await readdir(dir)).includes("refused"), false);
  assert.deepEqual(
    (await readdir(dir)).filter((name) => name.startsWith(".")),
    [],
  );
});

function writeSegment(file: string, value: object, rawBytes: readonly Buffer[]): void {
  const writer = createSegmentFile(file, "1");
  for (const bytes of rawBytes) writer.append(bytes);
  writer.finish(value);
  closeSync(writer.fd);
}

async function readSegment(file: string, version: string): Promise<unknown> {
  const fd = openSync(file, "r");
  try {
    return await readSegmentFile(fd, version);
  } finally {
    closeSync(fd);
  }
}

function readBytes(bytes: Buffer): Promise<unknown> {
  const file = join(dir, "bytes");
  writeFileSync(file, bytes);
  return readSegment(file, "1");
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
