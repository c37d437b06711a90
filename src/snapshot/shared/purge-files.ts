import { formatPartName, getManifestFolder, parseManifest } from "./index-manifest.ts";
import type { ObjectStore, StoredObject } from "./object-store.ts";

/** Number of the last manifests whose files are always kept. */
const KEPT_MANIFEST_COUNT = 10;
/** Age in milliseconds until which every file is kept. */
const MIN_AGE_MS = 24 * 3_600_000;
/** Milliseconds without a new file after which the index of other settings or another version counts as unused. */
const UNUSED_INDEX_AGE_MS = 30 * MIN_AGE_MS;

/**
 * Removes files from the shared storage that are older than a day and that none of the last manifests uses. Also
 * removes indexes of other settings or versions without a new file for 30 days. Only the builder of the index may call
 * this, because it is the only writer.
 * @param rollbackRevision revision whose files are kept in any case
 */
export async function purgeFiles(
  store: ObjectStore,
  indexId: string,
  rollbackRevision: number | undefined,
): Promise<void> {
  const objects = await store.list();
  // The builder has just written an object, so the newest time is the storage's current time.
  const now = Math.max(...objects.map(({ modifiedAt }) => modifiedAt));
  const isOldObject = ({ modifiedAt }: StoredObject): boolean => modifiedAt < now - MIN_AGE_MS;
  const ownObjects = objects.filter(({ name }) => name.startsWith(`${indexId}/`));
  const manifestFolder = getManifestFolder(indexId);
  const manifests = ownObjects
    .filter(({ name }) => name.startsWith(manifestFolder))
    .map((object) => ({ ...object, revision: Number.parseInt(object.name.slice(manifestFolder.length), 10) }))
    .sort((a, b) => b.revision - a.revision || b.modifiedAt - a.modifiedAt);
  const isKeptManifest = (manifest: (typeof manifests)[number], index: number): boolean =>
    index < KEPT_MANIFEST_COUNT || !isOldObject(manifest) || manifest.revision === rollbackRevision;
  const usedNames = new Set<string>();
  for (const { name } of manifests.filter(isKeptManifest)) {
    usedNames.add(name);
    const bytes = await store.read(name);
    const files = bytes === undefined ? [] : parseManifest(bytes).files;
    for (const hash of files.flatMap(({ parts }) => parts)) usedNames.add(formatPartName(indexId, hash));
  }
  const unusedObjects = ownObjects.filter((object) => isOldObject(object) && !usedNames.has(object.name));
  // Manifests go first, so that none of them lacks a part.
  unusedObjects.sort((a, b) => Number(b.name.startsWith(manifestFolder)) - Number(a.name.startsWith(manifestFolder)));
  for (const { name } of [...unusedObjects, ...listUnusedIndexes(objects, indexId, now)]) await store.remove(name);
}

/** Returns the objects of all other indexes without a new file for a long time. */
function listUnusedIndexes(objects: readonly StoredObject[], indexId: string, now: number): readonly StoredObject[] {
  const objectsByIndex = Map.groupBy(objects, ({ name }) => name.split("/")[0]);
  return [...objectsByIndex].flatMap(([id, indexObjects]) =>
    id !== indexId && indexObjects.every(({ modifiedAt }) => modifiedAt < now - UNUSED_INDEX_AGE_MS)
      ? indexObjects
      : [],
  );
}
