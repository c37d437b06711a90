import { readFile, stat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { unlessAbsent } from "../absence.ts";

/** Files that are asked for again and again, as bytes in memory: the same array each time, so that what is made of it is kept with it. */
export interface KeptFiles {
  /** @param key names these very bytes: another version has another key  @returns undefined where the file is gone, or too long to keep */
  bytes(key: string, source: Source): Uint8Array | Promise<Uint8Array | undefined>;
}

type Source = { readonly path: string } | { readonly text: string };

/** @param maxBytes how much is kept; what has not been asked for longest goes first */
export function createKeptFiles(maxBytes = 32 * 1_024 * 1_024): KeptFiles {
  const kept = new LRUCache<string, Uint8Array, Load>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => bytes.length + 1,
    fetchMethod: (_key, _stale, { context }) => context(),
  });
  // Who comes while a file is read waits for the same bytes.
  return { bytes: (key, source) => kept.get(key) ?? kept.fetch(key, { context: () => load(source) }) };
}

type Load = () => Promise<Uint8Array | undefined>;

async function load(source: Source): Promise<Uint8Array | undefined> {
  if ("text" in source) return Buffer.from(source.text);
  try {
    const { size } = await stat(source.path);
    return size > MAX_FILE ? undefined : await readFile(source.path);
  } catch (error) {
    return unlessAbsent(error);
  }
}

/** Bytes; longer files are sent from the disk each time. */
const MAX_FILE = 4 * 1_024 * 1_024;
