import type { Row } from "../catalog/catalog.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { rowKeys } from "../catalog/rows/row-keys.ts";
import { SetupError } from "../setup-error.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { type CatalogLease, takeCatalogLease } from "../storage/catalog/lease.ts";
import { readRowsById } from "../storage/catalog/look-ups.ts";
import { beginStaging, STAGE_BATCH } from "../storage/catalog/staging.ts";
import { dropStaged, type Pause, tidyCatalog } from "../storage/catalog/tidying.ts";
import { type Database, WriteConflict } from "../storage/database.ts";
import { stampOf } from "./catalog-files.ts";
import { type CatalogCheck, createCatalogCheck } from "./check-catalog.ts";
import { type ClashCheck, createClashCheck, type Removal } from "./clashes.ts";
import { createDroppedFields, type DroppedFields } from "./dropped-fields.ts";
import type { ImportOptions, ImportResult } from "./import-options.ts";
import { findInvalidRows } from "./invalid-rows.ts";
import { createPatch } from "./patch-rows.ts";
import { type CatalogFile, kindOfFile, type LocatedRow, type RejectedRows, readCatalog } from "./read-catalog.ts";
import { createRowErrors, type RowErrors } from "./row-errors.ts";
import { storedRows, unchangedRows } from "./stored-rows.ts";

/** How the files are read, both times. */
type Reading = Omit<ImportOptions, "patch" | "now" | "newId" | "skipInvalid" | "onRejected"> &
  Partial<Pick<ImportOptions, "now">> & {
    readonly rejected?: RejectedRows;
    readonly stored?: ReturnType<typeof storedRows>;
  };

/** Faults kept to be shown; the others are counted. */
const MAX_FAULTS = 100;

/** Reads catalogue files into the database, all or nothing. They are read twice: once to find every fault, once to write.
 *  @throws SetupError where another import is under way, or the files change meanwhile */
export async function importFiles(
  database: Database,
  files: readonly CatalogFile[],
  { patch = false, newId, skipInvalid: skipBad = false, onRejected: onLeftOut, ...given }: ImportOptions,
): Promise<ImportResult> {
  const { now } = given;
  const began = now();
  const whole: Reading = {
    ...given,
    // Both times the files are read at one moment.
    now: () => began,
    ...(patch ? { merge: createPatch(database) } : {}),
    // What was taken before stands in the files alone.
    ...(given.imported === undefined ? { stored: storedRows(database) } : {}),
  };
  const errors = createRowErrors(MAX_FAULTS);
  const losses = createDroppedFields();
  const lost = losses.byName;
  const stamp = await stampOf(files);
  const bad = skipBad ? await badRowsOf(database, files, whole) : undefined;
  const options: Reading = bad === undefined ? whole : { ...whole, rejected: bad };
  const leftOut = bad?.rows() ?? [];
  const check = await checkFiles(files, options, errors);
  const { counts } = check;
  if (options.dryRun === true) {
    const removals = await compareOnly(database, files, check, options, errors, losses);
    return { errors, counts, changed: 0, removed: removals.length, dropped: lost, rejected: leftOut };
  }
  const lease = await takeCatalogLease(database, newId(), now);
  try {
    // An empty store has no shoppers who would have to wait.
    const { revision } = await readCatalogState(database);
    const pause: Pause = options.paced === true && revision > 0 ? rest : async () => {};
    const paced = async <T>(write: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await write();
      await pause(performance.now() - start);
      return result;
    };
    await dropStaged(database, lease, pause);
    if (errors.count > 0) {
      await compareOnly(database, files, check, options, errors);
      return { errors, counts, changed: 0, removed: 0, dropped: lost, rejected: leftOut };
    }
    const clashes = await clashesWith(database, files, check, options, errors);
    const staging = await beginStaging(database, lease);
    let changed = 0;
    const isRead = await readInBatches(files, options, staging.batch, async (placed) => {
      await clashes.look(placed);
      if (errors.count > 0) return;
      const rows = placed.map(({ row }) => ({ ...rowKeys(row), json: formatRow(row) }));
      const onReplaced = (index: number, before: string): void => {
        const [one, row] = [placed[index], rows[index]];
        if (one !== undefined && row !== undefined) losses.compare(one, before, row.json);
      };
      changed += await paced(() => staging.put(rows, onReplaced));
    });
    const removals = await clashes.finish();
    const refusal = options.imported?.error(removals);
    if (refusal !== undefined) errors.add(refusal);
    if (!isRead || (await stampOf(files)) !== stamp) {
      throw new SetupError("the files changed while they were read; nothing was imported. Run the import again.");
    }
    if (errors.count > 0) {
      await dropStaged(database, lease, pause);
      return { errors, counts, changed: 0, removed: 0, dropped: lost, rejected: leftOut };
    }
    for (let at = 0; at < removals.length; at += STAGE_BATCH) {
      await paced(() => staging.remove(removals.slice(at, at + STAGE_BATCH)));
    }
    if (leftOut.length > 0) await onLeftOut?.(leftOut);
    const record = options.record?.({ changed, removed: removals.length }) ?? [];
    if (changed + removals.length > 0) await staging.publish(record);
    else if (record.length > 0) await database.write([lease.renewal(), ...record]);
    await tidyUnlessOvertaken(database, lease, pause);
    return { errors, counts, changed, removed: removals.length, dropped: lost, rejected: leftOut };
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    throw new SetupError("another import began meanwhile; this one changed nothing. Run it again.");
  } finally {
    await releaseQuietly(lease);
  }
}

