import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { SetupError } from "../setup-error.ts";

/** Returns whether a folder contains a store's settings. */
export function isStoreFolder(dir: string): boolean {
  return configFile(dir) !== undefined;
}

/** Returns the path of `vitrine.config.ts` (or `.js`) in a store's folder, or undefined. */
export function configFile(dir: string): string | undefined {
  return ["vitrine.config.ts", "vitrine.config.js"].map((name) => join(dir, name)).find((path) => existsSync(path));
}

/** @throws SetupError if the path is a file, a common mistake */
export function refuseFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const folder = dirname(path);
  throw new SetupError(
    `${path}: is a file. Name the folder of the store${isStoreFolder(folder) ? `, ${folder}` : ""}.`,
  );
}
