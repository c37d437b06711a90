import { closeSync } from "node:fs";
import { open } from "node:fs/promises";
import { createSegmentFile, readSegmentFile } from "@vitrine/search/file";
import type { PackedDelta } from "../catalog/packed/packed-catalog.ts";
import type { DeltaLayer } from "./build.ts";

/** Data of the file of a delta, without the map, which the file format lacks. */
interface SavedDelta extends Omit<DeltaLayer, "delta"> {
  readonly delta: Omit<PackedDelta, "members"> & {
    readonly members: readonly (readonly [
      number,
      PackedDelta["members"] extends ReadonlyMap<number, infer M> ? M : never,
    ])[];
  };
}

/** Writes a delta to a file.  @throws errors of the disk */
export function saveDelta(path: string, version: string, { delta, segment }: DeltaLayer): void {
  const file = createSegmentFile(path, version);
  try {
    file.finish({ delta: { ...delta, members: [...delta.members] }, segment } satisfies SavedDelta);
  } catch (error) {
    file.discardFile();
    throw error;
  } finally {
    closeSync(file.fd);
  }
}

/** Reads the file of a delta.  @returns undefined if it is missing, damaged, or of another version */
export async function readDeltaFile(path: string, version: string): Promise<DeltaLayer | undefined> {
  await using file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  const savedDelta = (await readSegmentFile(file.fd, version)) as SavedDelta | undefined;
  return savedDelta && { ...savedDelta, delta: { ...savedDelta.delta, members: new Map(savedDelta.delta.members) } };
}
