import { closeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { PackedBase } from "./catalog/packed-catalog.ts";
import { TextDamaged } from "./catalog/packed-texts.ts";
import { letOtherThreadsFirst } from "./priority.ts";
import { type BuiltBase, type BuiltDelta, buildBase, buildDelta, type Locales } from "./snapshot-build.ts";
import { createIndexFile, type IndexFile, type IndexFolder, indexFileName } from "./snapshot-files.ts";
import { openPostgresCatalog } from "./storage/postgres-catalog.ts";
import { type CatalogReader, type CatalogSource, openSqliteCatalog } from "./storage/sqlite-catalog.ts";

/** What is to be built. */
export interface BuildTask {
  readonly source: CatalogSource;
  readonly locales: Locales;
  /** Shoppers are served meanwhile. */
  readonly isAside: boolean;
  /** Build what changed since then; absent: all. */
  readonly since?: PackedBase;
  /** Where a whole build is kept; absent: nowhere. */
  readonly folder?: IndexFolder;
}

/** What is built comes first; troubles of keeping it may follow. */
export type BuildMessage =
  | { readonly base: BuiltBase }
  | { readonly delta: BuiltDelta | undefined }
  | { readonly trouble: unknown };

const port = parentPort;
if (port !== null) await build(workerData as BuildTask, (message) => port.postMessage(message));

async function build({ source, locales, isAside, since, folder }: BuildTask, post: (message: BuildMessage) => void) {
  if (isAside) letOtherThreadsFirst();
  const reader =
    "file" in source ? openSqliteCatalog(source.file) : await openPostgresCatalog(source.url, since?.revision);
  try {
    if (since !== undefined) post({ delta: tryDelta(reader, since, locales) });
    else if (folder === undefined || reader.token === undefined)
      post({ base: buildBase(reader, locales, reader.size()) });
    else buildKept(reader, locales, folder, indexFileName(folder, reader.state.revision, reader.token), post);
  } finally {
    reader.close();
  }
}

/** @returns undefined where only a whole build will do */
function tryDelta(reader: CatalogReader, since: PackedBase, locales: Locales): BuiltDelta | undefined {
  try {
    return buildDelta(reader, since, locales);
  } catch (error) {
    if (!(error instanceof TextDamaged)) throw error;
    return undefined;
  }
}

/** Builds all and keeps it in a file. Where that cannot be written, all is in memory, and that is all. */
function buildKept(
  reader: CatalogReader,
  locales: Locales,
  folder: IndexFolder,
  name: string,
  post: (message: BuildMessage) => void,
): void {
  const size = reader.size();
  const inFile = size.bytes > folder.maxTextsInMemory;
  let file: IndexFile | undefined;
  let built: BuiltBase;
  try {
    if (inFile) file = createIndexFile(folder, name);
    built = buildBase(reader, locales, size, file?.texts);
  } catch (error) {
    if (!isOfDisk(error)) throw error;
    file?.drop();
    post({ base: buildBase(reader, locales, size) });
    post({ trouble: error });
    return;
  }
  // Shoppers need not wait for the disk.
  post({ base: built });
  try {
    file ??= createIndexFile(folder, name);
    file.save(built);
    // Texts in the file are read from it as long as the catalogue is used.
    if (!inFile) closeSync(file.texts.fd);
  } catch (error) {
    if (!inFile) file?.drop();
    else file?.leave();
    post({ trouble: error });
  }
}

function isOfDisk(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
