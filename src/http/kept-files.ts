import { readFile, stat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { unlessAbsent } from "../absence.ts";
import { type AssetFile, contentVersion } from "../theme/files/asset-files.ts";

/** Files that are asked for again and again, as bytes in memory: the same array each time, so that what is made of it is kept with it. */
export interface KeptFiles {
  /** @returns undefined if the file is missing, has changed since its version was computed, or is longer than 4 MB */
  bytes(name: string, file: AssetFile): Uint8Array | Promise<Uint8Array | undefined>;
}

/** @param maxBytes how much is kept; what has not been asked for longest goes first */
export function createKeptFiles(maxBytes = 32 * 1_024 * 1_024): KeptFiles {
  const kept = new LRUCache<string, Uint8Array, Load>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => bytes.length + 1,
    fetchMethod: (_key, _stale, { context }) => context(),
  });
  // Who comes while a file is read waits for the same bytes.
  return {
    bytes(name, file) {
      const key = `${name} ${file.version}`;
      return kept.get(key) ?? kept.fetch(key, { context: () => load(file) });
    },
  };
}

type Load = () => Promise<Uint8Array | undefined>;

async function load(file: AssetFile): Promise<Uint8Array | undefined> {
  if ("text" in file) return Buffer.from(file.text);
  try {
    const { size } = await stat(file.path);
    if (size > MAX_FILE) return undefined;
    const bytes = await readFile(file.path);
    return contentVersion(bytes) === file.version ? bytes : undefined;
  } catch (error) {
    return unlessAbsent(error);
  }
}

/** Bytes; longer files are sent from the disk each time. */
const MAX_FILE = 4 * 1_024 * 1_024;
