import { readFile } from "node:fs/promises";
import type { RowKind } from "../catalog/catalog.ts";
import type { CatalogImporter, ChangeOutcome } from "../import/catalog.ts";
import { listStoreFiles } from "../import/catalog-files.ts";
import type { CatalogFile } from "../import/read-catalog.ts";
import { getPackagePath } from "./io.ts";

interface StoreFilesImport {
  readonly outcome: ChangeOutcome;
  /** Name of the skipped file with example products; undefined if no file was skipped. */
  readonly exampleFile: string | undefined;
}

/**
 * Imports the files in `catalog/` of a new store after the first import of other files, because a server imports them
 * only into an empty database. Skips unchanged example products if the other files contain products.
 * @param importedFiles files of the first import
 * @param counts rows of the first import
 * @returns undefined if `catalog/` contains no other files
 */
export async function importStoreFiles(
  catalog: CatalogImporter,
  storeDir: string,
  importedFiles: readonly CatalogFile[],
  counts: ReadonlyMap<RowKind, number>,
): Promise<StoreFilesImport | undefined> {
  const importedPaths = new Set(importedFiles.map(({ path }) => path));
  const otherFiles = (await listStoreFiles(storeDir)).filter(({ path }) => !importedPaths.has(path));
  const exampleFile = counts.has("product") ? await findExampleFile(otherFiles) : undefined;
  const files = otherFiles.filter((file) => file !== exampleFile);
  if (files.length === 0 && exampleFile === undefined) return undefined;
  const outcome = await catalog.apply({ files }, "partial", { name: "command" });
  return { outcome, exampleFile: exampleFile?.name };
}

async function findExampleFile(files: readonly CatalogFile[]): Promise<CatalogFile | undefined> {
  const exampleText = await readFile(getPackagePath("examples/starter/catalog/products.jsonl"), "utf8");
  for (const file of files) if ((await readFile(file.path, "utf8")) === exampleText) return file;
  return undefined;
}
