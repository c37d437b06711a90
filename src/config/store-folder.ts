import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SetupError } from "../setup-error.ts";

/** Returns whether a folder contains the settings of a store. */
export function isStoreFolder(dir: string): boolean {
  return findConfigFile(dir) !== undefined;
}

/** Returns the path of `vitrine.config.ts` (or `.js`) in a store folder, or undefined. */
export function findConfigFile(dir: string): string | undefined {
  return ["vitrine.config.ts", "vitrine.config.js"].map((name) => join(dir, name)).find((path) => existsSync(path));
}

/** Throws an error if a path that should be a folder is a file.  @throws SetupError */
export function rejectFilePath(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const folder = dirname(path);
  throw new SetupError(
    `${path}: is a file. Name the folder of the store${isStoreFolder(folder) ? `, ${folder}` : ""}.`,
  );
}
