import type { Config } from "../../config/settings.ts";
import { derivedMenuHandles } from "../objects/content/derived-menus.ts";

/** The store that uses a theme. */
export interface KnownStore {
  /** Folder of the store. */
  readonly dir: string;
  /** Handles of the store's menus. */
  readonly menus: readonly string[];
}

/** @param dir the store's folder */
export function knownStore(dir: string, config: Pick<Config, "menus">): KnownStore {
  const configured = Object.keys(config.menus);
  // A menu with another name can stand in for a derived one.
  return {
    dir,
    menus: configured.every((handle) => derivedMenuHandles.includes(handle)) ? derivedMenuHandles : configured,
  };
}
