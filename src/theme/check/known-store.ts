import type { Config } from "../../config/settings.ts";
import { derivedMenuHandles } from "../objects/content/derived-menus.ts";

/** Data about the store that uses a theme. */
export interface KnownStore {
  /** Path of the store's folder. */
  readonly dir: string;
  /** Handles of the store's menus. */
  readonly menus: readonly string[];
}

/** Reads the data about a store that theme checks need.  @param dir the store's folder */
export function knownStore(dir: string, config: Pick<Config, "menus">): KnownStore {
  const configuredMenus = Object.keys(config.menus);
  // If all configured menus have the handles of default menus, both default menus exist. Otherwise, only the configured
  // menus are known to exist.
  return {
    dir,
    menus: configuredMenus.every((handle) => derivedMenuHandles.includes(handle))
      ? derivedMenuHandles
      : configuredMenus,
  };
}
