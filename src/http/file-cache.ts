import { readFile, stat } from "node:fs/promises";
import { ignoreNotFound } from "../not-found.ts";
import { createCache } from "../runtime/cache.ts";
import { type AssetFile, hashContent } from "../theme/files/asset-files.ts";

/**
 * Memory cache of theme files. Repeated calls return the same array object, so that its compressed form can be cached
 * too.
 */
export interface FileCache {
  /**
   * Returns the content of a file.
   * @returns undefined if the file is missing, has changed since its version was computed, or exceeds the maximum size
   */
  bytes(name: string, file: AssetFile): Uint8Array | Promise<Uint8Array | undefined>;
}

export function createFileCache(maxBytes = 32 * 1_024 * 1_024): FileCache {
  // Concurrent requests for the same file share one read from the disk.
  const cache = createCache<string, Uint8Array | Promise<Uint8Array | undefined>>({
    name: "files",
    maxWeight: maxBytes,
    weigh: (bytes) => (bytes instanceof Promise ? 1 : bytes.length + 1),
  });
  return {
    bytes(name, file) {
      const key = `${name} ${file.version}`;
      return cache.getOrCreate(key, async () => {
        const bytes = await loadFile(file);
        if (bytes === undefined) cache.delete(key);
        else cache.set(key, bytes);
        return bytes;
      });
    },
  };
}

async function loadFile(file: AssetFile): Promise<Uint8Array | undefined> {
  if ("text" in file) return Buffer.from(file.text);
  try {
    const { size } = await stat(file.path);
    if (size > MAX_FILE_BYTES) return undefined;
    const bytes = await readFile(file.path);
    return hashContent(bytes) === file.version ? bytes : undefined;
  } catch (error) {
    return ignoreNotFound(error);
  }
}

/** Maximum size of a cached file, in bytes. Larger files are read from the disk each time. */
const MAX_FILE_BYTES = 4 * 1_024 * 1_024;
