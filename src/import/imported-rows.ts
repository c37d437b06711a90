import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RowKind } from "../catalog/catalog.ts";
import { formatRow } from "../catalog/rows/format-row.ts";
import { ignoreNotFound } from "../not-found.ts";
import { digestOf } from "../runtime/hash.ts";
import { computeVersionKey, listStoreFiles } from "./catalog-files.ts";
import { readLocalImages } from "./images/local-images.ts";
import { type ReadOptions, readCatalog } from "./read-catalog.ts";
import type { RowError } from "./row-errors.ts";

/**
 * Compares the rows of `catalog/` with its rows at the last import, to find what the user edited. Rows that other
 * imports added to the store do not count.
 */
export interface ImportedRows {
  /** Whether there was no earlier import, so that all rows are new. */
  readonly isFirstImport: boolean;
  /**
   * Records a row of the files.
   * @param json the row, as written by `formatRow`
   * @returns whether the row is new or changed
   */
  record(kind: RowKind, id: string, json: string, file: string): boolean;
  /** Returns the ids of rows that were removed from a file that still contains other rows. */
  removed(): ReadonlyMap<RowKind, ReadonlySet<string>>;
  /** Returns an error if a file lost so many of its rows that it was probably saved incompletely. */
  findRemovalError(removals: readonly Pick<ImportedRow, "kind" | "id">[]): RowError | undefined;
  /**
   * Returns the rows whose file is now missing or empty. The shop keeps these rows, because a missing file does not
   * count as an edit.
   */
  orphans(): readonly ImportedRow[];
  /**
   * Stores the recorded rows.
   * @param versionKey fingerprint of the files
   * @param orphanRows rows of missing files, which are stored in addition to the recorded rows
   */
  save(versionKey: string, orphanRows?: readonly ImportedRow[]): Promise<void>;
}

export interface ImportedRow {
  readonly kind: RowKind;
  readonly id: string;
  /** Name of the file in the catalog folder (`CatalogFile.name`). */
  readonly file: string;
  readonly digest: string;
}

/** Reads the rows of the last import.  @returns undefined if the folder was never imported */
export async function readImportedRows(storeDir: string): Promise<ImportedRows | undefined> {
  const lines = await readLines(storeDir);
  return lines && createImportedRows(storeDir, lines.rows);
}

/** Returns the fingerprint of the files at the last import, or undefined if there was none. */
export async function readImportedVersionKey(storeDir: string): Promise<string | undefined> {
  return (await readLines(storeDir))?.stamp;
}

/** Records the rows of `catalog/` as imported, so that later edits are found. */
export async function markRowsImported(
  storeDir: string,
  readOptions: Pick<ReadOptions, "currency" | "timezone" | "now">,
): Promise<void> {
  const files = await listStoreFiles(storeDir);
  const versionKey = await computeVersionKey(files);
  const importRecord = createImportedRows(storeDir);
  const images = await readLocalImages(storeDir);
  for await (const { row, file } of readCatalog(files, { ...readOptions, images, onError: () => {} }))
    importRecord.record(row.kind, row.id, formatRow(row), file);
  await importRecord.save(versionKey);
}

/**
 * Creates the comparison with the last import.
 * @param rows rows of the last import, in the order of the files. Default: there was no import
 */
