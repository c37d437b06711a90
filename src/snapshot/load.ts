import { closeSync, open, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { readSegmentFile } from "@vitrine/search/file";
import { memoizePerObject } from "../runtime/cache.ts";
import { countChangedRows, readCatalogState, readLastPosition } from "../storage/catalog/catalog-store.ts";
import { readRevisionToken, saveRevisionToken } from "../storage/catalog/revisions.ts";
import type { Database } from "../storage/database.ts";
import type { BaseLayer } from "./build.ts";
import { formatIndexFileName, type IndexFolder, listIndexFiles } from "./index-files.ts";
import { computeMaxDeltaRows } from "./layers.ts";

export interface LoadOptions {
  readonly folder: IndexFolder;
  readonly database: Database;
  readonly warn: (message: string) => void;
  readonly newId: () => string;
}

/**
 * Returns the newest saved catalog to which the later changes can be added as a delta. Damaged files are skipped.
 * @throws if the database cannot be read
 */
export async function loadSavedIndex({ folder, database, warn, newId }: LoadOptions): Promise<BaseLayer | undefined> {
  const { revision: newestRevision, oldestKeptRevision } = await readCatalogState(database);
  // If more rows have changed, a full build is faster than a delta.
  const maxChangedRows = computeMaxDeltaRows(await readLastPosition(database));
  if ((await readRevisionToken(database, newestRevision)) === undefined)
    await database.write(saveRevisionToken(newestRevision, newId()));
  for (const { name, revision } of listFiles(folder)) {
    if (revision > newestRevision || revision < oldestKeptRevision) continue;
    const token = await readRevisionToken(database, revision);
    if (token === undefined || name !== formatIndexFileName(folder, revision, token)) continue;
    if ((await countChangedRows(database, revision, maxChangedRows + 1)) > maxChangedRows) continue;
    const path = join(folder.dir, name);
    const baseLayer = await readIndexFile(path, name);
    if (baseLayer !== undefined) return baseLayer;
    warn(`${path} is damaged: the index is rebuilt`);
    rmSync(path, { force: true });
  }
  return undefined;
}

/**
 * Closes the file of a catalog's strings when the catalog is no longer referenced.
 * @returns a function that closes the file immediately
 */
export function registerFileCloser({ base }: BaseLayer): () => void {
  return createFileCloser(base.rows.texts);
}

const createFileCloser = memoizePerObject((texts: BaseLayer["base"]["rows"]["texts"]): (() => void) => {
  if ("bytes" in texts) return () => {};
  const { fd } = texts;
  const unregisterToken = {};
  unusedFiles.register(texts, fd, unregisterToken);
  return () => {
    if (unusedFiles.unregister(unregisterToken)) closeSync(fd);
  };
});

const unusedFiles = new FinalizationRegistry<number>((fd) => closeSync(fd));

function listFiles(folder: IndexFolder): ReturnType<typeof listIndexFiles> {
  try {
    return listIndexFiles(folder);
  } catch {
    // The folder does not exist yet.
    return [];
  }
}

const openFile = promisify(open);

/**
 * Reads the file of a full build.
 * @param isVerified whether this process has verified the file before, so that texts of the catalog need no check
 * @returns undefined if it is missing, damaged, or of another version
 */
export async function readIndexFile(path: string, version: string, isVerified = false): Promise<BaseLayer | undefined> {
  const fd = await openFile(path, "r").catch(() => undefined);
  if (fd === undefined) return undefined;
  const baseLayer = (await readSegmentFile(fd, version, isVerified)) as BaseLayer | undefined;
  const texts = baseLayer?.base.rows.texts;
  if (baseLayer === undefined || texts === undefined || "bytes" in texts) {
    closeSync(fd);
    return baseLayer;
  }
  // The saved file descriptor belonged to the process that wrote the file.
  const rows = { ...baseLayer.base.rows, texts: { ...texts, fd } };
  return { ...baseLayer, base: { ...baseLayer.base, rows } };
}
