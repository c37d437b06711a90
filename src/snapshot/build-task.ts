import { closeSync } from "node:fs";
import { lowerThreadPriority } from "../priority.ts";
import type { CatalogDatabase, CatalogReader } from "../storage/catalog/catalog-reader.ts";
import { explainReadError, openCatalogReader } from "../storage/open-database.ts";
import { type BuiltBase, buildBase, type Locales } from "./build.ts";
import { createIndexFile, formatIndexFileName, type IndexFile, type IndexFolder } from "./index-files.ts";

/** Parameters for building the full catalog with its search index. */
export interface BuildTask {
  readonly source: CatalogDatabase;
  readonly locales: Locales;
  /** Whether the server handles requests during the build. */
  readonly isInBackground: boolean;
  /** Folder in which the result is saved. Default: the result is not saved. */
  readonly folder?: IndexFolder;
}

/** Message of a build thread: first the full build, then possibly the error of saving it. */
export type BuildMessage = { readonly base: BuiltBase } | { readonly saveError: unknown };

/** Maximum bytes of JSON for a build without a separate thread. Such a build takes about 50 ms. */
const MAX_SMALL_BYTES = 300_000;

/** Returns whether the build takes less time than starting a thread. */
export function isSmallBuild(task: BuildTask): Promise<boolean> {
  return withExplainedErrors(task, async () => {
    const reader = await openCatalogReader(task.source);
    try {
      return reader.size().bytes <= MAX_SMALL_BYTES;
    } finally {
      reader.close();
    }
  });
}

/**
 * Builds the full catalog in this thread.  @param post receives the full build, and later an error if saving it failed
 */
export function runBuild(task: BuildTask, post: (message: BuildMessage) => void): Promise<void> {
  return withExplainedErrors(task, () => buildFrom(task, post));
}

async function withExplainedErrors<T>({ source }: BuildTask, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw explainReadError(source, error);
  }
}

async function buildFrom(
  { source, locales, isInBackground, folder }: BuildTask,
  post: (message: BuildMessage) => void,
): Promise<void> {
  if (isInBackground) lowerThreadPriority();
  const reader = await openCatalogReader(source);
  try {
    if (folder === undefined || reader.token === undefined) post({ base: buildBase(reader, locales, reader.size()) });
    else buildAndSave(reader, locales, folder, formatIndexFileName(folder, reader.state.revision, reader.token), post);
  } finally {
    reader.close();
  }
}

/** Builds the full catalog and saves it in a file. If the file cannot be written, the rows' strings stay in memory. */
function buildAndSave(
  reader: CatalogReader,
  locales: Locales,
  folder: IndexFolder,
  name: string,
  post: (message: BuildMessage) => void,
): void {
  const size = reader.size();
  const storesTextsInFile = size.bytes > folder.maxTextsInMemory;
  let file: IndexFile | undefined;
  let builtBase: BuiltBase;
  try {
    if (storesTextsInFile) file = createIndexFile(folder, name);
    builtBase = buildBase(reader, locales, size, file?.texts);
  } catch (error) {
    if (!isDiskError(error)) throw error;
    file?.drop();
    post({ base: buildBase(reader, locales, size) });
    post({ saveError: error });
    return;
  }
  // Post the full build before saving it, so that shoppers do not wait for the disk.
  post({ base: builtBase });
  try {
    file ??= createIndexFile(folder, name);
    file.save(builtBase);
    // The strings of a large catalog stay in the file and are read on access, so the file remains open.
    if (!storesTextsInFile) closeSync(file.texts.fd);
  } catch (error) {
    if (!storesTextsInFile) file?.drop();
    else file?.unlink();
    post({ saveError: error });
  }
}

function isDiskError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