export function createImportedRows(storeDir: string, rows: readonly ImportedRow[] = []): ImportedRows {
  const rowsByKey = new Map(rows.map((row) => [rowKeyOf(row), row]));
  const recordedRows = new Map<string, ImportedRow>();
  /** Files with at least one row. */
  const filesWithRows = new Set<string>();
  const findMissingRows = (): readonly ImportedRow[] => rows.filter((row) => !recordedRows.has(rowKeyOf(row)));
  return {
    isFirstImport: rowsByKey.size === 0,
    record(kind, id, json, file) {
      const row = { kind, id, file, digest: digestOf(json) };
      recordedRows.set(rowKeyOf(row), row);
      filesWithRows.add(file);
      return rowsByKey.get(rowKeyOf(row))?.digest !== row.digest;
    },
    removed() {
      const missingRows = findMissingRows().filter(({ file }) => filesWithRows.has(file));
      return new Map(
        [...Map.groupBy(missingRows, ({ kind }) => kind)].map(([kind, removedRows]) => [
          kind,
          new Set(removedRows.map(({ id }) => id)),
        ]),
      );
    },
    findRemovalError(removals) {
      const removedKeys = new Set(removals.map(rowKeyOf));
      const formatFileKey = ({ file, kind }: ImportedRow): string => `${kind} ${file}`;
      const recordedRowsByPart = Map.groupBy(recordedRows.values(), formatFileKey);
      for (const [part, earlierRows] of Map.groupBy(rows, formatFileKey)) {
        const removedCount = earlierRows.filter((row) => removedKeys.has(rowKeyOf(row))).length;
        const rowCount = recordedRowsByPart.get(part)?.length ?? 0;
        // A single missing row is more often a deliberate removal than a truncated file.
        if (
          removedCount < 2 ||
          (rowCount * 2 > earlierRows.length && !isFileTruncated(earlierRows, removedKeys, rowCount))
        )
          continue;
        const { file = "", kind = "" } = earlierRows[0] ?? {};
        const message = `contains only ${rowCount} of ${earlierRows.length} rows of kind ${kind}: was it saved incompletely? Save the entire file, or confirm the removal with "vitrine import --prune" and all files of catalog/`;
        return { file, line: 0, field: "", message };
      }
      return undefined;
    },
    orphans: () => findMissingRows().filter(({ file }) => !filesWithRows.has(file)),
    async save(versionKey, orphanRows = []) {
      const savedRows = [...recordedRows.values(), ...orphanRows];
      const files = [...new Set(savedRows.map(({ file }) => file))];
      const fileIndices = new Map(files.map((file, index) => [file, index]));
      const lines = savedRows.map(({ digest, file, kind, id }) => `${digest} ${fileIndices.get(file)} ${kind} ${id}`);
      const path = formatImportedRowsPath(storeDir);
      await writeFile(`${path}.part`, `${[JSON.stringify({ stamp: versionKey, files }), ...lines].join("\n")}\n`);
      await rename(`${path}.part`, path);
    },
  };
}

/**
 * Returns whether the only change to a file is that rows at its end are missing.
 * @param rowCount number of rows that the file has now
 */
function isFileTruncated(
  earlierRows: readonly ImportedRow[],
  removedKeys: ReadonlySet<string>,
  rowCount: number,
): boolean {
  const firstRemovedIndex = earlierRows.findIndex((row) => removedKeys.has(rowKeyOf(row)));
  return (
    firstRemovedIndex === rowCount &&
    earlierRows.slice(firstRemovedIndex).every((row) => removedKeys.has(rowKeyOf(row)))
  );
}

function rowKeyOf({ kind, id }: { readonly kind: RowKind; readonly id: string }): string {
  return `${kind} ${id}`;
}

function formatImportedRowsPath(storeDir: string): string {
  return join(storeDir, "data", "catalog-taken");
}

async function readLines(
  storeDir: string,
): Promise<{ readonly stamp: string; readonly rows: readonly ImportedRow[] } | undefined> {
  const text = await readFile(formatImportedRowsPath(storeDir), "utf8").catch(ignoreNotFound);
  // A file without a final line end is incomplete, and counts as missing.
  if (text?.endsWith("\n") !== true) return undefined;
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const { stamp, files } = JSON.parse(header) as { readonly stamp?: string; readonly files?: readonly string[] };
  if (stamp === undefined || files === undefined) return undefined;
  const rows = lines.map((line): ImportedRow => {
    const [digest = "", file, kind, ...id] = line.split(" ");
    return { digest, file: files[Number(file)] ?? "", kind: kind as RowKind, id: id.join(" ") };
  });
  return { stamp, rows };
}
