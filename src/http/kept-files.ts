import { readFile } from "node:fs/promises";
import { unlessAbsent } from "../absence.ts";

/** Files that are asked for again and again, as bytes in memory: the same array each time, so that what is made of it is kept with it. */
export interface KeptFiles {
  /** @param key names these very bytes: another version has another key  @returns undefined where the file is gone, or too long to keep */
  bytes(key: string, source: { readonly path: string } | { readonly text: string }): Promise<Uint8Array | undefined>;
}

/** @param maxBytes how much is kept; what has not been asked for longest goes first */
export function createKeptFiles(maxBytes = 32 * 1_024 * 1_024): KeptFiles {
  const kept = new Map<string, Promise<Uint8Array | undefined>>();
  const lengths = new Map<string, number>();
  let total = 0;
  const forget = (key: string): void => {
    total -= lengths.get(key) ?? 0;
    lengths.delete(key);
    kept.delete(key);
  };
  const load = async (key: string, source: Parameters<KeptFiles["bytes"]>[1]): Promise<Uint8Array | undefined> => {
    const bytes = "text" in source ? Buffer.from(source.text) : await readFile(source.path).catch(unlessAbsent);
    if (bytes === undefined || bytes.length > MAX_FILE) {
      forget(key);
      return undefined;
    }
    lengths.set(key, bytes.length);
    total += bytes.length;
    for (const oldest of lengths.keys()) {
      if (total <= maxBytes || oldest === key) break;
      forget(oldest);
    }
    return bytes;
  };
  return {
    bytes(key, source) {
      const known = kept.get(key) ?? load(key, source);
      // To the end of the order: what has not been asked for longest stands first.
      kept.set(key, known);
      const length = lengths.get(key);
      if (length !== undefined) {
        lengths.delete(key);
        lengths.set(key, length);
      }
      return known;
    },
  };
}

/** Bytes; longer files are read from the disk each time. */
const MAX_FILE = 4 * 1_024 * 1_024;
