import { setTimeout } from "node:timers/promises";
import type { ApiSource, BatchKey, ChangeLine } from "../catalog/catalog-changes.ts";
import type { ChangeActor } from "../catalog/catalog-log.ts";
import { findAppliedWrites, insertAppliedWrites } from "../storage/applied-writes.ts";
import { insertCatalogLogEntry } from "../storage/catalog/catalog-log-store.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { CatalogBusyError } from "../storage/catalog/lease.ts";
import type { Database, Statement } from "../storage/database.ts";
import { watchLocalImages } from "./images/local-images.ts";
import {
  createImportedRows,
  type ImportedRow,
  type ImportedRows,
  markRowsImported,
  readImportedRows,
  readImportedVersionKey,
} from "./imported-rows.ts";
import { createRowMerger, type NamedRow, type PatchDetector, parseNamedRow } from "./patch-rows.ts";
import type { CatalogFile, ReadOptions } from "./read-catalog.ts";
import { createRowErrors, type RowErrors } from "./row-errors.ts";
import { checkRevisions, createRowFinder, selectExistingRows } from "./stored-rows.ts";
import { type RowWriteOptions, type WriteResult, writeRows } from "./write-rows.ts";

/**
 * Changes the catalog. All changes go through this object, except stock changes (`storage/stock-changes.ts`). Each set
 * of changes is applied atomically, one set after another.
 */
export interface CatalogImporter {
  /**
   * Applies a set of changes.
   * @param importScope "full" also deletes stored rows that the files no longer contain. `vitrine import` deletes only rows
   * of the kinds (such as products) that its files contain. An import of `catalog/` deletes only rows that the same
   * file contained at its last import; a missing or empty file deletes nothing.
   * @throws SetupError if the files change while they are read
   * @throws DatabaseUnavailableError
   */
  apply(changes: CatalogImport, importScope: "full" | "partial", source: ImportSource): Promise<ChangeOutcome>;
}

/**
 * Source of changes: `vitrine import`, an edit in `catalog/` of a running store, `catalog/` of a new store, or the HTTP
 * API.
 */
export type ImportSource = { readonly name: "command" | "folder" | "start" } | ApiSource;

export interface CatalogImport
  extends Pick<ReadOptions, "market" | "encoding" | "onNote" | "onFile">,
    Pick<RowWriteOptions, "examples" | "dryRun" | "skipInvalid" | "onLease" | "onRowsRejected" | "onProgress"> {
  readonly files?: readonly CatalogFile[];
  /** Rows and deletions in the body of a request, instead of files. */
  readonly lines?: readonly ChangeLine[];
  /** Whether the rows of the files are patches. A patch changes only the fields that it contains, in a stored row. */
  readonly patch?: boolean;
}

export type ChangeOutcome =
  | (Omit<WriteResult, "stamp" | "errors" | "isOutdated"> & {
      readonly kind: "done";
      /** Whether a batch with the same idempotency key was applied earlier. If so, nothing was changed this time. */
      readonly isRepeated: boolean;
      /** Stored rows whose file in `catalog/` is now missing or empty. */
      readonly orphans: readonly ImportedRow[];
    })
  | { readonly kind: "errors" | "outdated"; readonly errors: RowErrors }
  | { readonly kind: "key used" }
  | { readonly kind: "busy"; readonly message: string };

export interface CatalogResources {
  readonly database: Database;
  /** Folder of the store. If undefined, its local images are not used and imports of `catalog/` are not recorded. */
  readonly storeDir?: string;
  /** ISO 4217 code of the currency for prices without a currency. */
  readonly currency: string;
  /** Time zone of dates without a zone. Default: UTC. */
  readonly timezone?: string;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a random id of at least 128 bits, as base64url. */
  readonly newId: () => string;
}

/** Maximum time in milliseconds to wait for another import in progress, by source of the changes. */
const waitTimeoutsMs: Readonly<Record<ImportSource["name"], number>> = {
  command: 0,
  folder: 0,
  // If several servers start on one empty database, one of them imports and the others wait.
  start: Number.POSITIVE_INFINITY,
  api: 3_000,
};
const RETRY_DELAY_MS = 50;

const emptyCounts = {
  ...{ kind: "done", changed: 0, removed: 0, isRepeated: false, counts: new Map(), droppedFields: new Map() },
  ...{ rejectedRows: [], orphans: [] },
} as const satisfies ChangeOutcome;

