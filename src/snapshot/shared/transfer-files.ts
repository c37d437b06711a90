import { type FileHandle, mkdtempDisposable, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { partialDirPrefix, partialFileName } from "@vitrine/search/file";
import { formatPartName, PART_BYTES, type SharedFile } from "./index-manifest.ts";
import type { ObjectStore } from "./object-store.ts";

/** Number of objects that are transferred at the same time. */
const MAX_PARALLEL_TRANSFERS = 6;

/** Writes a file to the shared storage.  @throws if the file cannot be read, or the storage is unavailable */
export async function uploadFile(
  store: ObjectStore,
  indexId: string,
  path: string,
  layer: Pick<SharedFile, "revision" | "version">,
): Promise<SharedFile> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const parts: string[] = Array.from({ length: Math.ceil(size / PART_BYTES) }, () => "");
  await transferEach(parts.length, async (index) => {
    const bytes = await readFilePart(file, index, size);
    const hash = await computeHash(bytes);
    parts[index] = hash;
    await store.write(formatPartName(indexId, hash), bytes);
  });
  return { ...layer, bytes: size, parts };
}

/**
 * Copies a file from the shared storage, and verifies the hash of each part.
 * @throws if a part is missing or damaged, the disk is full, or the storage is unavailable
 */
export async function downloadFile(
  store: ObjectStore,
  indexId: string,
  { bytes: size, parts }: SharedFile,
  path: string,
): Promise<void> {
  await using partialDir = await mkdtempDisposable(join(dirname(path), partialDirPrefix));
  const partialPath = join(partialDir.path, partialFileName);
  const file = await open(partialPath, "wx", 0o600);
  try {
    await transferEach(parts.length, async (index) => {
      const hash = String(parts[index]);
      const bytes = await store.read(formatPartName(indexId, hash));
      if (bytes === undefined) throw new Error(`the shared index lacks the part ${hash}`);
      if ((await computeHash(bytes)) !== hash || bytes.length !== getPartLength(index, size))
        throw new Error(`the part ${hash} of the shared index is damaged`);
      await file.write(bytes, 0, bytes.length, index * PART_BYTES);
    });
  } finally {
    await file.close();
  }
  await rename(partialPath, path);
}

function getPartLength(index: number, size: number): number {
  return Math.min(PART_BYTES, size - index * PART_BYTES);
}

async function readFilePart(file: FileHandle, index: number, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(getPartLength(index, size));
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, offset, bytes.length - offset, index * PART_BYTES + offset);
    if (bytesRead === 0) throw new Error("the index file became shorter");
    offset += bytesRead;
  }
  return bytes;
}

/** Returns the SHA-256 of bytes in hexadecimal, computed in another thread. */
async function computeHash(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toString("hex");
}

/** Runs `transfer` for each index below `count`, a few at a time. After an error, no further transfer starts. */
export async function transferEach(count: number, transfer: (index: number) => Promise<void>): Promise<void> {
  let nextIndex = 0;
  let hasFailed = false;
  const runTransfers = async (): Promise<void> => {
    while (nextIndex < count && !hasFailed) {
      nextIndex += 1;
      try {
        await transfer(nextIndex - 1);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: MAX_PARALLEL_TRANSFERS }, runTransfers));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
