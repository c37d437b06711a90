import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { endianness } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSegmentFile, partialDirPrefix, partialFileName, type SegmentFileWriter } from "@vitrine/search/file";
import type { TextFile } from "../catalog/packed/texts.ts";
import { type BaseLayer, getIndexedLocales, type IndexedSettings, type Locales } from "./build.ts";

/** A folder with saved catalogs and their search indexes. A start that can load one of them needs no full build. */
export interface IndexFolder {
  readonly dir: string;
  /**
   * Hash of all inputs of a file except the catalog: languages, metafields that are filters, whether products are
   * grouped, the code that builds the index, and the Unicode tables of the runtime.
   */
  readonly settings: string;
  /** Maximum bytes of a catalog's texts in memory. The texts of a larger catalog stay in the file. */
  readonly maxTextsInMemory: number;
  /** Whether a new full build leaves older files in the folder. Default: false. */
  readonly keepsOldFiles?: boolean;
}

/** Default for `maxTextsInMemory` in bytes, enough for a catalog of about a hundred thousand products. */
const MAX_TEXT_MEMORY_BYTES = 64 * 1_024 * 1_024;
/** Milliseconds without a write after which a file counts as abandoned, since a build writes continuously. */
const STALE_AGE_MS = 1_800_000;

/** Returns the folder of a store for saved builds with its settings. */
export function openIndexFolder(storeDir: string, settings: IndexedSettings): IndexFolder {
  return createIndexFolder(join(storeDir, "data", "index"), getIndexedLocales(settings));
}

/** @param maxTextsInMemory maximum bytes of a catalog's texts in memory. Default: 64 MB */
export function createIndexFolder(
  dir: string,
  locales: Locales,
  maxTextsInMemory = MAX_TEXT_MEMORY_BYTES,
): IndexFolder {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([locales.default, locales.others, locales.filterMetafields, locales.collapse]));
  hash.update(`${endianness()} ${process.versions.icu} ${process.versions.unicode}`);
  codeHash ??= readCodeHash();
  hash.update(codeHash);
  return { dir, settings: hash.digest("hex"), maxTextsInMemory };
}

/** Hash of the code that builds the index. Computed once, because a process does not reload its code. */
let codeHash: string | undefined;

/** File next to this module with the hash of the code. The published package has it instead of separate modules. */
export const codeHashFile = "code-hash.txt";

function readCodeHash(): string {
  const file = join(import.meta.dirname, codeHashFile);
  return existsSync(file) ? readFileSync(file, "utf8") : computeCodeHash();
}

export function computeCodeHash(): string {
  const hash = createHash("sha256");
  const folders = ["snapshot", "catalog", "predictive-search"].map((folder) => join(import.meta.dirname, "..", folder));
  for (const path of [...folders, dirname(fileURLToPath(import.meta.resolve("@vitrine/search")))]) {
    const names = readdirSync(path, { recursive: true, encoding: "utf8" });
    for (const name of names.sort()) {
      if (/(?<!\.test|\.d)\.(?:[jt]s|json)$/.test(name))
        hash.update(`${name}\n`).update(readFileSync(join(path, name)));
    }
  }
  return hash.digest("hex");
}

/**
 * Returns the name of the index file for a catalog revision. The file stores this name as its version, which readers
 * check.
 */
export function formatIndexFileName({ settings }: IndexFolder, revision: number, token: string): string {
  const hash = createHash("sha256").update(`${settings} ${token}`).digest("hex");
  return `${revision}-${hash.slice(0, 32)}.index`;
}

/**
 * Returns the files of an index folder, newest revision first. Other files are skipped.
 * @throws if the folder cannot be read
 */
export function listIndexFiles({ dir }: IndexFolder): readonly { readonly name: string; readonly revision: number }[] {
  return readdirSync(dir)
    .filter((name) => /^\d+-[0-9a-f]{32}\.index$/.test(name))
    .map((name) => ({ name, revision: Number.parseInt(name, 10) }))
    .sort((a, b) => b.revision - a.revision);
}

/** A file that will contain one full catalog. */
export interface IndexFile {
  /** Temporary folder of the unfinished file. */
  readonly partialDir: string;
  /** Destination of the rows' strings. */
  readonly texts: TextFile;
  /**
   * Writes the remaining data of the catalog and its index, renames the file to its final name, and removes older
   * files.
   * @throws errors of the disk
   */
  save(baseLayer: BaseLayer): void;
  /** Removes the file but keeps it open, because its strings are in use. */
  unlink(): void;
  /** Closes and removes the file. */
  removeFile(): void;
}

/** Creates a file under a temporary name. @throws errors of the disk */
export function createIndexFile(folder: IndexFolder, name: string): IndexFile {
  mkdirSync(folder.dir, { recursive: true });
  const file: SegmentFileWriter = createSegmentFile(join(folder.dir, name), name);
  // Creating the file has set the folder's modification time, which `isStale` uses as the current time.
  removePartFiles(folder);
  return {
    partialDir: file.partialDir,
    texts: file,
    save(baseLayer) {
      file.finish(baseLayer);
      if (folder.keepsOldFiles !== true) removeOldFiles(folder, name);
    },
    unlink: () => file.discardFile(),
    removeFile() {
      file.discardFile();
      closeSync(file.fd);
    },
  };
}

/** Removes all files except those with the given names. */
export function removeOtherFiles(folder: IndexFolder, keptNames: ReadonlySet<string>): void {
  for (const { name } of listIndexFiles(folder))
    if (!keptNames.has(name)) rmSync(join(folder.dir, name), { force: true });
}

/** Removes files that a newer file replaces. Processes that have opened such a file can still read it. */
function removeOldFiles(folder: IndexFolder, newestFile: string): void {
  for (const { name, revision } of listIndexFiles(folder)) {
    const path = join(folder.dir, name);
    // Files of later revisions come from a faster process, or from a database that was replaced by a backup.
    const isReplaced = revision <= Number.parseInt(newestFile, 10) || isStale(path);
    if (name !== newestFile && isReplaced) rmSync(path, { force: true });
  }
}

/** Removes the unfinished files of killed processes. */
function removePartFiles({ dir }: IndexFolder): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (name.startsWith(partialDirPrefix) && isStale(path)) rmSync(path, { recursive: true, force: true });
  }
}

/** Returns whether a temporary file, or a folder with one, is old enough to be deleted. */
function isStale(path: string): boolean {
  const modificationTimes = [path, join(path, partialFileName)].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  // The current time is read from the folder, because the clock of a file server may differ from this machine's clock.
  const currentTime = statSync(join(path, ".."), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.max(...modificationTimes) < currentTime - STALE_AGE_MS;
}
