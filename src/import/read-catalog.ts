import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { Row, RowKind } from "../catalog/catalog.ts";
import { deriveArticleId } from "../catalog/rows/identity.ts";
import { kindsByFile, parseRow } from "../catalog/rows/parse-row.ts";
import { createDateConverter } from "../catalog/rows/zoned-dates.ts";
import { describeFileError } from "../setup-error.ts";
import { type FileOptions, type OpenedFile, openFile, type UnreadableFile, wrapValues } from "./formats/read-file.ts";
import type { FileSummary, ParsedValue, ValueSource } from "./formats/read-value.ts";
import type { StockCount } from "./formats/shopify/inventory.ts";
import { REJECTED_ROWS_SUFFIX } from "./formats/tables/columns.ts";
import type { LocalImages } from "./images/local-images.ts";
import { mergePatches, type RowMerger } from "./patch-rows.ts";
import type { FileRowPosition, RowError, RowPosition } from "./row-errors.ts";
import { createStockCounts, type ImportedQuantities } from "./stock-counts.ts";

export interface CatalogFile {
  /** Path of the file, or "" if `values` are used instead. */
  readonly path: string;
  /** Name of the file in error messages. */
  readonly name: string;
  /** Values of a request, which replace the content of a file. */
  readonly values?: readonly Pick<ParsedValue, "line" | "value">[];
}

export interface LocatedRow extends FileRowPosition {
  readonly row: Row;
  /** Whether the row is derived from other rows instead of read from a file. */
  readonly isGenerated?: boolean;
}

