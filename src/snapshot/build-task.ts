import { closeSync } from "node:fs";
import { lowerThreadPriority } from "../priority.ts";
import type { CatalogDatabase, CatalogReader } from "../storage/catalog/catalog-reader.ts";
import { explainReadError, openCatalogReader } from "../storage/open-database.ts";
import { type BaseLayer, buildBaseLayer, type Locales } from "./build.ts";
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

/**
 * Message of a build thread: the full build, then possibly the error of saving it, and once the temporary folder in
 * which it is saved.
 */
export type BuildMessage =
  | { readonly base: BaseLayer }
  | { readonly saveError: unknown }
  | { readonly partialDir: string };

/**
 * Builds the full catalog in this thread.
 * @param sendMessage receives the full build, an error if saving the build failed, and the folder of unfinished files
 */
export function runBuild(task: BuildTask, sendMessage: (message: BuildMessage) => void): Promise<void> {
  return explainErrors(task, async () => {
    const { source, locales, isInBackground, folder } = task;
    if (isInBackground) lowerThreadPriority();
    using reader = await openCatalogReader(source);
    const { token, state } = reader;
    if (folder === undefined || token === undefined)
      sendMessage({ base: buildBaseLayer(reader, locales, reader.size()) });
    else buildFullCatalog(reader, locales, folder, formatIndexFileName(folder, state.revision, token), sendMessage);
  });
}

async function explainErrors<T>({ source }: BuildTask, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainReadError(source, error);
  }
}

/** Builds the full catalog and saves it in a file. If the file cannot be written, the rows' strings stay in memory. */
function buildFullCatalog(
  reader: CatalogReader,
  locales: Locales,
  folder: IndexFolder,
  name: string,
  sendMessage: (message: BuildMessage) => void,
): void {
  const size = reader.size();
  const storesTextsInFile = size.bytes > folder.maxTextsInMemory;
  let file: IndexFile | undefined;
  const openFile = (): IndexFile => {
    const openedFile = createIndexFile(folder, name);
    sendMessage({ partialDir: openedFile.partialDir });
    return openedFile;
  };
  let baseLayer: BaseLayer;
  try {
    if (storesTextsInFile) file = openFile();
    baseLayer = buildBaseLayer(reader, locales, size, file?.texts);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    file?.removeFile();
    sendMessage({ base: buildBaseLayer(reader, locales, size) });
    sendMessage({ saveError: error });
    return;
  }
  // Post the full build before saving it, so that shoppers do not wait for the disk.
  sendMessage({ base: baseLayer });
  try {
    file ??= openFile();
    file.save(baseLayer);
    // The strings of a large catalog stay in the file and are read on access, so the file remains open.
    if (!storesTextsInFile) closeSync(file.texts.fd);
  } catch (error) {
    if (!storesTextsInFile) file?.removeFile();
    else file?.unlink();
    sendMessage({ saveError: error });
  }
}
