import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../../config/settings.ts";
import { type IndexFolder, openIndexFolder } from "../../snapshot/index-files.ts";
import { getIndexId } from "../../snapshot/shared/index-manifest.ts";
import { listSharedRevisions } from "../../snapshot/shared/list-revisions.ts";
import type { ObjectStore } from "../../snapshot/shared/object-store.ts";
import { openObjectStore } from "../../snapshot/shared/open-object-store.ts";
import { createFilePurger } from "../../snapshot/shared/purge-files.ts";
import { readRollback, readSharedIndexState } from "../../storage/catalog/index-builders.ts";
import type { Database } from "../../storage/database.ts";
import { needsMigration } from "../../storage/migrate.ts";
import { system } from "../../system.ts";
import { type CheckResult, createFailure, createSuccess, createWarning } from "./diagnosis.ts";

/**
 * Maximum difference of the clocks of this machine and of the storage in milliseconds. S3 rejects requests after 15
 * minutes.
 */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;
/** Milliseconds after which a removable file must be gone. The builder removes such files after each new revision. */
const MAX_REMOVAL_DELAY_MS = 7 * 24 * 3_600_000;

/**
 * Checks that the storage of the shared index can be read and written, that it never replaces a file that exists, that
 * its clock is right, that it has the files of the revision that servers use, and that old files are removed.
 */
export async function checkSharedIndex(
  storeDir: string,
  config: Config,
  database: Database | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CheckResult | undefined> {
  const location = config.server.sharedIndex;
  if (location === undefined) return undefined;
  let store: ObjectStore;
  try {
    store = await openObjectStore(location, storeDir, environment);
  } catch (error) {
    return createFailure(error);
  }
  const dir = location.startsWith("s3://") ? undefined : resolve(storeDir, location);
  if (dir !== undefined && !existsSync(dir))
    return createWarning(`${dir} does not exist: mount the file server, or create the folder.`);
  const folder = openIndexFolder(storeDir, config);
  try {
    return await checkStore(store, folder, database);
  } catch (error) {
    return createWarning(
      `${dir ?? location} cannot be used, so each server builds its own index: ${error instanceof Error ? error.message : error}. Check that it is reachable, and that this user may read, write, list, and delete in it.`,
    );
  }
}

/**
 * Writes an object, compares its time with the clock, checks the files, and removes the object.
 * @throws if the storage is unavailable
 */
async function checkStore(
  store: ObjectStore,
  folder: IndexFolder,
  database: Database | undefined,
): Promise<CheckResult> {
  const name = `${getIndexId(folder)}/doctor-${system.newId()}`;
  const bytes = Buffer.from(name);
  try {
    await store.write(name, bytes);
    const storedBytes = await store.read(name);
    if (storedBytes === undefined || !bytes.equals(storedBytes)) throw new Error("it returned other bytes");
    if (await store.create(name, bytes))
      return createWarning(
        "the storage replaces files that exist, although requests have If-None-Match: use a storage with conditional writes, because two servers could otherwise write one revision.",
      );
    const objects = await store.list();
    const probe = objects.find((object) => object.name === name);
    if (probe === undefined) throw new Error("it does not list a file that was written");
    const differenceMs = system.now() - probe.modifiedAt;
    if (Math.abs(differenceMs) > MAX_CLOCK_DIFFERENCE_MS)
      return createWarning(
        `the clock of this machine is ${Math.round(Math.abs(differenceMs) / 1_000)} s ${differenceMs > 0 ? "ahead of" : "behind"} the storage: set both clocks, and keep them synchronized.`,
      );
    const files = objects.filter((object) => object !== probe);
    return await checkFiles({ ...store, list: async () => files }, folder, database);
  } finally {
    await store.remove(name);
  }
}

async function checkFiles(
  store: ObjectStore,
  folder: IndexFolder,
  database: Database | undefined,
): Promise<CheckResult> {
  const objects = await store.list();
  let revisions: readonly number[] = [];
  let rollbackRevision: number | undefined;
  if (database !== undefined && !(await needsMigration(database))) {
    const { sharedRevision } = await readSharedIndexState(database, getIndexId(folder));
    revisions = await listSharedRevisions(objects, folder, database);
    rollbackRevision = await readRollback(database);
    for (const revision of [sharedRevision, rollbackRevision ?? 0])
      if (revision > 0 && !revisions.includes(revision))
        return createWarning(
          `the storage lacks the index of revision ${revision}, which the servers use: check that all servers name the same storage, and import a change, which writes the next revision.`,
        );
  }
  const removableNames = await listRemovableNames(store, folder, rollbackRevision);
  const newestTime = objects.reduce((time, { modifiedAt }) => Math.max(time, modifiedAt), 0);
  const orphans = objects.filter(
    ({ name, modifiedAt }) => removableNames.has(name) && modifiedAt < newestTime - MAX_REMOVAL_DELAY_MS,
  );
  if (orphans.length > 0)
    return createWarning(
      `${orphans.length} files, such as ${orphans[0]?.name}, are used by no revision, but were not removed: give the servers permission to delete them, or delete them.`,
    );
  return createSuccess(`${objects.length} files, ${revisions.length} revisions for a rollback`);
}

/** Returns the names that the builder would remove now. */
async function listRemovableNames(
  store: ObjectStore,
  folder: IndexFolder,
  rollbackRevision: number | undefined,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const remove = async (name: string): Promise<void> => void names.add(name);
  await createFilePurger({ ...store, remove }, getIndexId(folder)).purge(rollbackRevision, () => true);
  return names;
}
