import { stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { Kind, Row } from "../catalog/catalog.ts";
import { kindsByFile, parseRow } from "../catalog/rows/parse-row.ts";
import type { CatalogFault } from "./faults.ts";
import { type ReadValue, readJson, readJsonl } from "./formats/jsonl.ts";
import { readShopifyCsv, shopifyHeaderFault } from "./formats/shopify-csv.ts";
import type { ReadProduct } from "./formats/shopify-product.ts";

/** A file to be read. */
export interface CatalogFile {
  readonly path: string;
  /** As faults name it. */
  readonly name: string;
}

/** A row with the place it stands at. */
export interface PlacedRow {
  readonly row: Row;
  readonly file: string;
  readonly line: number;
}

export interface ReadOptions {
  /** ISO 4217. */
  readonly currency: string;
  readonly onFault: (fault: CatalogFault) => void;
  /** Told what a row that is taken is taken for, where that is not as it says. */
  readonly onNote?: (note: CatalogFault) => void;
  /** Told how many bytes of all files are read. */
  readonly onProgress?: (bytes: number) => void;
  /** Completes values before they are read as rows; absent: they are whole. */
  readonly merge?: MergeRows;
}

/** @param fallback kind of values that do not say  @returns a value for each, or what is wrong with it */
export type MergeRows = (values: readonly unknown[], fallback: Kind | undefined) => Promise<readonly MergedValue[]>;

export type MergedValue = { readonly value: unknown } | { readonly fault: string };

/** Values completed at once. */
const MERGE_BATCH = 200;

/** The rows of catalogue files, in their order, one at a time; rows with a fault are reported and left out. */
export async function* readCatalog(files: readonly CatalogFile[], options: ReadOptions): AsyncGenerator<PlacedRow> {
  let before = 0;
  for (const { path, name } of files) {
    const report = (line: number, field: string, message: string): void =>
      options.onFault({ file: name, line, field, message });
    let bytes = 0;
    try {
      const values = openReader(path, name, options, report);
      const { merge } = options;
      for await (const read of merge === undefined ? values : merged(values, merge, kindOfFile(path))) {
        ({ bytes } = read);
        options.onProgress?.(before + bytes);
        const row = checkedRow(read, kindOfFile(path), report);
        if (row === undefined) continue;
        for (const note of notesOf(read)) options.onNote?.({ file: name, ...note });
        yield { row, file: name, line: read.line };
      }
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
      report(0, "", `cannot be read: ${error.message}`);
    }
    before += bytes;
  }
}

/** The kind that a file's name says its rows are of: "products.jsonl". */
export function kindOfFile(path: string): Kind | undefined {
  return kindsByFile.get(basename(path, extname(path)).toLowerCase());
}

/** Bytes of all files together; those that are missing count nothing. */
export async function totalBytes(files: readonly CatalogFile[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(({ path }) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

type Report = (line: number, field: string, message: string) => void;

async function* openReader(
  path: string,
  name: string,
  options: ReadOptions,
  report: Report,
): AsyncGenerator<ReadValue | ReadProduct> {
  switch (extname(path).toLowerCase()) {
    case ".jsonl":
    case ".ndjson":
      return yield* readJsonl(path);
    case ".json":
      return yield* readJson(path);
    case ".csv": {
      if (options.merge !== undefined)
        return report(0, "", "a row of a Shopify export names all of its fields: import it without --patch");
      const fault = await shopifyHeaderFault(path);
      return fault === undefined ? yield* readShopifyCsv(path, options.currency) : report(1, "", fault);
    }
    default:
      return report(0, "", `is not a catalogue file: ${name} must end in .jsonl, .json or .csv`);
  }
}

async function* merged(
  reads: AsyncGenerator<ReadValue>,
  merge: MergeRows,
  kind: Kind | undefined,
): AsyncGenerator<ReadValue> {
  let batch: ReadValue[] = [];
  async function* flush(): AsyncGenerator<ReadValue> {
    const right = batch.filter(({ fault }) => fault === undefined);
    const values = (
      await merge(
        right.map(({ value }) => value),
        kind,
      )
    ).values();
    for (const read of batch) yield read.fault === undefined ? { ...read, ...values.next().value } : read;
    batch = [];
  }
  for await (const read of reads) {
    batch.push(read);
    if (batch.length === MERGE_BATCH) yield* flush();
  }
  yield* flush();
}

function notesOf(read: ReadValue | ReadProduct): NonNullable<ReadProduct["cellNotes"]> {
  return ("cellNotes" in read ? read.cellNotes : undefined) ?? [];
}

function checkedRow(read: ReadValue | ReadProduct, kind: Kind | undefined, report: Report): Row | undefined {
  let faults = 0;
  const fault = (field: string, message: string, line = read.line): void => {
    faults += 1;
    report(line, field, message);
  };
  if (read.fault !== undefined) {
    fault("", read.fault);
    return undefined;
  }
  if ("cellFaults" in read) for (const one of read.cellFaults ?? []) fault(one.field, one.message, one.line);
  const row = parseRow(read.value, kind, fault);
  return faults === 0 ? row : undefined;
}
