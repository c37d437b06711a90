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

test("data comes back as it was written, raw bytes lie where they were put, and nothing else is left in the folder", async () => {
  const file = join(dir, "whole");
  write(file, data, [Buffer.from("first"), Buffer.from("second")]);
  assert.deepEqual(await read(file, "1"), data);
  const fd = openSync(file, "r");
  const raw = Buffer.alloc(6);
  readSync(fd, raw, 0, 6, 5);
  closeSync(fd);
  assert.equal(raw.toString(), "second");
  assert.deepEqual(await readdir(dir), ["whole"]);
});

test("arrays and raw bytes of several blocks come back", async () => {
  const file = join(dir, "large");
  const large = Uint32Array.from({ length: 2_500_000 }, (_, index) => Math.imul(index, 2_654_435_761) >>> 0);
  const raw = Buffer.from(large.buffer, 0, 5_000_000);
  write(file, { small: Uint8Array.of(1, 2, 3), large }, [raw, raw]);
  const found = (await read(file, "1")) as { small: Uint8Array; large: Uint32Array };
  assert.deepEqual([...found.small], [1, 2, 3]);
  assert.equal(
    Buffer.compare(Buffer.from(found.large.buffer, found.large.byteOffset, large.byteLength), bytesOf(large)),
    0,
  );
});

test("a file is no good with any one of its bytes changed, too short, too long, or asked for as another version", async () => {
  const file = join(dir, "damaged");
  write(file, data, [Buffer.from("raw bytes")]);
  const whole = readFileSync(file);
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
    assert.equal(await readBytes(damaged), undefined, `byte ${at}`);
  }
  for (let length = 0; length < whole.length; length += 1)
    assert.equal(await readBytes(whole.subarray(0, length)), undefined, `${length} bytes`);
  assert.equal(await readBytes(Buffer.concat([whole, Buffer.alloc(1)])), undefined);
  assert.equal(await readBytes(Buffer.concat([whole, whole])), undefined);
  assert.equal(await read(file, "2"), undefined);
  assert.deepEqual(await readBytes(whole), data);
});

test("what is no plain data is refused, and a file that is given up leaves nothing", async () => {
  const file = join(dir, "refused");
  for (const wrong of [{ map: new Map() }, { number: Number.NaN }, { $: 1 }, { run: () => 1 }]) {
    const writer = createSegmentFile(file, "1");
    assert.throws(() => writer.finish(wrong), /cannot be kept/);
    writer.discard();
    closeSync(writer.fd);
  }
  assert.equal((await readdir(dir)).includes("refused"), false);
  assert.deepEqual(
    (await readdir(dir)).filter((name) => name.startsWith(".")),
    [],
  );
});

function write(file: string, value: object, raw: readonly Buffer[]): void {
  const writer = createSegmentFile(file, "1");
  for (const bytes of raw) writer.append(bytes);
  writer.finish(value);
  closeSync(writer.fd);
}

async function read(file: string, version: string): Promise<unknown> {
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
  return read(file, "1");
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
