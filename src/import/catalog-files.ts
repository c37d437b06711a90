import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ignoreNotFound } from "../not-found.ts";
import type { CatalogFile } from "./read-catalog.ts";

/**
 * Returns the catalog files at a path: the file itself, or the catalog files of a folder.
 * @param name path as the user entered it; error messages repeat it
 * @param cwd base of relative paths
 */
export async function findCatalogFiles(name: string, cwd: string): Promise<readonly CatalogFile[]> {
  const path = resolve(cwd, name);
  // A path that cannot be read is reported when the file is opened.
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) return [{ path, name }];
  const fileNames = (await readdir(path))
    .filter((fileName) => /^(?!\.|~\$).*\.(jsonl|ndjson|json|csv|tsv|xml)$/i.test(fileName))
    .sort();
  return fileNames.map((fileName) => ({ path: join(path, fileName), name: join(name, fileName) }));
}

/**
 * Returns the files of a store's `catalog/`, or an empty list if there is no such folder.
 * @throws Error of the file system if the folder cannot be read
 */
export async function listStoreFiles(storeDir: string): Promise<readonly CatalogFile[]> {
  const stats = await stat(join(storeDir, "catalog")).catch(ignoreNotFound);
  return stats?.isDirectory() === true ? findCatalogFiles("catalog", storeDir) : [];
}

/** Returns an error if `catalog` in a store is a file instead of a folder, otherwise undefined. */
export async function describeCatalogFile(storeDir: string): Promise<string | undefined> {
  const path = join(storeDir, "catalog");
  const isFolder = (await stat(path).catch(ignoreNotFound))?.isDirectory() ?? true;
  return isFolder ? undefined : `${path} must be a folder: move the file into a folder of that name`;
}

/** Returns a fingerprint of the names, sizes and modification times of files, to detect changes. */
export async function computeVersionKey(files: readonly CatalogFile[]): Promise<string> {
  const fileVersions = await Promise.all(
    files.map(async ({ path, name }) => {
      const stats = await stat(path).catch(() => undefined);
      return stats === undefined ? name : `${name} ${stats.size} ${stats.mtimeMs}`;
    }),
  );
  return fileVersions.join("\n");
}
