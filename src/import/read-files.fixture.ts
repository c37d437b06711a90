import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "../catalog/catalog.ts";
import type { Product } from "../catalog/product.ts";
import { createCatalogCheck } from "./check-catalog.ts";
import { type ReadOptions, readCatalog } from "./read-catalog.ts";
import type { RowError } from "./row-errors.ts";

/** Result of reading catalog files. */
export interface ReadResult {
  /** Detected formats of the files. */
  readonly formats: readonly string[];
  readonly acceptedRows: readonly Row[];
  /** Notes about values that differ from the text in the file. */
  readonly convertedValues: readonly RowError[];
  readonly rejectedRows: readonly RowError[];
  /** Ignored columns with their number of cells, such as "Variant Tax Code (3)". */
  readonly ignoredColumns: readonly string[];
}

/**
 * Reads files as an import does.
 * @param files names and contents
 * @param options Default: amounts in EUR, times in UTC
 */
export async function readFiles(
  files: readonly (readonly [name: string, content: string | Uint8Array])[],
  options: Partial<ReadOptions> = {},
): Promise<ReadResult> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "vitrine-files-"));
  for (const [name, content] of files) await writeFile(join(dir.path, name), content);
  const rejectedRows: RowError[] = [];
  const convertedValues: RowError[] = [];
  const formats: string[] = [];
  const ignoredColumns: string[] = [];
  const catalogCheck = createCatalogCheck((error) => rejectedRows.push(error));
  const acceptedRows: Row[] = [];
  const locatedRows = readCatalog(
    files.map(([name]) => ({ path: join(dir.path, name), name })),
    {
      currency: "EUR",
      ...options,
      onError: (error) => rejectedRows.push(error),
      onNote: (note) => convertedValues.push(note),
      onFile(_, { format, encoding, separator = "", ignoredColumns: skippedColumns }) {
        formats.push([format, encoding, separatorNames.get(separator) ?? ""].filter((part) => part !== "").join(", "));
        ignoredColumns.push(...skippedColumns.map(({ name, rows }) => `${name} (${rows})`));
      },
    },
  );
  for await (const locatedRow of locatedRows) {
    catalogCheck.add(locatedRow);
    acceptedRows.push(locatedRow.row);
  }
  catalogCheck.finish(() => false);
  return { formats, acceptedRows, convertedValues, rejectedRows, ignoredColumns };
}

/** Reads the products of a file that has no errors. */
export async function readProducts(
  name: string,
  text: string,
  options?: Partial<ReadOptions>,
): Promise<readonly Product[]> {
  const { acceptedRows, rejectedRows } = await readFiles([[name, text]], options);
  assert.deepEqual(rejectedRows, []);
  return acceptedRows.filter((row) => row.kind === "product");
}

const separatorNames: ReadonlyMap<string, string> = new Map([
  [";", "`;`"],
  ["\t", "tabs"],
]);
