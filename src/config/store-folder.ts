import { existsSync } from "node:fs";
import { join } from "node:path";

/** True for a folder that holds the settings of a store, which is what makes it one. */
export function isStoreFolder(dir: string): boolean {
  return configFile(dir) !== undefined;
}

/** `vitrine.config.ts` (or `.js`) of a store's folder; undefined where it has none. */
export function configFile(dir: string): string | undefined {
  return ["vitrine.config.ts", "vitrine.config.js"].map((name) => join(dir, name)).find((path) => existsSync(path));
}
