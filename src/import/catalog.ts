import { setTimeout } from "node:timers/promises";
import type { ApiSource, BatchKey, ChangeLine } from "../catalog/catalog-changes.ts";
import { findAppliedWrites, recordAppliedWrites } from "../storage/applied-writes.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { CatalogBusy } from "../storage/catalog/lease.ts";
import type { Database, Statement } from "../storage/database.ts";
import { watchLocalImages } from "./images/local-images.ts";
import {
  type ImportedRow,
  type ImportedRows,
  importedStamp,
  noImportedRows,
  readImportedRows,
  recordCatalog,
} from "./imported-rows.ts";
import { createPatch, type NamedRow, namedRow, type PatchOf } from "./patch-rows.ts";
import type { CatalogFile, ReadOptions } from "./read-catalog.ts";
import { createRowErrors, type RowErrors } from "./row-errors.ts";
import { findStored, storedRows } from "./stored-rows.ts";
import { type WriteOptions, type WriteResult, writeRows } from "./write-rows.ts";

/** The only way to change the catalog; stock has a separate one (`storage/stock-changes.ts`). Changes are applied all or none, one set at a time. */
export interface Catalog {
  /** @param extent "full": rows that the changes lack are removed. For a command, these are rows of the kinds that the changes contain; for files of
   *    `catalog/`, rows that the same file contained at its last import. A missing or empty file removes nothing.
   *  @throws SetupError if the files change while they are read  @throws DatabaseUnavailable */
  apply(changes: CatalogChanges, extent: "full" | "partial", source: Source): Promise<ChangeOutcome>;
}

/** Source of changes: `vitrine import`, an edit in `catalog/` of a running store, `catalog/` of a new store, or the HTTP API. */
export type Source = { readonly name: "command" | "folder" | "start" } | ApiSource;

export interface CatalogChanges
  extends Pick<ReadOptions, "market" | "encoding" | "onNote" | "onFile">,
    Pick<WriteOptions, "examples" | "dryRun" | "skipInvalid" | "onRejected" | "onProgress"> {
  readonly files?: readonly CatalogFile[];
  /** Lines of a request instead of files. */
  readonly lines?: readonly ChangeLine[];
  /** Rows of files change only the fields that they name, of rows that exist. */
  readonly patch?: boolean;
}

export type ChangeOutcome =
  | (Omit<WriteResult, "stamp" | "errors"> & {
      readonly kind: "done";
      /** The key was applied before: nothing was changed now. */
      readonly isRepeated: boolean;
      /** Rows of the store whose file of `catalog/` is missing or empty. */
      readonly orphans: readonly ImportedRow[];
    })
  | { readonly kind: "errors"; readonly errors: RowErrors }
  | { readonly kind: "key used" }
  | { readonly kind: "busy"; readonly message: string };

export interface CatalogParts {
  readonly database: Database;
  /** Undefined: changes neither use its images nor are remembered for its `catalog/`. */
  readonly storeDir?: string;
  /** ISO 4217, of prices without a currency. */
  readonly currency: string;
  /** Time zone of dates without a zone. Default: UTC. */
  readonly timezone?: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 128 random bits or more, base64url. */
  readonly newId: () => string;
}

/** Milliseconds for which changes wait for other changes in progress. */
const waitMs: Readonly<Record<Source["name"], number>> = {
  command: 0,
  folder: 0,
  // If several servers start on one empty database, one imports and the others wait for it.
  start: Number.POSITIVE_INFINITY,
  api: 3_000,
};
const RETRY_MS = 50;

const emptyCounts = {
  ...{ kind: "done", changed: 0, removed: 0, isRepeated: false, counts: new Map(), dropped: new Map() },
  ...{ rejected: [], orphans: [] },
} as const satisfies ChangeOutcome;

