import { createHash } from "node:crypto";
import * as v from "valibot";
import { formatIndexFileName, type IndexFolder } from "../index-files.ts";

/** An index file in the shared storage, in parts that are named by their hash. */
export interface SharedFile {
  /** Catalog revision of the layer in the file. */
  readonly revision: number;
  /** Version that is stored in the file, and that its readers check. */
  readonly version: string;
  readonly bytes: number;
  /** SHA-256 of each part in hexadecimal, in order. All parts except the last have `PART_BYTES`. */
  readonly parts: readonly string[];
}

/** Files of one revision of the catalog with its search index. */
export interface IndexManifest {
  readonly revision: number;
  /** The full build, then the deltas over it, oldest first. */
  readonly files: readonly SharedFile[];
}

/** Bytes of a part. Larger parts need more memory during a transfer, smaller ones more requests. */
export const PART_BYTES = 8 * 1_024 * 1_024;

const numberSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const manifestSchema = v.object({
  revision: numberSchema,
  files: v.pipe(
    v.array(
      v.object({
        revision: numberSchema,
        version: v.string(),
        bytes: numberSchema,
        parts: v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
      }),
    ),
    v.minLength(1),
  ),
});

/** @throws if the text is not a manifest */
export function parseManifest(bytes: Uint8Array): IndexManifest {
  return v.parse(manifestSchema, JSON.parse(Buffer.from(bytes).toString()));
}

/**
 * Returns the folder in the shared storage for an index. Each combination of settings and code has its own, so that
 * servers of two versions do not remove each other's files.
 */
export function getIndexId({ settings }: IndexFolder): string {
  return settings.slice(0, 16);
}

export function formatPartName(indexId: string, hash: string): string {
  return `${indexId}/parts/${hash}`;
}

/** @param token name of the catalog revision */
export function formatManifestName(folder: IndexFolder, revision: number, token: string): string {
  const name = formatIndexFileName(folder, revision, token).replace(/\.index$/, ".json");
  return `${getManifestFolder(getIndexId(folder))}${name}`;
}

export function getManifestFolder(indexId: string): string {
  return `${indexId}/manifests/`;
}

/** Returns the catalog revision of a manifest. Undefined for other objects, such as an incomplete file after a crash. */
export function parseManifestRevision(indexId: string, name: string): number | undefined {
  const folder = getManifestFolder(indexId);
  if (!name.startsWith(folder)) return undefined;
  const revision = /^(\d+)-[0-9a-f]{32}\.json$/.exec(name.slice(folder.length))?.[1];
  return revision === undefined ? undefined : Number(revision);
}

/** Returns the name of the local copy of a shared file, which depends on its content. */
export function formatCopyName({ revision, parts }: SharedFile): string {
  const hash = createHash("sha256").update(parts.join()).digest("hex");
  return `${revision}-${hash.slice(0, 32)}.index`;
}
