import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SetupError } from "../setup-error.ts";

/** True for a folder that holds the settings of a store, which is what makes it one. */
export function isStoreFolder(dir: string): boolean {
  return configFile(dir) !== undefined;
}

/** `vitrine.config.ts` (or `.js`) of a store's folder; undefined where it has none. */
export function configFile(dir: string): string | undefined {
  return ["vitrine.config.ts", "vitrine.config.js"].map((name) => join(dir, name)).find((path) => existsSync(path));
}

/** @throws SetupError for a file, which is easily named in place of its folder */
export function refuseFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const folder = dirname(path);
  throw new SetupError(
    `${path}: is a file. Name the folder of the store${isStoreFolder(folder) ? `, ${folder}` : ""}.`,
  );
}