export function createCatalog(parts: CatalogParts): Catalog {
  const { database, storeDir, currency, timezone, now } = parts;
  const images = storeDir === undefined ? undefined : watchLocalImages(storeDir);

  const applyOnce = async (
    changes: CatalogChanges,
    extent: "full" | "partial",
    source: Source,
  ): Promise<ChangeOutcome> => {
    const readAt = now();
    const dates = timezone === undefined ? {} : { timezone };
    const isOfFolder = source.name === "folder" || source.name === "start";
    const { revision } = await readCatalogState(database);
    if (source.name === "start" && revision > 0) return emptyCounts;
    let imported: ImportedRows | undefined;
    if (isOfFolder && storeDir !== undefined) {
      imported = revision === 0 ? noImportedRows(storeDir) : await readImportedRows(storeDir);
      if (imported === undefined) {
        // The folder was never imported: the store is assumed to hold its rows.
        await recordCatalog(storeDir, { currency, ...dates, now: readAt });
        return emptyCounts;
      }
    }
    const { files = [], lines, patch = false, market, encoding, onNote, onFile, ...rest } = changes;
    const sent = parseLines(lines ?? []);
    if (sent.errors.count > 0) return { kind: "errors", errors: sent.errors };
    const merge =
      lines === undefined ? (patch ? createPatch(database) : undefined) : createPatch(database, patchOfLine);
    const result = await writeRows(parts, {
      ...rest,
      files: lines === undefined ? files : [sent.file],
      deletions: sent.deletions,
      reading: {
        currency,
        ...dates,
        now: readAt,
        ...(market === undefined ? {} : { market }),
        ...(encoding === undefined ? {} : { encoding }),
        ...(onNote === undefined ? {} : { onNote }),
        ...(onFile === undefined ? {} : { onFile }),
        ...(merge === undefined ? {} : { merge }),
        ...(images === undefined ? {} : { images: await images() }),
        // Rows of `catalog/` depend on its files alone.
        ...(imported === undefined ? { stored: storedRows(database) } : {}),
      },
      ...(imported === undefined ? {} : { imported }),
      prune: extent === "full" && imported === undefined,
      isPaced: source.name !== "api",
      record: (counts) => (source.name === "api" ? recordBatch(source, counts) : []),
    });
    const { errors, stamp, ...done } = result;
    if (errors.count > 0) return { kind: "errors", errors };
    if (changes.dryRun === true || storeDir === undefined) return { ...emptyCounts, ...done };
    const orphans = await findStored(database, imported?.orphans() ?? []);
    if (imported !== undefined) await imported.save(stamp, orphans);
    // From now on a server imports what changes in `catalog/`.
    else if (source.name === "command" && (await importedStamp(storeDir)) === undefined)
      await recordCatalog(storeDir, { currency, ...dates, now: readAt });
    return { ...emptyCounts, ...done, orphans };
  };

  return {
    async apply(changes, extent, source) {
      const giveUpAt = performance.now() + waitMs[source.name];
      for (;;) {
        const before = source.name === "api" ? await findBatch(database, source) : undefined;
        if (before !== undefined) return before;
        try {
          return await applyOnce(changes, extent, source);
        } catch (error) {
          if (!(error instanceof CatalogBusy)) throw error;
          if (performance.now() >= giveUpAt) return { kind: "busy", message: error.message };
          await setTimeout(RETRY_MS);
        }
      }
    },
  };
}

/** The outcome of a batch that was applied before. */
async function findBatch(
  database: Database,
  { key: { scope, key, fingerprint }, now }: ApiSource,
): Promise<ChangeOutcome | undefined> {
  if (key === undefined) return undefined;
  const [found] = await findAppliedWrites(database, [{ key, fingerprint, visitor: scope }], undefined, now);
  if (found === undefined) return undefined;
  if (found.fingerprint !== fingerprint) return { kind: "key used" };
  const counts = JSON.parse(found.response ?? "{}") as { readonly changed?: number; readonly removed?: number };
  return { ...emptyCounts, ...counts, isRepeated: true };
}

function recordBatch(
  { key: { scope, key, fingerprint }, now }: { readonly key: BatchKey; readonly now: number },
  counts: { readonly changed: number; readonly removed: number },
): readonly Statement[] {
  if (key === undefined) return [];
  return recordAppliedWrites([{ key, fingerprint, scopes: [scope], response: JSON.stringify(counts) }], now);
}

/** Separates deletions from rows and patches, which are read like a file. */
export function parseLines(lines: readonly ChangeLine[]): {
  readonly file: CatalogFile;
  readonly deletions: readonly NamedRow[];
  readonly errors: RowErrors;
} {
  const errors = createRowErrors();
  const deletions: NamedRow[] = [];
  const values = lines.filter(({ line, value }) => {
    if (value.delete === undefined) return true;
    const deletion = namedRow(value.delete, undefined);
    if (deletion !== undefined) deletions.push(deletion);
    else errors.add({ file: BODY, line, field: "delete", message: "must name a kind, and an id, a handle or a code" });
    return false;
  });
  return { file: { path: "", name: BODY, values }, deletions, errors };
}

export const patchOfLine: PatchOf = {
  find: (value) => (typeof value === "object" && value !== null && "patch" in value ? (value.patch ?? {}) : undefined),
  advice: "send it without patch",
};

/** The name of a request's lines in errors. */
const BODY = "body";