export interface ReadOptions extends Omit<FileOptions, "now"> {
  /** Current time in milliseconds since 1970. If undefined, sale prices with dates do not apply. */
  readonly now?: number;
  readonly onError: (error: RowError) => void;
  /** Receives notes about rows whose imported values differ from the text in the file. */
  readonly onNote?: ((note: RowError) => void) | undefined;
  /** Receives the detected format and the ignored columns of each file. */
  readonly onFile?: ((file: string, summary: FileSummary) => void) | undefined;
  /** Receives the number of bytes read in all files. */
  readonly onProgress?: (bytes: number) => void;
  /** Whether the files contain the complete catalog, so that stored rows that are not in the files are removed. */
  readonly prune?: boolean;
  /** Merges patches with stored rows. Default: all values are full rows. */
  readonly merger?: RowMerger | undefined;
  /** Finds stored rows by handle, for files that contain only quantities. */
  readonly findStoredRows?: (kind: RowKind, handles: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Local copies that replace remote images. Default: none. */
  readonly images?: LocalImages | undefined;
  /** Rows that earlier passes rejected. They are skipped, and their source text is recorded here. */
  readonly rejectedRows?: RejectedRows;
}

/** Rows to skip, identified by file and row number. */
export interface RejectedRows {
  has(file: string, ordinal: number): boolean;
  record(file: string, ordinal: number, source: ValueSource): void;
}

/** Yields the rows of catalog files in their order. Rows with errors are reported and skipped. */
export async function* readCatalog(files: readonly CatalogFile[], options: ReadOptions): AsyncGenerator<LocatedRow> {
  const { images, timezone = "UTC" } = options;
  const convertDates = createDateConverter(timezone);
  const setUniqueId = createIdDeduplicator();
  for await (const locatedRow of readRows(files, options)) {
    const row = setUniqueId(convertDates(locatedRow.row));
    yield { ...locatedRow, row: images === undefined ? row : images.rewrite(row) };
  }
}

/** Returns a function that makes derived article ids unique: two blogs may have articles with the same handle. */
function createIdDeduplicator(): (row: Row) => Row {
  const blogs = new Map<string, string>();
  return (row) => {
    if (row.kind !== "article" || row.id !== deriveArticleId(row.handle)) return row;
    const blog = blogs.get(row.id) ?? row.blog;
    blogs.set(row.id, blog);
    return blog === row.blog ? row : { ...row, id: deriveArticleId(`${row.blog}/${row.handle}`) };
  };
}

async function* readRows(files: readonly CatalogFile[], options: ReadOptions): AsyncGenerator<LocatedRow> {
  const { now = 0 } = options;
  const openedFiles = await Promise.all(files.map((file) => tryOpenFile(file, { ...options, now })));
  const counts = createStockCounts();
  let earlierBytes = 0;
  const reportProgress = (bytes: number): void => options.onProgress?.(earlierBytes + bytes);
  // Read the quantities before the products to which they belong.
  for (const [index, file] of openedFiles.entries()) {
    if (!("values" in file) || !file.isStockList) continue;
    earlierBytes += await readInventory(file, files[index]?.name ?? "", counts, options, reportProgress);
  }
  const generatedRows = new Map<string, LocatedRow>();
  const handles = new Set<string>();
  for (const [index, file] of openedFiles.entries()) {
    const { path, name } = files[index] ?? { path: "", name: "" };
    const reader = getRowReader(name, parseFileKind(path), options);
    if (!("values" in file)) reader.report(file.line, "", file.error);
    if (!("values" in file) || file.isStockList) continue;
    if (options.merger !== undefined && !file.isVitrineFormat) {
      reader.report(0, "", "exports of other systems contain full rows: import them without --patch");
      continue;
    }
    let bytes = 0;
    try {
      const values = file.values(reader.note);
      const { merger } = options;
      for await (const item of merger === undefined ? values : mergePatches(values, merger, parseFileKind(path))) {
        bytes = item.bytes;
        reportProgress(bytes);
        const locatedRow = reader.read(item, reader.next(item), counts);
        if (locatedRow === undefined) continue;
        if (locatedRow.row.kind === "collection") {
          if (item.isGenerated === true && !generatedRows.has(locatedRow.row.handle))
            generatedRows.set(locatedRow.row.handle, locatedRow);
          if (item.isGenerated !== true) handles.add(locatedRow.row.handle);
        }
        if (item.isGenerated !== true) yield locatedRow;
      }
      options.onFile?.(name, file.summary());
    } catch (error) {
      if (!isReadError(error)) throw error;
      reader.report(0, "", `cannot be read: ${getErrorReason(error)}`);
    }
    earlierBytes += bytes;
  }
  yield* readGeneratedCollections(generatedRows, handles, options);
  yield* readStoredProducts(counts, options);
}

/** Returns the default kind of a file's rows, from a name such as "products.jsonl" or "products-left-out.jsonl". */
export function parseFileKind(path: string): RowKind | undefined {
  return kindsByFile.get(basename(path, extname(path)).toLowerCase().replace(REJECTED_ROWS_SUFFIX, ""));
}

/** Returns the total bytes of files. A missing file counts as 0. */
export async function sumBytes(files: readonly CatalogFile[]): Promise<number> {
  const fileStats = await Promise.all(files.map(({ path }) => stat(path).catch(() => undefined)));
  return fileStats.reduce((sum, stats) => sum + (stats?.size ?? 0), 0);
}

async function tryOpenFile({ path, values }: CatalogFile, options: FileOptions): Promise<OpenedFile | UnreadableFile> {
  try {
    return values === undefined ? await openFile(path, options) : wrapValues(values);
  } catch (error) {
    if (!isReadError(error)) throw error;
    return { line: 0, error: `cannot be read: ${getErrorReason(error)}` };
  }
}

/**
 * Describes a file system error. Where possible, replaces the message of the operating system, which contains the
 * absolute path of the file.
 */
function getErrorReason(error: Error & { readonly code?: unknown; readonly path?: unknown }): string {
  if (error.code === "ENOENT") return `there is no such file (${error.path})`;
  return describeFileError(error) ?? error.message;
}

function isReadError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

/** Reads the quantities of an inventory file.  @returns number of bytes read */
async function readInventory(
  file: OpenedFile,
  name: string,
  counts: ImportedQuantities,
  options: ReadOptions,
  onProgress: (bytes: number) => void,
): Promise<number> {
  const reader = getRowReader(name, undefined, options);
  let bytes = 0;
  for await (const item of file.values(reader.note)) {
    bytes = item.bytes;
    onProgress(bytes);
    const position = reader.next(item);
    if (reader.hasNoErrors(item, position)) counts.add(item.value as StockCount, { file: name, ...position });
  }
  options.onFile?.(name, file.summary());
  return bytes;
}

interface RowReader {
  readonly report: (line: number, field: string, message: string, row?: RowPosition) => void;
  readonly note: (note: { readonly line: number; readonly field: string; readonly message: string }) => void;
  /** Returns the line and row number of a value. Must be called once for each value of the file, in order. */
  next(parsedValue: ParsedValue): RowPosition;
  /** Reports the errors of a value. Returns false if it has errors or was rejected in an earlier pass. */
  hasNoErrors(parsedValue: ParsedValue, position: RowPosition): boolean;
  /** Parses a value. Returns undefined if it is rejected or has errors, which are reported. */
  read(read: ParsedValue, position: RowPosition, counts: ImportedQuantities): LocatedRow | undefined;
}

function getRowReader(file: string, kind: RowKind | undefined, options: ReadOptions): RowReader {
  const { onError, onNote, rejectedRows } = options;
  const report: RowReader["report"] = (line, field, message, row) =>
    onError({ file, line, field, message, ...(row === undefined ? {} : { row }) });
  let ordinal = 0;
  const hasNoErrors = (
    parsedValue: ParsedValue,
    position: RowPosition,
    checkRow?: (error: (field: string, message: string) => void) => void,
  ): boolean => {
    if (rejectedRows?.has(file, position.ordinal) === true) {
      rejectedRows.record(file, position.ordinal, parsedValue.source?.() ?? { text: "" });
      return false;
    }
    if (parsedValue.error !== undefined) {
      report(parsedValue.line, "", parsedValue.error, parsedValue.isFileError === true ? undefined : position);
      return false;
    }
    let errors = 0;
    const reportCellError = (cellError: Omit<RowError, "file">): void => {
      errors += 1;
      onError({ file, row: position, ...cellError });
    };
    for (const cellError of parsedValue.cellErrors ?? []) reportCellError(cellError);
    const itemText = parsedValue.itemId === undefined ? "" : ` (item ${parsedValue.itemId})`;
    checkRow?.((field, message) => reportCellError({ line: parsedValue.line, field, message: message + itemText }));
    if (errors === 0) for (const note of parsedValue.cellNotes ?? []) onNote?.({ file, ...note });
    return errors === 0;
  };
  return {
    report,
    note: (note) => onNote?.({ file, ...note }),
    next({ line }) {
      ordinal += 1;
      return { line, ordinal };
    },
    hasNoErrors,
    read(read, position, counts) {
      let row: Row | undefined;
      const value = counts.insertQuantities(read.value);
      const isAccepted = hasNoErrors(read, position, (error) => {
        row = parseRow(value, kind, error);
      });
      return isAccepted && row !== undefined ? { row, file, ...position } : undefined;
    },
  };
}

/** Yields collections that are derived from products, unless a file defines them. Stored collections stay unchanged. */
async function* readGeneratedCollections(
  generatedRows: ReadonlyMap<string, LocatedRow>,
  handles: ReadonlySet<string>,
  options: ReadOptions,
): AsyncGenerator<LocatedRow> {
  const missingHandles = [...generatedRows].filter(([handle]) => !handles.has(handle));
  const names = missingHandles.map(([handle]) => handle);
  const rowsByHandle = (await options.findStoredRows?.("collection", names)) ?? new Map<string, string>();
  for (const [handle, locatedRow] of missingHandles) {
    const json = rowsByHandle.get(handle);
    if (json === undefined) yield { ...locatedRow, isGenerated: true };
    else if (options.prune === true) {
      const { file, line, ordinal } = locatedRow;
      const item = { line, bytes: 0, value: JSON.parse(json) };
      const acceptedRow = getRowReader(file, "collection", options).read(item, { line, ordinal }, createStockCounts());
      if (acceptedRow !== undefined) yield { ...acceptedRow, isGenerated: true };
    }
  }
}

/** Yields stored products for which the files contain only quantities. */
async function* readStoredProducts(counts: ImportedQuantities, options: ReadOptions): AsyncGenerator<LocatedRow> {
  const { onError } = options;
  const findStoredRows = options.prune === true ? undefined : options.findStoredRows;
  const missingProducts = counts.listMissingProducts();
  const rowsByHandle = (await findStoredRows?.("product", [...missingProducts.keys()])) ?? new Map<string, string>();
  const location = findStoredRows === undefined ? "these files" : "the store, nor in these files";
  for (const [handle, positions] of missingProducts) {
    const json = rowsByHandle.get(handle);
    if (json === undefined) {
      for (const { file, ...row } of positions) {
        const message = `there is no product "${handle}" in ${location}`;
        onError({ file, line: row.line, row, field: "Handle", message });
      }
      continue;
    }
    const { file, ...position } = positions[0] ?? { file: "", line: 0, ordinal: 0 };
    const item = { line: position.line, bytes: 0, value: JSON.parse(json) };
    const locatedRow = getRowReader(file, "product", options).read(item, position, counts);
    if (locatedRow !== undefined) yield locatedRow;
  }
  for (const { file, handle, ...row } of counts.getUnmatchedRows())
    onError({ file, line: row.line, row, field: "", message: `matches no variant of the product "${handle}"` });
}
