import { SetupError } from "../setup-error.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { CatalogBusy } from "../storage/catalog/lease.ts";
import type { Database } from "../storage/database.ts";
import { filesOfStore, stampOf } from "./catalog-files.ts";
import { readLocalImages } from "./images/local-images.ts";
import { importFiles } from "./import-files.ts";
import type { ImportOptions } from "./import-options.ts";
import { noImportedRows } from "./imported-rows.ts";
import type { CatalogFile } from "./read-catalog.ts";
import { createReadingReport, type ReadingReport } from "./reading-report.ts";
import { describeRowError, type RowErrors } from "./row-errors.ts";

/** Milliseconds between looks at whether another server has imported. */
const BUSY_WAIT_MS = 300;
/** Faults told at a start; `vitrine check` tells more. */
const MAX_TOLD = 20;

/** Imports a store's `catalog/` into a database in which nothing was imported yet.
 *  @throws SetupError that tells the faults of its files */
export async function importNewStore(
  database: Database,
  storeDir: string,
  options: Pick<ImportOptions, "currency" | "timezone" | "now" | "newId">,
  onNotice?: (text: string) => void,
): Promise<void> {
  const files = await filesOfStore(storeDir);
  if (files.length === 0) return;
  const report = createReadingReport();
  const start = () => onNotice?.(`Importing ${storeDir}/catalog into an empty database.`);
  const errors = await importFirst(database, storeDir, files, options, start, report);
  for (const line of report.lines(options.currency)) onNotice?.(line);
  if (errors === undefined || errors.count === 0) return;
  throw new SetupError(["the catalogue has faults, so nothing was imported:", ...tellFaults(errors)].join("\n"));
}

/** The first faults, a line each, and how many more there are. */
export function tellFaults({ first, count }: RowErrors): readonly string[] {
  const told = first.slice(0, MAX_TOLD).map(describeRowError);
  return count > told.length ? [...told, `… and ${count - told.length} more: see "vitrine check".`] : told;
}

/** Of several servers that start on one empty database, one imports and the others wait for it.
 *  @returns undefined where there is nothing to import any more */
async function importFirst(
  database: Database,
  storeDir: string,
  files: readonly CatalogFile[],
  options: Pick<ImportOptions, "currency" | "timezone" | "now" | "newId">,
  onStart: () => void,
  { onNote, onFile }: ReadingReport,
): Promise<RowErrors | undefined> {
  let isTold = false;
  while ((await readCatalogState(database)).revision === 0) {
    if (!isTold) onStart();
    isTold = true;
    try {
      const stamp = await stampOf(files);
      const taken = noImportedRows(storeDir);
      const images = await readLocalImages(storeDir);
      const { errors } = await importFiles(database, files, { ...options, images, imported: taken, onNote, onFile });
      if (errors.count === 0) await taken.save(stamp);
      return errors;
    } catch (error) {
      if (!(error instanceof CatalogBusy)) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_WAIT_MS));
    }
  }
  return undefined;
}
