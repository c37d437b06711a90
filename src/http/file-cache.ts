import { readFile, stat } from "node:fs/promises";
import { undefinedIfNotFound } from "../not-found.ts";
import { createCache } from "../runtime/cache.ts";
import { type AssetFile, contentVersion } from "../theme/files/asset-files.ts";

/** Contents of asset files. The array of a file stays the same, so that its encodings are cached with it. */
export interface FileCache {
  /** @returns undefined if the file is missing, has changed since its version was computed, or is longer than 4 MB */
  bytes(name: string, file: AssetFile): Uint8Array | Promise<Uint8Array | undefined>;
}

export function createFileCache(maxBytes = 32 * 1_024 * 1_024): FileCache {
  // Requests that arrive while a file is read share the promise.
  const cache = createCache<string, Uint8Array | Promise<Uint8Array | undefined>>({
    name: "files",
    maxWeight: maxBytes,
    weigh: (bytes) => (bytes instanceof Promise ? 1 : bytes.length + 1),
  });
  return {
    bytes(name, file) {
      const key = `${name} ${file.version}`;
      return cache.getOrCreate(key, async () => {
        const bytes = await load(file);
        if (bytes === undefined) cache.delete(key);
        else cache.set(key, bytes);
        return bytes;
      });
    },
  };
}

async function load(file: AssetFile): Promise<Uint8Array | undefined> {
  if ("text" in file) return Buffer.from(file.text);
  try {
    const { size } = await stat(file.path);
    if (size > MAX_FILE) return undefined;
    const bytes = await readFile(file.path);
    return contentVersion(bytes) === file.version ? bytes : undefined;
  } catch (error) {
    return undefinedIfNotFound(error);
  }
}

/** Maximum bytes of a cached file; longer files are read from the disk each time. */
const MAX_FILE = 4 * 1_024 * 1_024;
