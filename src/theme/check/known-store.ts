import type { Config } from "../../config/settings.ts";
import { derivedMenuHandles } from "../objects/content/derived-menus.ts";

/** Data about the store that uses a theme. */
export interface StoreInfo {
  /** Path of the store's folder. */
  readonly dir: string;
  /** Handles of the store's menus. */
  readonly menus: readonly string[];
}

/**
 * Reads the data about a store that theme checks need.
 * @param dir the store's folder
 * @param config settings of the store
 * @param themeConfig the same settings, combined with the settings of the theme
 */
export function readStoreInfo(
  dir: string,
  config: Pick<Config, "menus">,
  themeConfig: Pick<Config, "menus">,
): StoreInfo {
  const configuredMenus = Object.keys(config.menus);
  // A store that configures no menus, or only menus with default handles, has both default menus. For any other store,
  // only the configured menus count.
  const storeMenus = configuredMenus.every((handle) => derivedMenuHandles.includes(handle))
    ? derivedMenuHandles
    : configuredMenus;
  return { dir, menus: [...new Set([...storeMenus, ...Object.keys(themeConfig.menus)])] };
}
