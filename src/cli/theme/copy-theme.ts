import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SetupError } from "../../setup-error.ts";
import { themeFolders } from "../../theme/files/theme-folder.ts";
import { MAX_THEME_BYTES, type SourceFile, type SourceFiles } from "./theme-source.ts";

export interface ThemeCopyResult {
  /** Paths of the copied files, in the theme. */
  readonly copiedPaths: readonly string[];
  /** Source paths of symbolic links, and of files whose names some file systems reject. */
  readonly skippedFiles: readonly string[];
}

const MAX_FILES = 5_000;
const MAX_FILE_BYTES = 20_000_000;

/**
 * Copies the files in the standard folders of a theme, such as `sections/`, without symbolic links and hidden files.
 * @param name name of the source for error messages
 * @throws SetupError if the source contains no theme, or the theme is too large
 */
export async function copyTheme(name: string, source: SourceFiles, targetDir: string): Promise<ThemeCopyResult> {
  const root = findThemeRoot(
    name,
    source.files.map(({ path }) => path),
  );
  const isInTheme = (path: string): boolean => path.startsWith(root) && isThemeFile(path.slice(root.length));
  const candidates = source.files.filter(({ path }) => isInTheme(path));
  const assetPaths = new Set(candidates.map(({ path }) => path).filter((path) => path.startsWith(`${root}assets/`)));
  // Exports of themes contain assets with Liquid twice: as the source, and as the shop rendered them.
  const files = candidates.filter(({ path }) => hasUsableName(path) && !assetPaths.has(`${path}.liquid`));
  checkSizes(name, files);
  const copiedFiles: string[] = [];
  for (const file of files) {
    const path = file.path.slice(root.length);
    await mkdir(dirname(join(targetDir, path)), { recursive: true });
    await writeFile(join(targetDir, path), await file.read());
    copiedFiles.push(path);
  }
  const unusablePaths = candidates.filter(({ path }) => !hasUsableName(path)).map(({ path }) => path);
  return {
    copiedPaths: copiedFiles,
    skippedFiles: [...unusablePaths, ...source.links.filter((path) => isInTheme(path) || isFolder(path, root))],
  };
}

/**
 * Returns the path of the theme's folder within a zip file, repository, or folder, such as "dawn/", or "" if the theme
 * is at the top level.
 */
function findThemeRoot(name: string, paths: readonly string[]): string {
  const roots = paths.flatMap((path) => /^((?:[^/]+\/){0,2})layout\/theme\.liquid$/.exec(path)?.[1] ?? []);
  if (roots.includes("")) return "";
  const [root] = roots;
  if (root === undefined)
    throw new SetupError(
      `${name}: contains no theme: layout/theme.liquid is missing. Name the folder that contains layout/. If the theme is built from other files, build it first.`,
    );
  if (roots.length > 1)
    throw new SetupError(`${name}: contains several themes: ${roots.slice(0, 5).join(", ")}. Name the folder of one.`);
  return root;
}

/** Returns whether a file is directly in a standard theme folder, such as "sections/header.liquid". */
function isThemeFile(path: string): boolean {
  const slashIndex = path.lastIndexOf("/");
  return themeFolders.includes(path.slice(0, slashIndex)) && !/^(?:\.|$)/.test(path.slice(slashIndex + 1));
}

/** Returns whether a symbolic link has the path of a theme folder, such as "sections". */
function isFolder(path: string, root: string): boolean {
  return path.startsWith(root) && themeFolders.includes(path.slice(root.length));
}

/**
 * Returns whether every file system accepts the name of a file. Also rejects backslashes, with which a path could lead
 * out of the folder.
 */
function hasUsableName(path: string): boolean {
  return /^[^\u0000-\u001f\\:*?"<>|]+$/.test(path.slice(path.lastIndexOf("/") + 1));
}

function checkSizes(name: string, files: readonly SourceFile[]): void {
  if (files.length > MAX_FILES)
    throw new SetupError(`${name}: the theme has ${files.length} files; the limit is ${MAX_FILES}.`);
  const largeFile = files.find(({ bytes }) => bytes > MAX_FILE_BYTES);
  if (largeFile !== undefined)
    throw new SetupError(`${name}: ${largeFile.path} is larger than ${MAX_FILE_BYTES / 1e6} MB. Remove it.`);
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_THEME_BYTES)
    throw new SetupError(`${name}: the theme is larger than ${MAX_THEME_BYTES / 1e6} MB.`);
}
