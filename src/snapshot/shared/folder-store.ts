import { link, mkdir, mkdtempDisposable, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { getErrorCode, ignoreNotFound, isNotFound } from "../../not-found.ts";
import type { ObjectStore, StoredObject } from "./object-store.ts";

/** Name prefix of folders with files that are not yet complete. */
const PARTIAL_FOLDER_PREFIX = ".part-";

/** Creates a storage in a folder, such as one of a file server. The folder is created at the first write. */
export function createFolderStore(dir: string): ObjectStore {
  /** Writes a temporary file, and passes its path to `publish`. */
  const writeAndPublish = async (
    name: string,
    bytes: Uint8Array,
    publish: (partialPath: string, path: string) => Promise<void>,
  ): Promise<void> => {
    const path = join(dir, name);
    await mkdir(dirname(path), { recursive: true });
    // The operating system chooses a unique name, so no two servers share a folder.
    await using partialDir = await mkdtempDisposable(join(dirname(path), PARTIAL_FOLDER_PREFIX));
    const partialPath = join(partialDir.path, "part");
    await writeFile(partialPath, bytes, { flush: true });
    await publish(partialPath, path);
  };
  return {
    read: (name) => readFile(join(dir, name)).catch(ignoreNotFound),
    write: (name, bytes) => writeAndPublish(name, bytes, rename),
    async create(name, bytes) {
      try {
        // Unlike a rename, a link fails if the name exists.
        await writeAndPublish(name, bytes, link);
        return true;
      } catch (error) {
        if (getErrorCode(error) === "EEXIST") return false;
        throw error;
      }
    },
    async list() {
      const objects: StoredObject[] = [];
      for (const name of await listFiles(dir)) {
        try {
          objects.push({ name, modifiedAt: (await stat(join(dir, name))).mtimeMs });
        } catch (error) {
          // Another server removed the file.
          if (!isNotFound(error)) throw error;
        }
      }
      return objects;
    },
    remove: (name) => rm(join(dir, name), { force: true }),
  };
}

/** Returns the paths of all files in a folder, relative to it. */
async function listFiles(dir: string): Promise<readonly string[]> {
  const entries = (await readdir(dir, { recursive: true, withFileTypes: true }).catch(ignoreNotFound)) ?? [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dir.length + 1)
        .replaceAll("\\", "/"),
    );
}
