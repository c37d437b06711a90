import type { Kind } from "../catalog/catalog.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { rowKeys } from "../catalog/rows/row-keys.ts";
import { SetupError } from "../setup-error.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { compactCatalog, dropStaged, type Pause } from "../storage/catalog/compaction.ts";
import { CatalogBusy, type CatalogLease, takeCatalogLease } from "../storage/catalog/lease.ts";
import { readRowsById } from "../storage/catalog/lookups.ts";
import { beginStaging, STAGE_BATCH } from "../storage/catalog/staging.ts";
import { type Database, type Statement, WriteConflict } from "../storage/database.ts";
import { stampOf } from "./catalog-files.ts";
import { type CatalogCheck, checkFiles, isChanged } from "./check-catalog.ts";
import { type ClashCheck, createClashCheck, type Removal } from "./clashes.ts";
import { createDroppedFields, type DroppedFields } from "./dropped-fields.ts";
import type { ImportedRows } from "./imported-rows.ts";
import type { NamedRow } from "./patch-rows.ts";
import { type CatalogFile, kindOfFile, type LocatedRow, type ReadOptions, readCatalog } from "./read-catalog.ts";
import { findInvalidRows, type InvalidRow } from "./rejected-rows.ts";
import { createRowErrors, type RowErrors } from "./row-errors.ts";
import { findNamed, unchangedRows } from "./stored-rows.ts";

export interface WriteOptions {
  readonly files: readonly CatalogFile[];
  /** Rows to be removed, unless the files contain them. */
  readonly deletions: readonly NamedRow[];
  readonly reading: Omit<ReadOptions, "onError" | "onProgress" | "prune">;
  /** The rows of the last import of these files: only the difference is written. */
  readonly imported?: ImportedRows;
  /** Removes rows that the files lack, of the kinds that they contain. */
  readonly prune: boolean;
  /** Files whose rows `prune` also removes, of any kind, if the store has them unchanged: the examples of a new store. */
  readonly examples?: readonly CatalogFile[];
  /** Checks everything and changes nothing. */
  readonly dryRun?: boolean;
  /** Writes the valid rows and rejects the others. */
  readonly skipInvalid?: boolean;
  /** Receives the rejected rows before anything is changed. */
  readonly onRejected?: (rows: readonly InvalidRow[]) => Promise<void>;
  /** Receives the bytes read of all files, in each of the two passes. */
  readonly onProgress?: (step: "check" | "write", bytes: number) => void;
  /** Leaves the database idle for half of the time. */
  readonly isPaced: boolean;
  /** Statements for the transaction that publishes the change. */
  readonly record: (counts: { readonly changed: number; readonly removed: number }) => readonly Statement[];
}

export interface WriteResult {
  /** Nothing was changed if there are any. */
  readonly errors: RowErrors;
  /** Rows of the files by kind. */
  readonly counts: ReadonlyMap<Kind, number>;
  /** Rows that are new or differ. */
  readonly changed: number;
  readonly removed: number;
  /** Fields that stored rows had and their replacements lack. */
  readonly dropped: DroppedFields["byName"];
  readonly rejected: readonly InvalidRow[];
  /** Stamp of the files. @see stampOf */
  readonly stamp: string;
}

/** Writes rows of files to the database, all or none. The files are read twice: to find all errors, and to write.
 *  @throws CatalogBusy if another import is in progress  @throws SetupError if the files change while they are read */
export async function writeRows(
  { database, now, newId }: { readonly database: Database; readonly now: () => number; readonly newId: () => string },
  given: WriteOptions,
): Promise<WriteResult> {
  const { files, imported } = given;
  const stamp = await stampOf(files);
  const invalid = given.skipInvalid === true ? await findInvalid(database, given) : undefined;
  const rejected = invalid?.rows() ?? [];
  const options: WriteOptions =
    invalid === undefined ? given : { ...given, reading: { ...given.reading, rejected: invalid } };
  const errors = createRowErrors();
  const dropped = createDroppedFields();
  const check = await checkFiles(readingOf(options, "check"), files, imported, errors);
  const result = { errors, counts: check.counts, changed: 0, removed: 0, dropped: dropped.byName, rejected, stamp };
  if (options.dryRun === true || errors.count > 0) {
    const removals = await compare(database, options, check, errors, dropped);
    return { ...result, removed: removals.length };
  }
  const lease = await takeCatalogLease(database, newId(), now);
  try {
    const pause = await pauseFor(database, options);
    await dropStaged(database, lease, pause);
    const clashes = await clashesWith(database, options, check, errors);
    const staging = await beginStaging(database, lease);
    let changed = 0;
    const isComplete = await readBatches(options, staging.batch, async (located) => {
      await clashes.look(located);
      if (errors.count > 0) return;
      const rows = located.map(({ row }) => ({ ...rowKeys(row), json: formatRow(row) }));
      const onReplaced = (index: number, before: string): void => {
        const [one, row] = [located[index], rows[index]];
        if (one !== undefined && row !== undefined) dropped.compare(one, before, row.json);
      };
      changed += await timed(pause, () => staging.put(rows, onReplaced));
    });
    const removals = await clashes.finish();
    const error = imported?.error(removals);
    if (error !== undefined) errors.add(error);
    if (!isComplete || (await stampOf(files)) !== stamp)
      throw new SetupError("the files changed while they were read; nothing was imported. Run the import again.");
    if (errors.count > 0) {
      await dropStaged(database, lease, pause);
      return result;
    }
    for (let at = 0; at < removals.length; at += STAGE_BATCH)
      await timed(pause, () => staging.remove(removals.slice(at, at + STAGE_BATCH)));
    if (rejected.length > 0) await options.onRejected?.(rejected);
    const counts = { changed, removed: removals.length };
    const record = options.record(counts);
    if (changed + removals.length > 0) await staging.publish(record);
    else if (record.length > 0) await database.write([lease.renewal(), ...record]);
    await compact(database, lease, pause);
    return { ...result, ...counts };
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    throw new CatalogBusy("another import started in the meantime; this one changed nothing. Run it again.");
  } finally {
    // A lease that cannot be released expires; an earlier error matters more.
    await lease.release().catch(() => undefined);
  }
}

