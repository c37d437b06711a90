import { execFile } from "node:child_process";
import { lstat, mkdtempDisposable, readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { ignoreNotFound, isNotFound } from "../../not-found.ts";
import { SetupError } from "../../setup-error.ts";

/** A file of a folder, zip file, or Git repository. */
export interface SourceFile {
  /** Path in the source, with slashes. It is untrusted input that must be checked before use. */
  readonly path: string;
  readonly bytes: number;
  read(): Promise<Uint8Array>;
}

export interface SourceFiles {
  readonly files: readonly SourceFile[];
  /** Paths of symbolic links, which are not followed. */
  readonly links: readonly string[];
}

/** Maximum size of a theme in bytes, and of a zip file. Shopify accepts zip files of 50 MB. */
export const MAX_THEME_BYTES = 200_000_000;

/** Maximum number of files in a source. A source with more files is probably not a theme. */
const MAX_SOURCE_FILES = 20_000;

/** Levels of folders that are searched: a theme may be two levels deep, and has two levels itself. */
const MAX_DIR_DEPTH = 4;

/** Maximum milliseconds of `git clone`. */
const CLONE_TIMEOUT_MS = 300_000;

/**
 * Opens a folder, a zip file, or a Git repository, and passes its files to `task`. A cloned repository is deleted
 * afterwards.
 * @param name path or URL
 * @param path absolute path, if the name is a path
 * @throws SetupError if the source cannot be read
 */
export async function openThemeSource<T>(
  name: string,
  path: string,
  task: (source: SourceFiles) => Promise<T>,
): Promise<T> {
  if (isGitUrl(name)) return runInClone(name, async (dir) => task(await readFolder(dir)));
  const stats = await stat(path).catch(ignoreNotFound);
  if (stats === undefined)
    throw new SetupError(`${name}: no such file or folder. Name a folder, a zip file, or the URL of a Git repository.`);
  return task(stats.isDirectory() ? await readFolder(path) : await readZip(path, stats.size));
}

function isGitUrl(name: string): boolean {
  return /^(?:https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:/.test(name);
}

async function runInClone<T>(url: string, task: (dir: string) => Promise<T>): Promise<T> {
  if (/\.zip(?:[?#]|$)/.test(url))
    throw new SetupError(`${url}: is not a Git repository. Download the zip file and name it.`);
  await using dir = await mkdtempDisposable(join(tmpdir(), "vitrine-theme-"));
  // Without a terminal prompt, a private repository fails instead of waiting for a password.
  const env = { ...process.env, GIT_TERMINAL_PROMPT: "0" };
  await promisify(execFile)("git", ["clone", "--quiet", "--depth", "1", "--", url, dir.path], {
    env,
    timeout: CLONE_TIMEOUT_MS,
  }).catch((error: unknown) => {
    throw new SetupError(describeCloneError(url, error));
  });
  return await task(dir.path);
}

function describeCloneError(url: string, error: unknown): string {
  if (isNotFound(error))
    return `${url}: git is not installed. Install it from https://git-scm.com, or download the theme and name its folder.`;
  const stderr = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  const [line] = /^(?:fatal|error): .*$/m.exec(stderr) ?? ["it took too long"];
  return `${url}: git cannot clone it: ${line.slice(0, 300)}. Check the URL, or download the theme and name its folder.`;
}

async function readFolder(root: string): Promise<SourceFiles> {
  const files: SourceFile[] = [];
  const links: string[] = [];
  const walkFolder = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) links.push(path);
      else if (entry.isFile()) {
        const { size } = await lstat(join(root, path));
        files.push({ path, bytes: size, read: () => readFile(join(root, path)) });
      } else if (entry.isDirectory() && depth < MAX_DIR_DEPTH && !/^\.|^node_modules$/.test(entry.name))
        await walkFolder(path, depth + 1);
      if (files.length > MAX_SOURCE_FILES)
        throw new SetupError(`${root}: contains more than ${MAX_SOURCE_FILES} files. Name the folder of a theme.`);
    }
  };
  await walkFolder("", 1);
  return { files, links };
}

async function readZip(path: string, bytes: number): Promise<SourceFiles> {
  if (bytes > MAX_THEME_BYTES) throw new SetupError(`${path}: is larger than ${MAX_THEME_BYTES / 1e6} MB.`);
  const archiveBytes = await readFile(path);
  const unzip = (filter: (file: { readonly name: string; readonly originalSize: number }) => boolean) => {
    try {
      return unzipSync(archiveBytes, { filter });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new SetupError(`${path}: cannot be read as a zip file (${reason}). Name a folder or a zip file.`);
    }
  };
  const files: SourceFile[] = [];
  unzip(({ name, originalSize }) => {
    const read = async () => unzip((file) => file.name === name)[name] ?? new Uint8Array();
    if (!name.endsWith("/")) files.push({ path: name, bytes: originalSize, read });
    return false;
  });
  return { files, links: [] };
}
