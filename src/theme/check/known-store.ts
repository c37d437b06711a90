import type { Config } from "../../config/settings.ts";
import { derivedMenuHandles } from "../objects/content/derived-menus.ts";

/** The store that shows a theme. */
export interface KnownStore {
  /** Its folder. */
  readonly dir: string;
  /** Handles of its menus. */
  readonly menus: readonly string[];
}

/** @param dir the store's folder */
export function knownStore(dir: string, config: Pick<Config, "menus">): KnownStore {
  const own = Object.keys(config.menus);
  // A menu of another name may be meant for one that would be derived.
  return { dir, menus: own.every((handle) => derivedMenuHandles.includes(handle)) ? derivedMenuHandles : own };
}