/** Pauses last as long as the previous write, at most a tenth of a second. An empty store has no shoppers who would wait. */
async function pauseFor(database: Database, { isPaced }: WriteOptions): Promise<Pause> {
  const { revision } = await readCatalogState(database);
  if (!isPaced || revision === 0) return async () => {};
  return (worked) => new Promise((resolve) => setTimeout(resolve, Math.min(worked, 100)));
}

async function timed<T>(pause: Pause, write: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await write();
  await pause(performance.now() - start);
  return result;
}

/** Notes and files are reported by the first pass only. */
function readingOf(
  { reading, prune, onProgress }: WriteOptions,
  step: "check" | "write",
): Omit<ReadOptions, "onError"> {
  const quiet = step === "check" ? {} : { onNote: () => {}, onFile: () => {} };
  return { ...reading, ...quiet, prune, onProgress: (bytes) => onProgress?.(step, bytes) };
}

/** Finds the rows to reject: removing one may invalidate a row that refers to it, so the files are read until no new error appears. */
function findInvalid(database: Database, options: WriteOptions): ReturnType<typeof findInvalidRows> {
  const { onNote: _, onFile: __, ...reading } = options.reading;
  const { onProgress: ___, ...quiet } = options;
  return findInvalidRows(async (rejected, onError) => {
    const errors: RowErrors = { first: [], count: 0, add: onError };
    const one: WriteOptions = { ...quiet, reading: { ...reading, rejected } };
    const check = await checkFiles(readingOf(one, "check"), one.files, one.imported, errors);
    await compare(database, one, check, errors);
  });
}

/** Looks for clashes with rows that stay in the store, and writes nothing. @returns the rows that would be removed */
async function compare(
  database: Database,
  options: WriteOptions,
  check: CatalogCheck,
  errors: RowErrors,
  dropped?: DroppedFields,
): Promise<readonly Removal[]> {
  const clashes = await clashesWith(database, options, check, errors);
  await readBatches(options, STAGE_BATCH, async (located) => {
    await clashes.look(located);
    if (dropped !== undefined) await findDropped(database, located, dropped);
  });
  return clashes.finish();
}

/** Compares rows with the stored rows that they would replace. */
async function findDropped(database: Database, located: readonly LocatedRow[], dropped: DroppedFields): Promise<void> {
  const { revision } = await readCatalogState(database);
  for (const [kind, group] of Map.groupBy(located, ({ row }) => row.kind)) {
    const byId = new Map(group.map((one) => [one.row.id, one]));
    for (const { id, json } of await readRowsById(database, revision, kind, [...byId.keys()])) {
      const one = byId.get(id);
      if (one !== undefined) dropped.compare(one, json, formatRow(one.row));
    }
  }
}

async function clashesWith(
  database: Database,
  { files, prune, imported, deletions, examples = [], reading }: WriteOptions,
  check: CatalogCheck,
  errors: RowErrors,
): Promise<ClashCheck> {
  const { revision } = await readCatalogState(database);
  const kinds = [...check.kinds, ...files.map(({ path }) => kindOfFile(path))];
  const pruned = new Set(prune ? kinds.filter((kind) => kind !== undefined) : []);
  const deleted =
    imported?.removed() ??
    (prune ? await unchangedRows(database, examples, reading) : await findNamed(database, deletions));
  const clashes = createClashCheck({ database, revision, check, pruned, deleted, onError: errors.add });
  // Nothing clashes with an empty store.
  return revision > 0 ? clashes : { ...clashes, look: async () => {} };
}

/** Reads the changed rows a second time, the next batch while the previous one is written. The first pass reported all errors.
 *  @returns false if there are new errors: the files changed */
async function readBatches(
  options: WriteOptions,
  length: number,
  write: (located: readonly LocatedRow[]) => Promise<void>,
): Promise<boolean> {
  let isComplete = true;
  let batch: LocatedRow[] = [];
  let writing: Promise<void> = Promise.resolve();
  const onError = (): void => {
    isComplete = false;
  };
  for await (const located of readCatalog(options.files, { ...readingOf(options, "write"), onError })) {
    if (isChanged(located, options.imported)) batch.push(located);
    if (batch.length < length) continue;
    await writing;
    writing = write(batch);
    // The await below rethrows it.
    writing.catch(() => undefined);
    batch = [];
  }
  await writing;
  if (batch.length > 0) await write(batch);
  return isComplete;
}

/** The change is visible already: another import that holds the lease meanwhile deletes the replaced rows. */
async function compact(database: Database, lease: CatalogLease, pause: Pause): Promise<void> {
  try {
    await compactCatalog(database, lease, pause);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
  }
}
