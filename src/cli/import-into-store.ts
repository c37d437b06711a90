import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import type { RowKind } from "../catalog/catalog.ts";
import { type CatalogImport, type CatalogImporter, type ChangeOutcome, createImporter } from "../import/catalog.ts";
import { findCatalogFiles, listStoreFiles } from "../import/catalog-files.ts";
import type { DroppedFields } from "../import/dropped-fields.ts";
import { type CatalogFile, sumBytes } from "../import/read-catalog.ts";
import { createImportReport } from "../import/reading-report.ts";
import { type InvalidRow, writeRejectedRows } from "../import/rejected-rows.ts";
import { describeRowError, type RowErrors } from "../import/row-errors.ts";
import { SetupError } from "../setup-error.ts";
import { checkCatalogCurrency, saveCatalogCurrency } from "../storage/catalog/catalog-currency.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import type { CatalogLease } from "../storage/catalog/lease.ts";
import { system } from "../system.ts";
import { askCurrency } from "./ask-currency.ts";
import { type CommandIo, getPackagePath } from "./io.ts";
import { reportInterruption } from "./listening.ts";
import { startProgressBar } from "./progress-bar.ts";
import type { OpenedStore } from "./store-database.ts";

export interface ImportRequest {
  readonly prune: boolean;
  readonly dryRun: boolean;
  readonly patch: boolean;
  readonly skipInvalid: boolean;
  /** ISO 4217 currency code for all prices. Default: the currency of the store. */
  readonly currency?: string | undefined;
  readonly market?: string | undefined;
  readonly encoding?: string | undefined;
  /** Whether this is the second import of a command, after its images were downloaded. */
  readonly isRepeated?: boolean;
}

/** Imports files into a store and prints the result.  @returns the exit code */
export async function importInto(
  { storeDir, config, database }: OpenedStore,
  files: readonly CatalogFile[],
  { prune, dryRun, patch, skipInvalid, currency: requestedCurrency, isRepeated = false, ...readOptions }: ImportRequest,
  io: CommandIo,
): Promise<number> {
  if (requestedCurrency !== undefined && requestedCurrency !== config.currency)
    throw new SetupError(
      `the prices are in ${requestedCurrency}, and the store's currency is ${config.currency}: set "currency" in ${storeDir}/vitrine.config.ts first. Nothing was imported.`,
    );
  // The currency is asked only before the first import.
  const isFirstImport = (await readCatalogState(database)).revision === 0;
  const currency =
    requestedCurrency !== undefined || !isFirstImport || dryRun
      ? config.currency
      : await askCurrency(storeDir, config.currency, files, io);
  let lease: CatalogLease | undefined;
  const stopText = "Stopped: an import applies all of its rows or none. Run it again.";
  const interruption = reportInterruption(io, stopText, () => lease?.release());
  // Each of the two passes, of which a dry run has only the first, reads all bytes.
  const bytes = await sumBytes(files);
  const step = { check: "Checking", write: "Importing" } as const;
  const progressBar = startProgressBar(io, "{step} [{bar}] {percentage}%", Math.max(1, dryRun ? bytes : 2 * bytes), {
    step: step.check,
  });
  const report = createImportReport();
  const notices: string[] = [];
  const catalog = createImporter({ ...system, database, storeDir, currency, timezone: config.timezone });
  try {
    const changes: CatalogImport = {
      ...{ files, ...readOptions, dryRun, patch, skipInvalid, onNote: report.onNote, onFile: report.onFile },
      ...(prune ? { examples: await findCatalogFiles(getPackagePath("examples/starter/catalog"), io.cwd) } : {}),
      async onRowsRejected(rows) {
        if (isRepeated) return;
        for (const { file, rows: count } of await writeRejectedRows(rows, io.cwd))
          notices.push(
            `${count === 1 ? "1 row was" : `${count} rows were`} left out: see ${relative(io.cwd, file)}, correct and import it.`,
          );
      },
      onLease(newLease) {
        lease = newLease;
      },
      onProgress: (pass, passBytes) =>
        progressBar?.update(pass === "check" ? passBytes : bytes + passBytes, { step: step[pass] }),
    };
    const result = await catalog.apply(changes, prune ? "full" : "partial", { name: "command" });
    progressBar?.stop();
    if (result.kind === "errors") return reportErrors(result.errors, io);
    if (result.kind !== "done") throw new SetupError(result.kind === "busy" ? result.message : result.kind);
    if (isRepeated) {
      io.stdout.write(`${result.changed} rows now use local images.\n`);
      return 0;
    }
    for (const line of report.lines(currency)) io.stderr.write(`${line}\n`);
    reportRejectedRows(result.rejectedRows, notices, dryRun, io);
    const [verb, condition] = dryRun ? ["Checked", "would be "] : ["Imported", ""];
    io.stdout.write(
      `${verb} ${formatCounts(result.counts)}; ${result.changed} ${condition}new or changed, ${result.removed} ${condition}removed.\n`,
    );
    // A patch removes only the fields that it names, so it removes no field by mistake.
    if (!patch) reportDroppedFields(result.droppedFields, dryRun, io);
    if (dryRun) return 0;
    if (prune && result.counts.has("product")) await saveCatalogCurrency(database, currency);
    const currencyWarning = await checkCatalogCurrency(database, currency);
    if (currencyWarning !== undefined) io.stderr.write(`warning: ${currencyWarning}\n`);
    if (!isFirstImport) return 0;
    return reportStoreFiles(await importStoreFiles(catalog, storeDir, files, result.counts), io);
  } finally {
    interruption.stop();
    progressBar?.stop();
  }
}

