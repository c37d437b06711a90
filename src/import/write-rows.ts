import { setTimeout } from "node:timers/promises";
import type { RowKind } from "../catalog/catalog.ts";
import type { RowChange } from "../catalog/catalog-log.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { getRowKeys } from "../catalog/rows/row-keys.ts";
import { SetupError } from "../setup-error.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { compactCatalog, deleteStagedRows, type PauseFunction } from "../storage/catalog/compaction.ts";
import { CatalogBusyError, type CatalogLease, takeCatalogLease } from "../storage/catalog/lease.ts";
import { beginStaging, STAGE_BATCH_ROWS } from "../storage/catalog/staging.ts";
import { type Database, type Statement, WriteConflict } from "../storage/database.ts";
import { computeVersionKey } from "./catalog-files.ts";
import { type CatalogChecker, checkFiles, isChangedRow } from "./check-catalog.ts";
import { createDroppedFieldLog, type DroppedFields } from "./dropped-fields.ts";
import type { ImportedRows } from "./imported-rows.ts";
import type { NamedRow } from "./patch-rows.ts";
import { type CatalogFile, type LocatedRow, parseFileKind, type ReadOptions, readCatalog } from "./read-catalog.ts";
import { findInvalidRows, type InvalidRow } from "./rejected-rows.ts";
import { createRowChanges } from "./row-changes.ts";
import { type ConflictCheck, createConflictCheck } from "./row-conflicts.ts";
import { createRowErrors, type RowErrors } from "./row-errors.ts";
import { compareWithStored, findUnchangedIds, resolveRowIds } from "./stored-rows.ts";

export interface RowWriteOptions {
  readonly files: readonly CatalogFile[];
  /** Rows to remove, unless the files contain them. */
  readonly deletions: readonly NamedRow[];
  readonly readOptions: Omit<ReadOptions, "onError" | "onProgress" | "prune">;
  /** Rows of the last import of these files. If present, only the difference is written. */
  readonly lastImport?: ImportedRows | undefined;
  /** Whether to remove stored rows that are missing in the files. Only kinds that the files contain are affected. */
  readonly prune: boolean;
  /**
   * Example files of a new store. With `prune`, the rows of these files are removed too, unless they were changed in
   * the store.
   */
  readonly examples?: readonly CatalogFile[];
  /** Whether to check the import without writing anything. */
  readonly dryRun?: boolean;
  /** Whether to write the valid rows and reject the others. */
  readonly skipInvalid?: boolean;
  /** Receives the lease after it was taken. If the lease is released before the end, nothing is imported. */
  readonly onLease?: (lease: CatalogLease) => void;
  /** Receives the rejected rows before anything is changed. */
  readonly onRowsRejected?: (rows: readonly InvalidRow[]) => Promise<void>;
  /** Receives the number of bytes read in all files, for each of the two passes. */
  readonly onProgress?: (step: "check" | "write", bytes: number) => void;
  /** Whether to pause between writes, so that the database is idle for half of the time. */
  readonly throttlesWrites: boolean;
  /** Checks conditions on stored rows, while no other import can change them. Adds an error for each row that fails. */
  readonly checkStoredRows?: (addError: RowErrors["add"]) => Promise<void>;
  /** Returns SQL statements to run in the transaction that publishes the changes. */
  readonly record: (outcome: RecordedChange) => readonly Statement[];
}

/** Changes of an import, which `record` stores. */
export interface RecordedChange {
  /** Number of rows that are new or changed. */
  readonly changed: number;
  readonly removed: number;
  readonly changes: readonly RowChange[];
}

export interface WriteResult {
  /** Errors of the files. If there are any, nothing was changed. */
  readonly errors: RowErrors;
  /** Whether the errors concern stored rows (`checkStoredRows`), not the files. */
  readonly isOutdated?: boolean;
  /** Number of rows in the files, by kind. */
  readonly counts: ReadonlyMap<RowKind, number>;
  /** Number of rows that are new or changed. */
  readonly changed: number;
  readonly removed: number;
  /** Lost fields by name: stored rows had them, but the imported rows that replace them do not. */
  readonly droppedFields: DroppedFields["fieldsByName"];
  readonly rejectedRows: readonly InvalidRow[];
  /** Fingerprint of the files' names, sizes, and modification times.  @see computeVersionKey */
  readonly stamp: string;
}

/**
 * Writes rows of files to the database atomically. The files are read twice: to find all errors, and to write.
 * @throws CatalogBusyError if another import is in progress
 * @throws SetupError if the files change while they are read
 */
