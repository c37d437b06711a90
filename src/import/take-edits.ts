import { parentPort, workerData } from "node:worker_threads";
import { letOtherThreadsFirst } from "../priority.ts";
import type { CatalogSource } from "../storage/catalog/catalog-reader.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { CatalogBusy } from "../storage/catalog/lease.ts";
import { findRows } from "../storage/catalog/look-ups.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { system } from "../system.ts";
import { filesOfStore, stampOf } from "./catalog-files.ts";
import { readLocalImages } from "./images/local-images.ts";
import { importFiles } from "./import-files.ts";
import { tellFaults } from "./import-new-store.ts";
import { type ImportedRow, noImportedRows, readImportedRows, recordCatalog } from "./imported-rows.ts";
import { createReadingReport } from "./reading-report.ts";

export interface EditsTask {
  readonly storeDir: string;
  readonly source: CatalogSource;
  /** ISO 4217. */
  readonly currency: string;
  readonly timezone: string;
}

/** What became of edits: rows that were changed and removed, the faults for which nothing was, or "busy" where another import is under way. */
export type EditsOutcome =
  | { readonly changed: number; readonly removed: number; readonly told: readonly string[] }
  | { readonly errors: readonly string[] }
  | "busy";

/** Milliseconds for which it waits for a lock that others hold. */
const WAIT_MS = 15_000;

const port = parentPort;
if (port !== null) {
  port.postMessage(await takeEdits(workerData as EditsTask));
}

/** Imports the edits of `catalog/` since its last import, all or nothing. If the folder was never imported and the store is not empty, assumes
 *  that the store holds the rows of the folder. */
async function takeEdits({ storeDir, source, currency, timezone }: EditsTask): Promise<EditsOutcome> {
  const report = createReadingReport();
  const database = await openDatabase(source, { waitMs: WAIT_MS });
  letOtherThreadsFirst();
  try {
    const { revision } = await readCatalogState(database);
    const taken = (await readImportedRows(storeDir)) ?? (revision === 0 ? noImportedRows(storeDir) : undefined);
    if (taken === undefined) {
      await recordCatalog(storeDir, { currency, timezone });
      return { changed: 0, removed: 0, told: [] };
    }
    const files = await filesOfStore(storeDir);
    const stamp = await stampOf(files);
    const { errors, changed, removed } = await importFiles(database, files, {
      ...system,
      currency,
      timezone,
      images: await readLocalImages(storeDir),
      imported: taken,
      paced: true,
      onNote: report.onNote,
      onFile: report.onFile,
    });
    if (errors.count > 0) return { errors: tellFaults(errors) };
    const stranded = await storedOnes(database, taken.stranded());
    await taken.save(stamp, stranded);
    const told = changed + removed > 0 ? report.lines(currency) : [];
    return { changed, removed, told: [...told, ...describeStranded(stranded)] };
  } catch (error) {
    if (error instanceof CatalogBusy) return "busy";
    throw error;
  } finally {
    await database.close();
  }
}

/** The rows that the store still has. */
async function storedOnes(database: Database, rows: readonly ImportedRow[]): Promise<readonly ImportedRow[]> {
  const { revision } = await readCatalogState(database);
  const stored: ImportedRow[] = [];
  for (const [kind, some] of Map.groupBy(rows, (row) => row.kind)) {
    const found = await findRows(
      database,
      revision,
      kind,
      "id",
      some.map(({ id }) => id),
    );
    const ids = new Set(found.map(({ id }) => id));
    stored.push(...some.filter(({ id }) => ids.has(id)));
  }
  return stored;
}

function describeStranded(rows: readonly ImportedRow[]): readonly string[] {
  return [...Map.groupBy(rows, ({ file }) => file)].map(
    ([file, { length }]) =>
      `${file} is missing or empty: its ${length === 1 ? "row stays" : `${length} rows stay`} in the shop. To remove rows: "vitrine import --prune" with the files that remain, where an empty products.jsonl means no products`,
  );
}