/** Rows that cannot be taken, however often the others are looked at. */
function badRowsOf(
  database: Database,
  files: readonly CatalogFile[],
  options: Reading,
): ReturnType<typeof findInvalidRows> {
  const { onNote: _, onFile: __, onProgress: ___, ...quiet } = options;
  return findInvalidRows(async (leftOut, onError) => {
    const errors: RowErrors = { first: [], count: 0, add: onError };
    const check = await checkFiles(files, { ...quiet, rejected: leftOut }, errors);
    await compareOnly(database, files, check, { ...quiet, rejected: leftOut }, errors);
  });
}

/** Reads files and checks them by themselves, without a store: what `vitrine check` does. @param onRow told each row that can be read */
export async function checkCatalog(
  files: readonly CatalogFile[],
  config: Pick<ImportOptions, "currency"> & Partial<Pick<ImportOptions, "now" | "onFile" | "onNote">>,
  onRow: (row: Row) => void = () => {},
): Promise<RowErrors> {
  const errors = createRowErrors(MAX_FAULTS);
  const check = await checkFiles(files, config, errors, onRow);
  check.finish(() => false);
  return errors;
}

/** Reads the files once. @returns what is known of the rows that count */
async function checkFiles(
  files: readonly CatalogFile[],
  options: Reading,
  errors: RowErrors,
  onRow: (row: Row) => void = () => {},
): Promise<CatalogCheck> {
  const { onProgress } = options;
  const onError = errors.add;
  const all = createCatalogCheck(onError);
  // What is there twice is told of all rows.
  let isRead = false;
  const edited = createCatalogCheck((error) => (isRead ? onError(error) : undefined));
  const read = readCatalog(files, { ...options, onError, onProgress: (bytes) => onProgress?.("check", bytes) });
  for await (const placed of read) {
    all.add(placed);
    onRow(placed.row);
    const isNew = isEdited(placed, options);
    if (isNew && options.imported?.isFirst === false) edited.add(placed);
  }
  isRead = true;
  return options.imported === undefined || options.imported.isFirst ? all : edited;
}

/** False for a row that is as it was when the files were last taken. */
function isEdited({ row, file }: LocatedRow, { imported: taken }: Reading): boolean {
  return taken === undefined || taken.record(row.kind, row.id, formatRow(row), file);
}

/** Looks for clashes with what stays in the store, and writes nothing. @returns rows that `prune` would remove */
async function compareOnly(
  database: Database,
  files: readonly CatalogFile[],
  check: CatalogCheck,
  options: Reading,
  errors: RowErrors,
  losses?: DroppedFields,
): Promise<readonly Removal[]> {
  const clashes = await clashesWith(database, files, check, options, errors);
  await readInBatches(files, options, STAGE_BATCH, async (placed) => {
    await clashes.look(placed);
    if (losses !== undefined) await lookForLosses(database, placed, losses);
  });
  return clashes.finish();
}

/** Compares rows with those of the store that they would replace. */
async function lookForLosses(database: Database, placed: readonly LocatedRow[], losses: DroppedFields): Promise<void> {
  const { revision } = await readCatalogState(database);
  for (const [kind, group] of Map.groupBy(placed, ({ row }) => row.kind)) {
    const byId = new Map(group.map((one) => [one.row.id, one]));
    for (const { id, json } of await readRowsById(database, revision, kind, [...byId.keys()])) {
      const one = byId.get(id);
      if (one !== undefined) losses.compare(one, json, formatRow(one.row));
    }
  }
}

async function clashesWith(
  database: Database,
  files: readonly CatalogFile[],
  check: CatalogCheck,
  { prune, imported: taken, examples = [], currency, timezone = "UTC" }: Reading,
  errors: RowErrors,
): Promise<ClashCheck> {
  const { revision } = await readCatalogState(database);
  const kinds = [...check.kinds, ...files.map(({ path }) => kindOfFile(path))];
  const pruned = new Set(prune === true ? kinds.filter((kind) => kind !== undefined) : []);
  const gone =
    taken?.removed() ?? (prune === true ? await unchangedRows(database, examples, { currency, timezone }) : new Map());
  const clashes = createClashCheck({
    database,
    revision,
    check,
    pruned,
    gone,
    onError: errors.add,
  });
  // Nothing clashes with an empty store.
  return revision > 0 ? clashes : { ...clashes, look: async () => {} };
}

/** Reads the rows that count a second time, while those before are taken; faults in them, and notes, were told the first time.
 *  @returns false where there are any */
async function readInBatches(
  files: readonly CatalogFile[],
  options: Reading,
  length: number,
  take: (placed: readonly LocatedRow[]) => Promise<void>,
): Promise<boolean> {
  const { onProgress } = options;
  let isRight = true;
  let batch: LocatedRow[] = [];
  let taking: Promise<void> = Promise.resolve();
  const read = readCatalog(files, {
    ...options,
    onError: () => {
      isRight = false;
    },
    onNote: () => {},
    onFile: () => {},
    onProgress: (bytes) => onProgress?.("write", bytes),
  });
  for await (const placed of read) {
    if (isEdited(placed, options)) batch.push(placed);
    if (batch.length < length) continue;
    await taking;
    taking = take(batch);
    // Told where it is waited for.
    taking.catch(() => undefined);
    batch = [];
  }
  await taking;
  if (batch.length > 0) await take(batch);
  return isRight;
}

/** The change is shown by now: where another import has the lease, it clears away what this one replaced with what it replaces itself. */
async function tidyUnlessOvertaken(database: Database, lease: CatalogLease, pause: Pause): Promise<void> {
  try {
    await tidyCatalog(database, lease, pause);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
  }
}

/** Rests for as long as the write took, at most a tenth of a second. */
async function rest(worked: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(worked, 100)));
}

async function releaseQuietly(lease: CatalogLease): Promise<void> {
  // A lease that cannot be given back runs out by itself; what went wrong before matters more.
  await lease.release().catch(() => undefined);
}
