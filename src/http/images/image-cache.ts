import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { threadId } from "node:worker_threads";
import type { Log } from "../../observability/log.ts";
import { HOUR_MS } from "../../runtime/durations.ts";
import type { StaticFile } from "../wire/reply.ts";

/** Disk cache of resized images with a maximum size. The least recently used images are removed first. */
export interface ImageCache {
  /** Returns a cached image, or undefined.  @param name for example "ab/abcdef.webp" */
  find(name: string): Promise<StaticFile | undefined>;
  /** Writes a file atomically. A disk error is logged and ignored. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Resolves when all pending writes are complete. */
  waitForWrites(): Promise<void>;
}

export interface ImageCacheOptions {
  /** Folder of the cache, which is created with the first image. */
  readonly dir: string;
  readonly maxBytes: number;
  readonly log: Pick<Log, "warn">;
  /** Clock, in milliseconds since 1970. */
  readonly now: () => number;
}

export function createImageCache({ dir, maxBytes, log, now }: ImageCacheOptions): ImageCache {
  /** Bytes in the folder; undefined before the first scan. */
  let totalBytes: number | undefined;
  let tempFileCount = 0;
  let writes: Promise<void> = Promise.resolve();

  const write = async (name: string, bytes: Uint8Array): Promise<void> => {
    const path = join(dir, name);
    await mkdir(dirname(path), { recursive: true });
    tempFileCount += 1;
    // Each thread of a process has its own cache of the same folder.
    const temporaryPath = `${path}.${process.pid}-${threadId}-${tempFileCount}${TEMPORARY_EXTENSION}`;
    await writeFile(temporaryPath, bytes);
    await rename(temporaryPath, path);
    totalBytes = totalBytes === undefined ? await removeOldestFiles(dir, maxBytes, now()) : totalBytes + bytes.length;
    if (totalBytes > maxBytes) totalBytes = await removeOldestFiles(dir, maxBytes, now());
  };
  return {
    async find(name) {
      const path = join(dir, name);
      const fileStats = await stat(path).catch(() => undefined);
      if (fileStats === undefined) return undefined;
      const time = now();
      // The file's modification time records when the image was last requested, to the hour.
      if (time - fileStats.mtimeMs > FILE_TIME_INTERVAL_MS)
        await utimes(path, time / 1_000, time / 1_000).catch(() => undefined);
      return { root: dir, path: `/${name}` };
    },
    put(name, bytes) {
      writes = writes
        .then(() => write(name, bytes))
        .catch((error: unknown) => log.warn({ error }, "a resized image could not be stored"));
      return writes;
    },
    waitForWrites: () => writes,
  };
}

/** File extension while an image is being written. */
const TEMPORARY_EXTENSION = ".part";
/** Age in milliseconds at which the modification time of a requested file is updated. */
const FILE_TIME_INTERVAL_MS = HOUR_MS;
/** Fraction of the size limit that remains after old images are removed, so that the next image still fits. */
const REMAINING_SIZE_RATIO = 0.9;

/** Removes the oldest files until the folder is within the limit.  @returns the remaining bytes */
async function removeOldestFiles(dir: string, maxBytes: number, now: number): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files: { readonly path: string; readonly size: number; readonly time: number }[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const fileStats = await stat(path).catch(() => undefined);
    if (fileStats === undefined) continue;
    const isAbandoned = entry.name.endsWith(TEMPORARY_EXTENSION) && now - fileStats.mtimeMs > FILE_TIME_INTERVAL_MS;
    if (isAbandoned) await rm(path, { force: true });
    else files.push({ path, size: fileStats.size, time: fileStats.mtimeMs });
  }
  let totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  if (totalBytes <= maxBytes) return totalBytes;
  for (const { path, size } of files.sort((a, b) => a.time - b.time)) {
    if (totalBytes <= maxBytes * REMAINING_SIZE_RATIO) break;
    await rm(path, { force: true });
    totalBytes -= size;
  }
  return totalBytes;
}
