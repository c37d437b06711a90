import { createHash } from "node:crypto";
import { closeSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { endianness } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSegmentFile, partName, partPrefix, type SegmentFileWriter } from "@vitrine/search/file";
import type { TextFile } from "../catalog/packed/texts.ts";
import type { BuiltBase, Locales } from "./build.ts";

/** Where whole catalogues with their indexes are kept, so that a start need not build them. */
export interface IndexFolder {
  readonly dir: string;
  /** Hash of all that a file depends on but the catalogue: languages, metafields that are filters, the code that builds it, the runtime's tables of letters. */
  readonly settings: string;
  /** Texts of rows that take more bytes than this stay in the file. */
  readonly maxTextsInMemory: number;
}

/** Rows of a small shop are read from memory: a hundred thousand products or so. */
const MAX_TEXTS_IN_MEMORY = 64 * 1_024 * 1_024;
/** A file that nobody has written to for so long is left over, in milliseconds: one in the making is written to all the time. */
const STALE_MS = 1_800_000;

/** @param maxTextsInMemory absent: what suits a server */
export function indexFolder(dir: string, locales: Locales, maxTextsInMemory = MAX_TEXTS_IN_MEMORY): IndexFolder {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([locales.default, locales.others, locales.filterMetafields]));
  hash.update(`${endianness()} ${process.versions.icu} ${process.versions.unicode}`);
  const own = ["snapshot", "catalog", "predictive-search"].map((folder) => join(import.meta.dirname, "..", folder));
  for (const path of [...own, dirname(fileURLToPath(import.meta.resolve("@vitrine/search")))]) {
    const names = readdirSync(path, { recursive: true, encoding: "utf8" });
    for (const name of names.sort()) {
      if (/(?<!\.test|\.d)\.(?:[jt]s|json)$/.test(name))
        hash.update(`${name}\n`).update(readFileSync(join(path, name)));
    }
  }
  return { dir, settings: hash.digest("hex"), maxTextsInMemory };
}

/** The name of a revision's file, which is also the version that a reader asks for. */
export function indexFileName({ settings }: IndexFolder, revision: number, token: string): string {
  const hash = createHash("sha256").update(`${settings} ${token}`).digest("hex");
  return `${revision}-${hash.slice(0, 32)}.index`;
}

/** Files of an index folder by their names, newest revision first; others are passed over. @throws where it cannot be read */
export function indexFiles({ dir }: IndexFolder): readonly { readonly name: string; readonly revision: number }[] {
  return readdirSync(dir)
    .filter((name) => /^\d+-[0-9a-f]{32}\.index$/.test(name))
    .map((name) => ({ name, revision: Number.parseInt(name, 10) }))
    .sort((a, b) => b.revision - a.revision);
}

/** Keeps one whole catalogue in a file. */
export interface IndexFile {
  /** Where texts of rows are to go. */
  readonly texts: TextFile;
  /** Writes the rest, puts the file in its place and removes older ones. @throws what the disk says */
  save(built: BuiltBase): void;
  /** Leaves nothing behind but the open file, whose texts are used. */
  leave(): void;
  /** Leaves nothing behind. */
  drop(): void;
}

/** @throws what the disk says */
export function createIndexFile(folder: IndexFolder, name: string): IndexFile {
  mkdirSync(folder.dir, { recursive: true });
  const file: SegmentFileWriter = createSegmentFile(join(folder.dir, name), name);
  // After that the folder's own time is now.
  removeParts(folder);
  return {
    texts: file,
    save(built) {
      file.finish(built);
      removeOld(folder, name);
    },
    leave: () => file.discard(),
    drop() {
      file.discard();
      closeSync(file.fd);
    },
  };
}

/** Removes what a newer file replaces. Whoever reads one of them now has it open, which is enough. */
function removeOld(folder: IndexFolder, newest: string): void {
  for (const { name, revision } of indexFiles(folder)) {
    const path = join(folder.dir, name);
    // Of a later revision are files of a faster process, or of a database that was replaced by a backup.
    const isOld = revision <= Number.parseInt(newest, 10) || isStale(path);
    if (name !== newest && isOld) rmSync(path, { force: true });
  }
}

/** Removes what a process that was killed has left. */
function removeParts({ dir }: IndexFolder): void {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (name.startsWith(partPrefix) && isStale(path)) rmSync(path, { recursive: true, force: true });
  }
}

/** True where nothing was written to a file, or to the one in a folder, for long. */
function isStale(path: string): boolean {
  const times = [path, join(path, partName)].map((one) => statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  // The clock that wrote the times is asked, not ours.
  const now = statSync(join(path, ".."), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.max(...times) < now - STALE_MS;
}
