import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { ignoreNotFound } from "../not-found.ts";

/** Names in the store's folder that a backup excludes, as in `deploy/Dockerfile.dockerignore`. */
const excludedNames = /^(?:data|\.env.*|backup.*|.*\.db|\.git|\.vitrine-backup-.*)$/;
/** Name of folders with packages, which "npm install" creates. */
const PACKAGES_FOLDER = "node_modules";

/** A file of the store's folder. */
export interface StoreFile {
  /** Path in the store's folder, with slashes. */
  readonly name: string;
  readonly path: string;
}

/**
 * Yields the files that a store consists of, in order of their names: settings, catalog, media, theme, search rules,
 * and others. Follows symbolic links. Secrets, packages, caches, and earlier backups are left out.
 */
export async function* listStoreFiles(storeDir: string): AsyncGenerator<StoreFile> {
  yield* listFolder(storeDir, "", [await realpath(storeDir)]);
}

/**
 * @param ancestors real paths of the folder and of the folders that contain it, to detect symbolic links that form a
 * cycle
 */
async function* listFolder(dir: string, prefix: string, ancestors: readonly string[]): AsyncGenerator<StoreFile> {
  for (const name of (await readdir(dir)).sort()) {
    if (name === PACKAGES_FOLDER || (prefix === "" && excludedNames.test(name))) continue;
    const path = join(dir, name);
    // An editor may delete a file during the backup, and the target of a symbolic link may not exist.
    const stats = await stat(path).catch(ignoreNotFound);
    if (stats?.isFile() === true) yield { name: `${prefix}${name}`, path };
    if (stats?.isDirectory() !== true) continue;
    const folder = await realpath(path);
    if (!ancestors.includes(folder)) yield* listFolder(path, `${prefix}${name}/`, [...ancestors, folder]);
  }
}