export async function writeRows(
  { database, newId }: { readonly database: Database; readonly newId: () => string },
  inputOptions: RowWriteOptions,
): Promise<WriteResult> {
  const { files, lastImport } = inputOptions;
  const versionKey = await computeVersionKey(files);
  const invalidRows = inputOptions.skipInvalid === true ? await checkRowErrors(database, inputOptions) : undefined;
  const rejectedRows = invalidRows?.rows() ?? [];
  const options: RowWriteOptions =
    invalidRows === undefined
      ? inputOptions
      : { ...inputOptions, readOptions: { ...inputOptions.readOptions, rejectedRows: invalidRows } };
  const errors = createRowErrors();
  const droppedFields = createDroppedFieldLog();
  const rowChanges = createRowChanges();
  const catalogCheck = await checkFiles(createReadOptions(options, "check", true), files, lastImport, errors);
  const result = {
    errors,
    counts: catalogCheck.counts,
    changed: 0,
    removed: 0,
    droppedFields: droppedFields.fieldsByName,
    rejectedRows,
    stamp: versionKey,
  };
  if (options.dryRun === true || errors.count > 0) {
    return { ...result, ...(await compareRows(database, options, catalogCheck, errors, droppedFields)) };
  }
  const lease = await takeCatalogLease(database, newId());
  options.onLease?.(lease);
  try {
    const pauseWrites = await createWritePause(database, options);
    await deleteStagedRows(database, lease, pauseWrites);
    await options.checkStoredRows?.(errors.add);
    if (errors.count > 0) return { ...result, isOutdated: true };
    const conflictCheck = await startConflictCheck(database, options, catalogCheck, errors);
    const stagingState = await beginStaging(database, lease);
    let changedCount = 0;
    const isComplete = await writeInBatches(options, stagingState.batch, async (batchRows) => {
      await conflictCheck.checkRows(batchRows);
      if (errors.count > 0) return;
      const rows = batchRows.map(({ row }) => ({ ...getRowKeys(row), json: formatRow(row) }));
      const onRowStaged = (index: number, oldJson: string | undefined): void => {
        const [locatedRow, row] = [batchRows[index], rows[index]];
        if (locatedRow === undefined || row === undefined) return;
        rowChanges.add(row, oldJson);
        if (oldJson !== undefined) droppedFields.compare(locatedRow, oldJson, row.json);
      };
      changedCount += await runWithPause(pauseWrites, () => stagingState.put(rows, onRowStaged));
    });
    const removals = await conflictCheck.finish();
    const error = lastImport?.findRemovalError(removals);
    if (error !== undefined) errors.add(error);
    if (!isComplete || (await computeVersionKey(files)) !== versionKey)
      throw new SetupError("the files changed while they were read; nothing was imported. Run the import again.");
    if (errors.count > 0) {
      await deleteStagedRows(database, lease, pauseWrites);
      return result;
    }
    for (let offset = 0; offset < removals.length; offset += STAGE_BATCH_ROWS)
      await runWithPause(pauseWrites, () => stagingState.remove(removals.slice(offset, offset + STAGE_BATCH_ROWS)));
    if (rejectedRows.length > 0) await options.onRowsRejected?.(rejectedRows);
    const counts = { changed: changedCount, removed: removals.length };
    rowChanges.addRemovals(removals);
    const record = options.record({ ...counts, changes: rowChanges.list });
    if (changedCount + removals.length > 0) await stagingState.publish(record);
    else if (record.length > 0) await database.write([lease.createRenewalStatement(), ...record]);
    await compactRows(database, lease, pauseWrites);
    return { ...result, ...counts };
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    throw new CatalogBusyError("another import started in the meantime; this one changed nothing. Run it again.");
  } finally {
    // A lease that cannot be released expires by itself, and an earlier error is more important.
    await lease.release().catch(() => undefined);
  }
}

/**
 * Returns a function that pauses as long as the previous write took, at most a tenth of a second. An empty store has no
 * traffic, so no pauses.
 */
async function createWritePause(database: Database, { throttlesWrites }: RowWriteOptions): Promise<PauseFunction> {
  const { revision } = await readCatalogState(database);
  if (!throttlesWrites || revision === 0) return async () => {};
  return (writeTimeMs) => setTimeout(Math.min(writeTimeMs, 100));
}

async function runWithPause<T>(pauseWrites: PauseFunction, write: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await write();
  await pauseWrites(performance.now() - start);
  return result;
}

