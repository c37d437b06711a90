import { readRevisionToken } from "../../storage/catalog/revisions.ts";
import type { Database } from "../../storage/database.ts";
import type { IndexFolder } from "../index-files.ts";
import { formatManifestName, getIndexId, parseManifestRevision } from "./index-manifest.ts";
import type { StoredObject } from "./object-store.ts";

/** Returns the catalog revisions among the objects of the shared storage, newest first. */
export async function listSharedRevisions(
  objects: readonly StoredObject[],
  folder: IndexFolder,
  database: Database,
): Promise<readonly number[]> {
  const revisions: number[] = [];
  for (const { name } of objects) {
    const revision = parseManifestRevision(getIndexId(folder), name);
    if (revision === undefined) continue;
    // After a restore of the database, the storage may contain revisions of another history.
    const token = await readRevisionToken(database, revision);
    if (token !== undefined && name === formatManifestName(folder, revision, token)) revisions.push(revision);
  }
  return revisions.sort((a, b) => b - a);
}
