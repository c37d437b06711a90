import { parentPort, workerData } from "node:worker_threads";
import { formatRow } from "../catalog/rows/format-row.ts";
import { letOtherThreadsFirst } from "../priority.ts";
import type { CatalogSource } from "../storage/catalog/catalog-reader.ts";
import { CatalogBusy } from "../storage/catalog/lease.ts";
import { openDatabase } from "../storage/open-database.ts";
import { system } from "../system.ts";
import { filesOfStore, stampOf } from "./catalog-files.ts";
import { importFiles } from "./import-files.ts";
import { tellFaults } from "./import-new-store.ts";
import { readHomePictures } from "./pictures/home-pictures.ts";
import { readCatalog } from "./read-catalog.ts";
import { createReadingReport } from "./reading-report.ts";
import { noTakenRows, readTakenRows } from "./taken-rows.ts";

export interface EditsTask {
  readonly storeDir: string;
  readonly source: CatalogSource;
  /** ISO 4217. */
  readonly currency: string;
}

/** What became of edits: rows that were changed and removed, the faults for which nothing was, or "busy" where another import is under way. */
export type EditsOutcome =
  | { readonly changed: number; readonly removed: number; readonly told: readonly string[] }
  | { readonly faults: readonly string[] }
  | "busy";

/** Milliseconds for which it waits for a lock that others hold. */
const WAIT_MS = 15_000;

const port = parentPort;
if (port !== null) {
  letOtherThreadsFirst();
  port.postMessage(await takeEdits(workerData as EditsTask));
}

/** Takes what was edited in `catalog/` since it was last taken into the store, all or nothing. Where nothing was ever taken, what is there
 *  is taken for what the store has: it was imported before edits were followed. */
async function takeEdits({ storeDir, source, currency }: EditsTask): Promise<EditsOutcome> {
  const files = await filesOfStore(storeDir);
  const stamp = await stampOf(files);
  const taken = await readTakenRows(storeDir);
  const pictures = await readHomePictures(storeDir);
  if (taken === undefined) {
    const rows = noTakenRows(storeDir);
    for await (const { row } of readCatalog(files, { ...system, currency, pictures, onFault: () => {} }))
      rows.note(row.kind, row.id, formatRow(row));
    await rows.save(stamp);
    return { changed: 0, removed: 0, told: [] };
  }
  const report = createReadingReport();
  const database = await openDatabase(source, { waitMs: WAIT_MS });
  try {
    const { faults, changed, removed } = await importFiles(database, files, {
      ...system,
      currency,
      pictures,
      taken,
      paced: true,
      onNote: report.onNote,
      onFile: report.onFile,
    });
    if (faults.count > 0) return { faults: tellFaults(faults) };
    await taken.save(stamp);
    return { changed, removed, told: changed + removed > 0 ? report.lines(currency) : [] };
  } catch (error) {
    if (error instanceof CatalogBusy) return "busy";
    throw error;
  } finally {
    await database.close();
  }
}