/**
 * Returns read options for a pass.
 * @param reportsNotes whether notes and file summaries are reported. Only one pass does, so that none appear twice.
 */
function createReadOptions(
  { readOptions: rowReadOptions, prune, onProgress }: RowWriteOptions,
  step: "check" | "write",
  reportsNotes: boolean,
): Omit<ReadOptions, "onError"> {
  const mutedCallbacks = reportsNotes ? {} : { onNote: () => {}, onFile: () => {} };
  return { ...rowReadOptions, ...mutedCallbacks, prune, onProgress: (bytes) => onProgress?.(step, bytes) };
}

/**
 * Finds the rows to reject. Rejecting a row may invalidate rows that refer to it, so the files are read until no new
 * error appears.
 */
function checkRowErrors(
  database: Database,
  { onProgress: _, ...options }: RowWriteOptions,
): ReturnType<typeof findInvalidRows> {
  return findInvalidRows(async (rejectedRows, onError) => {
    const errors: RowErrors = { firstErrors: [], count: 0, add: onError };
    const passOptions: RowWriteOptions = { ...options, readOptions: { ...options.readOptions, rejectedRows } };
    const readOptions = createReadOptions(passOptions, "check", false);
    const catalogCheck = await checkFiles(readOptions, options.files, options.lastImport, errors);
    await compareRows(database, passOptions, catalogCheck, errors);
  });
}

/** Checks for conflicts with stored rows that the import keeps; writes nothing.  @returns the number of changes */
async function compareRows(
  database: Database,
  options: RowWriteOptions,
  catalogCheck: CatalogChecker,
  errors: RowErrors,
  droppedFields?: DroppedFields,
): Promise<Pick<WriteResult, "changed" | "removed">> {
  const conflictCheck = await startConflictCheck(database, options, catalogCheck, errors);
  let changed = 0;
  await writeInBatches(options, STAGE_BATCH_ROWS, async (batchRows) => {
    await conflictCheck.checkRows(batchRows);
    if (droppedFields !== undefined) changed += await compareWithStored(database, batchRows, droppedFields);
  });
  return { changed, removed: (await conflictCheck.finish()).length };
}

async function startConflictCheck(
  database: Database,
  { files, prune, lastImport, deletions, examples = [], readOptions }: RowWriteOptions,
  check: CatalogChecker,
  errors: RowErrors,
): Promise<ConflictCheck> {
  const { revision } = await readCatalogState(database);
  const kinds = [...check.kinds, ...files.map(({ path }) => parseFileKind(path))];
  const prunedKinds = new Set(prune ? kinds.filter((kind) => kind !== undefined) : []);
  const deletedIds =
    lastImport?.removed() ??
    (prune ? await findUnchangedIds(database, examples, readOptions) : await resolveRowIds(database, deletions));
  const conflicts = createConflictCheck({ database, revision, check, prunedKinds, deletedIds, onError: errors.add });
  // An empty store cannot have conflicting rows, so the check is skipped.
  return revision > 0 ? conflicts : { ...conflicts, checkRows: async () => {} };
}

/**
 * Writes changed rows in a second pass, and reads the next batch while the previous one is written. The first pass
 * reported all errors.
 * @returns false if there are new errors, because the files changed
 */
async function writeInBatches(
  options: RowWriteOptions,
  length: number,
  write: (locatedRows: readonly LocatedRow[]) => Promise<void>,
): Promise<boolean> {
  let isComplete = true;
  let batch: LocatedRow[] = [];
  let pendingWrite: Promise<void> = Promise.resolve();
  const onError = (): void => {
    isComplete = false;
  };
  for await (const sourceRow of readCatalog(options.files, {
    ...createReadOptions(options, "write", false),
    onError,
  })) {
    if (isChangedRow(sourceRow, options.lastImport)) batch.push(sourceRow);
    if (batch.length < length) continue;
    await pendingWrite;
    pendingWrite = write(batch);
    // Prevents an unhandled rejection. The `await` below throws the error.
    pendingWrite.catch(() => undefined);
    batch = [];
  }
  await pendingWrite;
  if (batch.length > 0) await write(batch);
  return isComplete;
}

/**
 * Deletes the replaced rows, which are no longer visible. If another import has taken the lease, that import deletes
 * the rows instead.
 */
async function compactRows(database: Database, lease: CatalogLease, pauseWrites: PauseFunction): Promise<void> {
  try {
    await compactCatalog(database, lease, pauseWrites);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
  }
}