/** Prints the result of importing `catalog/` of a new store.  @returns the exit code */
function reportStoreFiles(result: Awaited<ReturnType<typeof importStoreFiles>>, io: CommandIo): number {
  if (result === undefined) return 0;
  const { outcome, exampleFile } = result;
  if (outcome.kind === "errors") return reportErrors(outcome.errors, io, "The files of catalog/ were not imported");
  if (outcome.kind !== "done") throw new SetupError(outcome.kind === "busy" ? outcome.message : outcome.kind);
  if (outcome.counts.size > 0) io.stdout.write(`Imported ${formatCounts(outcome.counts)} of catalog/.\n`);
  if (exampleFile !== undefined)
    io.stdout.write(`The example products of ${exampleFile} were left out: you can delete that file.\n`);
  return 0;
}

/** Maximum number of rejected rows to print. */
const MAX_PRINTED_ROWS = 20;

function reportRejectedRows(
  rows: readonly InvalidRow[],
  files: readonly string[],
  dryRun: boolean,
  io: CommandIo,
): void {
  for (const { file, line, reasons } of rows.slice(0, MAX_PRINTED_ROWS)) {
    const [firstReason = "", ...otherReasons] = reasons;
    const reason = firstReason.startsWith(`line ${line}: `) ? firstReason.slice(`line ${line}: `.length) : firstReason;
    io.stderr.write(
      `left out: ${file}:${line}: ${reason}${otherReasons.length > 0 ? ` (and ${otherReasons.length} more)` : ""}\n`,
    );
  }
  if (rows.length > MAX_PRINTED_ROWS) io.stderr.write(`… and ${rows.length - MAX_PRINTED_ROWS} more rows.\n`);
  for (const line of files) io.stderr.write(`${line}\n`);
  if (dryRun && rows.length > 0) io.stderr.write(`${rows.length} would be left out.\n`);
}

function reportErrors(errors: RowErrors, io: CommandIo, result = "Nothing was imported"): number {
  for (const error of errors.firstErrors) io.stderr.write(`${describeRowError(error)}\n`);
  const unlistedCount = errors.count - errors.firstErrors.length;
  if (unlistedCount > 0) io.stderr.write(`… and ${unlistedCount} more.\n`);
  io.stderr.write(
    `${result}: ${errors.count === 1 ? "1 error" : `${errors.count} errors`}. Correct ${errors.count === 1 ? "it" : "them"} and import again${errors.firstErrors.every(({ row }) => row !== undefined) ? ", or leave such rows out with --skip-bad" : ""}.\n`,
  );
  return 1;
}

/** Prints fields that the import removed because the rows do not contain them. This is seldom intended. */
function reportDroppedFields(droppedFields: DroppedFields["fieldsByName"], dryRun: boolean, io: CommandIo): void {
  if (droppedFields.size === 0) return;
  for (const [name, { rows, file, line }] of [...droppedFields].sort(([, a], [, b]) => b.rows - a.rows)) {
    const locationText = rows === 1 ? `${file}:${line}` : `${rows} rows, the first ${file}:${line}`;
    io.stderr.write(
      `warning: ${name} ${dryRun ? "would be" : "is"} removed from rows that do not contain it: ${locationText}\n`,
    );
  }
  io.stderr.write(
    'A row replaces the entire previous row. With "--patch", rows change only the fields that they contain.\n',
  );
}

function formatCounts(counts: ReadonlyMap<RowKind, number>): string {
  const parts = [...counts].map(([kind, count]) => `${count} ${kind.replace("_", " ")}${count === 1 ? "" : "s"}`);
  return parts.length === 0 ? "no rows" : parts.join(", ");
}

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
async function importStoreFiles(
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
