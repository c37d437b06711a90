import { readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ignoreNotFound, readOptionalText } from "../../not-found.ts";

/** Name of the theme in the folder `theme/`. Every other theme is in the folder `themes/<name>/`. */
export const MAIN_THEME_NAME = "theme";

/** Name of the folder, inside the store's folder, that contains all themes except the main theme. */
export const THEMES_FOLDER = "themes";

/** Maximum number of theme names in the file `themes/live`: the live theme and the themes that were live before. */
const MAX_LIVE_THEMES = 20;

/** Returns whether a text can be the name of a theme. */
export function isThemeName(name: string): boolean {
  return /^[A-Za-z\d][\w.-]{0,63}$/.test(name);
}

/** Returns the folder of a theme, which may not exist. */
export function getThemeDir(storeDir: string, name: string): string {
  return name === MAIN_THEME_NAME ? join(storeDir, MAIN_THEME_NAME) : join(storeDir, THEMES_FOLDER, name);
}

export function hasTheme(storeDir: string, name: string): boolean {
  return isThemeName(name) && statSync(getThemeDir(storeDir, name), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns the names of the themes in a store, sorted. */
export function listThemes(storeDir: string): readonly string[] {
  const names = listFileNames(join(storeDir, THEMES_FOLDER)).filter((name) => name !== MAIN_THEME_NAME);
  return [MAIN_THEME_NAME, ...names].filter((name) => hasTheme(storeDir, name));
}

/** Returns the path of the file that names the live theme and earlier live themes, the newest first. */
export function getLiveThemesFile(storeDir: string): string {
  return join(storeDir, THEMES_FOLDER, "live");
}

/**
 * Returns the name of the live theme, then the names of the themes that were live before, newest first. Without the
 * file, the live theme is `theme/`.
 * @throws Error of the file system if the file cannot be read
 */
export function readLiveThemes(storeDir: string): readonly [string, ...string[]] {
  const lines = (readOptionalText(getLiveThemesFile(storeDir)) ?? "").split("\n");
  const [liveThemeName = MAIN_THEME_NAME, ...otherThemes] = lines.map((line) => line.trim()).filter(isThemeName);
  return [liveThemeName, ...otherThemes];
}

/** Saves the themes that were live. The file is replaced in one step, so that no server reads a half-written one. */
export function writeLiveThemes(storeDir: string, names: readonly string[]): void {
  const file = getLiveThemesFile(storeDir);
  const temporaryFile = `${file}.${process.pid}.tmp`;
  writeFileSync(temporaryFile, `${names.slice(0, MAX_LIVE_THEMES).join("\n")}\n`);
  renameSync(temporaryFile, file);
}

/** Returns a value that changes when a file changes; "" if the file does not exist. */
export function getFileVersion(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}

function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    return ignoreNotFound(error) ?? [];
  }
}
