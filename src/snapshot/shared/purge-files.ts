import { formatPartName, getManifestFolder, parseManifest, parseManifestRevision } from "./index-manifest.ts";
import type { ObjectStore, StoredObject } from "./object-store.ts";
import { transferEach } from "./transfer-files.ts";

/** Number of the last manifests whose files are always kept. */
const KEPT_MANIFEST_COUNT = 10;
/** Age in milliseconds until which every file is kept. */
const MIN_AGE_MS = 24 * 3_600_000;
/** Milliseconds without a new file after which the index of other settings or another version counts as unused. */
const UNUSED_INDEX_AGE_MS = 30 * MIN_AGE_MS;

/**
 * Creates a function that removes files of an index from the shared storage. Only the builder of the index may use it,
 * because it is the only writer.
 */
export function createFilePurger(store: ObjectStore, indexId: string) {
  /** Names of the parts of each manifest that is kept. Manifests never change. */
  let partNamesByManifest = new Map<string, readonly string[]>();
  /** Names of the objects that were written since the start of the last purge. */
  const writtenNames = new Set<string>();
  const removals = new Map<string, Promise<void>>();

  const readPartNames = async (manifestName: string): Promise<readonly string[]> => {
    const bytes = await store.read(manifestName);
    const files = bytes === undefined ? [] : parseManifest(bytes).files;
    return files.flatMap(({ parts }) => parts.map((hash) => formatPartName(indexId, hash)));
  };
  const removeObject = async (name: string): Promise<void> => {
    if (writtenNames.has(name)) return;
    const removal = store.remove(name);
    removals.set(name, removal);
    await removal.finally(() => removals.delete(name));
  };

  return {
    /** The storage, whose `write` may run during a purge. */
    store: {
      ...store,
      async write(name, bytes) {
        writtenNames.add(name);
        await removals.get(name)?.catch(() => undefined);
        await store.write(name, bytes);
      },
    } satisfies ObjectStore,
    /**
     * Removes files that are older than a day and that none of the last manifests uses. Also removes indexes of other
     * settings or versions without a new file for 30 days. Must not start during a write.
     * @param rollbackRevision revision whose files are kept in any case
     * @param canContinue returns whether this server may still remove files
     */
    async purge(rollbackRevision: number | undefined, canContinue: () => boolean): Promise<void> {
      writtenNames.clear();
      const objects = await store.list();
      // The builder has just written an object, so the newest time is the storage's current time.
      const now = objects.reduce((time, { modifiedAt }) => Math.max(time, modifiedAt), 0);
      const isOldObject = ({ modifiedAt }: StoredObject): boolean => modifiedAt < now - MIN_AGE_MS;
      const keptManifests = listManifests(objects, indexId).filter(
        (manifest, index) =>
          index < KEPT_MANIFEST_COUNT || !isOldObject(manifest) || manifest.revision === rollbackRevision,
      );
      const keptPartNames = new Map<string, readonly string[]>();
      /** One string for each name, because thousands of manifests may use the same part. */
      const usedNames = new Map<string, string>();
      await transferEach(keptManifests.length, async (index) => {
        const name = keptManifests[index]?.name;
        if (name === undefined || !canContinue()) return;
        const partNames = partNamesByManifest.get(name) ?? (await readPartNames(name));
        for (const usedName of [name, ...partNames]) if (!usedNames.has(usedName)) usedNames.set(usedName, usedName);
        keptPartNames.set(
          name,
          partNames.map((partName) => usedNames.get(partName) ?? partName),
        );
      });
      if (!canContinue()) return;
      partNamesByManifest = keptPartNames;
      const unusedNames = objects
        .filter((object) => object.name.startsWith(`${indexId}/`) && isOldObject(object) && !usedNames.has(object.name))
        .concat(listUnusedIndexes(objects, indexId, now))
        .map(({ name }) => name);
      const isManifest = (name: string): boolean => name.startsWith(getManifestFolder(indexId));
      // Manifests go first, so that none of them lacks a part.
      for (const names of [unusedNames.filter(isManifest), unusedNames.filter((name) => !isManifest(name))])
        await transferEach(names.length, async (index) => {
          if (canContinue()) await removeObject(String(names[index]));
        });
    },
  };
}

/** Returns the manifests of an index, newest first. */
function listManifests(
  objects: readonly StoredObject[],
  indexId: string,
): readonly (StoredObject & { readonly revision: number })[] {
  return objects
    .flatMap((object) => {
      const revision = parseManifestRevision(indexId, object.name);
      return revision === undefined ? [] : [{ ...object, revision }];
    })
    .sort((a, b) => b.revision - a.revision || b.modifiedAt - a.modifiedAt);
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
