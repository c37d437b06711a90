import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, sep } from "node:path";
import { ignoreNotFound, readOptionalText } from "../../not-found.ts";
import { SetupError } from "../../setup-error.ts";
import { splitSource } from "./source.ts";

/**
 * Names and texts of a theme's files. Requests look up files here, so that a path from a client is never opened on
 * disk.
 */
export interface ThemeFolder {
  /** Text of Liquid and JSON files by path, such as "sections/header.liquid" and "assets/theme.css.liquid". */
  readonly texts: ReadonlyMap<string, string>;
  /** Absolute paths of the files in `assets/`, by name. */
  readonly assets: ReadonlyMap<string, string>;
  /** Reason why each rejected file is not served, by file path. */
  readonly rejectedFiles: ReadonlyMap<string, string>;
  /** Value that changes when the file changes, by file path. */
  readonly versions: ReadonlyMap<string, string>;
}

/** Maximum size of a Liquid file in bytes without its schema, and of all other files. Shopify has the same limits. */
const maxLiquidBytes = 256 * 1_024;
const maxTextBytes = 1_500_000;
/** Maximum size of a Liquid file in `assets/`, which contains older styles. */
const maxAssetBytes = 4_000_000;
/** Folders of a theme. Deeper folders are not read. */
export const themeFolders: readonly string[] = [
  "layout",
  "templates",
  "templates/customers",
  "sections",
  "snippets",
  "blocks",
  "locales",
  "config",
  "assets",
];

/**
 * Returns whether a file replaces a template or section group in one Shopify market (a group of countries). For
 * example, `templates/product.context.france.json` replaces `templates/product.json`. Markets are not supported.
 */
export function isMarketFile(file: string): boolean {
  return /^(?:templates|sections)\/.+\.context\.[^./]+\.json$/.test(file);
}

/** Reads the folder of a theme.  @throws SetupError if the folder is missing, or an existing file cannot be read */
export function loadThemeFolder(dir: string, previousFolder?: ThemeFolder): ThemeFolder {
  try {
    return readThemeFolder(dir, previousFolder);
  } catch (error) {
    if (statSync(dir, { throwIfNoEntry: false }) === undefined)
      throw new SetupError(
        `${dir}: the folder of the theme is missing. Restore it, or publish another theme with "vitrine theme publish".`,
      );
    throw new SetupError(`the theme cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/**
 * Reads all files of a theme. Ignores files for single Shopify markets, and rejects links to files outside the folder.
 * @param previousFolder the previous result; unchanged files are reused, and the result is `previousFolder` if nothing
 * changed
 * @throws Error of the file system if an existing file cannot be read
 */
export function readThemeFolder(dir: string, previousFolder?: ThemeFolder): ThemeFolder {
  const root = realpathSync(dir);
  const texts = new Map<string, string>();
  const assets = new Map<string, string>();
  const rejectedFiles = new Map<string, string>();
  const fileVersions = new Map<string, string>();
  for (const folder of themeFolders) {
    for (const name of filesOf(root, join(root, folder))) {
      const file = `${folder}/${name}`;
      const location = locateFile(root, join(root, folder, name));
      if (location === undefined) continue;
      if (typeof location === "string") {
        rejectedFiles.set(file, location);
        continue;
      }
      const { mtimeMs, ctimeMs, size, ino } = location.stats;
      const fileVersion = `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
      fileVersions.set(file, fileVersion);
      const isLiquid = name.endsWith(".liquid");
      if (folder === "assets" && !isLiquid) {
        assets.set(name, location.path);
        continue;
      }
      if ((!isLiquid && !name.endsWith(".json")) || isMarketFile(file)) continue;
      const limit = folder === "assets" ? maxAssetBytes : maxTextBytes;
      if (location.stats.size > limit) {
        rejectedFiles.set(file, `longer than ${limit} bytes`);
        continue;
      }
      const unchangedText =
        previousFolder?.versions.get(file) === fileVersion ? previousFolder.texts.get(file) : undefined;
      const text = unchangedText ?? readOptionalText(location.path);
      if (text === undefined) continue;
      const isLong = isLiquid && folder !== "assets" && location.stats.size > maxLiquidBytes;
      if (isLong && Buffer.byteLength(splitSource(text).liquid) > maxLiquidBytes)
        rejectedFiles.set(file, `longer than ${maxLiquidBytes} bytes without its schema`);
      else texts.set(file, text);
    }
  }
  return previousFolder !== undefined &&
    areTextMapsEqual(previousFolder.versions, fileVersions) &&
    areTextMapsEqual(previousFolder.rejectedFiles, rejectedFiles)
    ? previousFolder
    : { texts, assets, rejectedFiles, versions: fileVersions };
}

/** Returns the file names in a folder of a theme. Returns none if the folder is a link that leads outside the theme. */
function filesOf(root: string, folder: string): string[] {
  try {
    if (!realpathSync(folder).startsWith(root + sep)) return [];
    return readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort();
  } catch (error) {
    return ignoreNotFound(error) ?? [];
  }
}

/**
 * Finds a file on disk.
 * @param path path in a folder that is inside the theme
 * @returns undefined for folders and deleted files, an error message for rejected files
 */
function locateFile(root: string, path: string): { readonly path: string; readonly stats: Stats } | string | undefined {
  try {
    const stats = lstatSync(path);
    if (!stats.isSymbolicLink()) return stats.isFile() ? { path, stats } : undefined;
    const realPath = realpathSync(path);
    if (!realPath.startsWith(root + sep)) return "a link out of the theme's folder";
    const target = statSync(realPath);
    return target.isFile() ? { path: realPath, stats: target } : undefined;
  } catch (error) {
    return ignoreNotFound(error);
  }
}

function areTextMapsEqual(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([key, value]) => right.get(key) === value);
}
