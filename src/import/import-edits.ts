import { parentPort, workerData } from "node:worker_threads";
import { lowerThreadPriority } from "../priority.ts";
import type { CatalogDatabase } from "../storage/catalog/catalog-reader.ts";
import { openDatabase } from "../storage/open-database.ts";
import { system } from "../system.ts";
import { createImporter } from "./catalog.ts";
import { listStoreFiles } from "./catalog-files.ts";
import type { ImportedRow } from "./imported-rows.ts";
import { createImportReport } from "./reading-report.ts";
import { listErrors } from "./row-errors.ts";

export interface ImportTask {
  readonly storeDir: string;
  readonly source: CatalogDatabase;
  /** ISO 4217 code of the currency for prices without a currency. */
  readonly currency: string;
  readonly timezone: string;
}

/** Outcome of importing the edited files of `catalog/`; "busy" if another import is in progress. */
export type ImportOutcome =
  | { readonly kind: "done"; readonly count: number; readonly notices: readonly string[] }
  | { readonly kind: "errors"; readonly errors: readonly string[] }
  | { readonly kind: "busy" };

/** Maximum time in milliseconds to wait for the database's lock. */
const LOCK_TIMEOUT_MS = 15_000;

const port = parentPort;
if (port !== null) {
  port.postMessage(await importEdits(workerData as ImportTask));
}

/** Imports the changes of `catalog/` since its last import. */
async function importEdits({ storeDir, source, currency, timezone }: ImportTask): Promise<ImportOutcome> {
  const { onNote, onFile, lines } = createImportReport();
  const database = await openDatabase(source, { lockTimeoutMs: LOCK_TIMEOUT_MS });
  lowerThreadPriority();
  try {
    const catalog = createImporter({ ...system, database, storeDir, currency, timezone });
    const files = await listStoreFiles(storeDir);
    const outcome = await catalog.apply({ files, onNote, onFile }, "full", { name: "folder" });
    if (outcome.kind === "errors") return { kind: "errors", errors: listErrors(outcome.errors) };
    if (outcome.kind !== "done") return { kind: "busy" };
    const count = outcome.changed + outcome.removed;
    return {
      kind: "done",
      count,
      notices: [...(count > 0 ? lines(currency) : []), ...describeOrphanRows(outcome.orphans)],
    };
  } finally {
    await database.close();
  }
}

function describeOrphanRows(orphanRows: readonly ImportedRow[]): readonly string[] {
  return [...Map.groupBy(orphanRows, ({ file }) => file)].map(
    ([file, { length }]) =>
      `${file} is missing or empty: its ${length === 1 ? "row stays" : `${length} rows stay`} in the shop. To remove rows, run "vitrine import --prune" with the remaining files. An empty products.jsonl removes all products`,
  );
}