export function createImporter(parts: CatalogResources): CatalogImporter {
  const { database, storeDir, currency, timezone, now, newId } = parts;
  const images = storeDir === undefined ? undefined : watchLocalImages(storeDir);

  const applyChanges = async (
    changes: CatalogImport,
    importScope: "full" | "partial",
    source: ImportSource,
  ): Promise<ChangeOutcome> => {
    const timeOfRead = now();
    const isFolderImport = source.name === "folder" || source.name === "start";
    const { revision } = await readCatalogState(database);
    if (source.name === "start" && revision > 0) return emptyCounts;
    let lastImport: ImportedRows | undefined;
    if (isFolderImport && storeDir !== undefined) {
      lastImport = revision === 0 ? createImportedRows(storeDir) : await readImportedRows(storeDir);
      if (lastImport === undefined) {
        // There is no record of an earlier import. Assume that the store already contains the rows of `catalog/`.
        await markRowsImported(storeDir, { currency, timezone, now: timeOfRead });
        return emptyCounts;
      }
    }
    const { files = [], lines, patch = false, market, encoding, onNote, onFile, ...importOptions } = changes;
    const parsedLines = parseLines(lines ?? []);
    if (parsedLines.errors.count > 0) return { kind: "errors", errors: parsedLines.errors };
    const merger =
      lines === undefined
        ? patch
          ? createRowMerger(database)
          : undefined
        : createRowMerger(database, linePatchFinder);
    const result = await writeRows(parts, {
      ...importOptions,
      files: lines === undefined ? files : [parsedLines.file],
      deletions: parsedLines.deletions,
      readOptions: {
        currency,
        timezone,
        now: timeOfRead,
        ...{ market, encoding, onNote, onFile, merger },
        images: await images?.(),
        // An import of `catalog/` must depend only on its files, so it cannot read stored rows.
        ...(lastImport === undefined ? { findStoredRows: createRowFinder(database) } : {}),
      },
      lastImport,
      prune: importScope === "full" && lastImport === undefined,
      throttlesWrites: source.name !== "api",
      checkStoredRows: (addError) => checkRevisions(database, lines ?? [], addError),
      record: ({ changes: rows, ...counts }) => [
        ...(source.name === "api" ? saveBatchCounts(source, counts) : []),
        ...(source.name === "start" || counts.changed + counts.removed === 0
          ? []
          : [
              insertCatalogLogEntry({
                ...{ id: newId(), at: source.name === "api" ? source.now : timeOfRead, by: createChangeActor(source) },
                ...{ operation: "catalog", details: { ...counts, rows } },
              }),
            ]),
      ],
    });
    const { errors, stamp, isOutdated = false, ...counts } = result;
    if (errors.count > 0) return { kind: isOutdated ? "outdated" : "errors", errors };
    if (changes.dryRun === true || storeDir === undefined) return { ...emptyCounts, ...counts };
    const orphans = await selectExistingRows(database, lastImport?.orphans() ?? []);
    if (lastImport !== undefined) await lastImport.save(stamp, orphans);
    // Record the current rows of `catalog/`, so that a server later imports only the edits.
    else if (source.name === "command" && (await readImportedVersionKey(storeDir)) === undefined)
      await markRowsImported(storeDir, { currency, timezone, now: timeOfRead });
    return { ...emptyCounts, ...counts, orphans };
  };

  return {
    async apply(changes, importScope, source) {
      const deadline = performance.now() + waitTimeoutsMs[source.name];
      for (;;) {
        const replayedOutcome = source.name === "api" ? await findBatchOutcome(database, source) : undefined;
        if (replayedOutcome !== undefined) return replayedOutcome;
        try {
          return await applyChanges(changes, importScope, source);
        } catch (error) {
          if (!(error instanceof CatalogBusyError)) throw error;
          if (performance.now() >= deadline) return { kind: "busy", message: error.message };
          await setTimeout(RETRY_DELAY_MS);
        }
      }
    },
  };
}

function createChangeActor(source: ImportSource): ChangeActor {
  if (source.name === "api") return source.by;
  return { source: source.name === "command" ? "command_line" : "files" };
}

/** Returns the outcome of a batch that was applied before, or undefined. */
async function findBatchOutcome(
  database: Database,
  { key: { scope, key, fingerprint }, now }: ApiSource,
): Promise<ChangeOutcome | undefined> {
  if (key === undefined) return undefined;
  const [storedWrite] = await findAppliedWrites(database, [{ key, fingerprint, visitor: scope }], undefined, now);
  if (storedWrite === undefined) return undefined;
  if (storedWrite.fingerprint !== fingerprint) return { kind: "key used" };
  const counts = JSON.parse(storedWrite.response ?? "{}") as { readonly changed?: number; readonly removed?: number };
  return { ...emptyCounts, ...counts, isRepeated: true };
}

function saveBatchCounts(
  { key: { scope, key, fingerprint }, now }: { readonly key: BatchKey; readonly now: number },
  counts: { readonly changed: number; readonly removed: number },
): readonly Statement[] {
  if (key === undefined) return [];
  return insertAppliedWrites([{ key, fingerprint, scopes: [scope], response: JSON.stringify(counts) }], now);
}

/** Separates deletions from rows and patches, which are parsed like the rows of a file. */
export function parseLines(lines: readonly ChangeLine[]): {
  readonly file: CatalogFile;
  readonly deletions: readonly NamedRow[];
  readonly errors: RowErrors;
} {
  const errors = createRowErrors();
  const deletions: NamedRow[] = [];
  const values = lines.filter(({ line, value }) => {
    if (value.delete === undefined) return true;
    const deletion = parseNamedRow(value.delete, undefined);
    if (deletion !== undefined) deletions.push(deletion);
    else
      errors.add({
        file: REQUEST_BODY_LABEL,
        line,
        field: "delete",
        message: "must contain a kind, and an id, a handle or a code",
      });
    return false;
  });
  return { file: { path: "", name: REQUEST_BODY_LABEL, values }, deletions, errors };
}

const linePatchFinder: PatchDetector = {
  find: (value) => (typeof value === "object" && value !== null && "patch" in value ? (value.patch ?? {}) : undefined),
  advice: "send it without patch",
};

/** Name of the request body in error messages. */
const REQUEST_BODY_LABEL = "body";
