import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "../catalog/catalog.ts";
import { formatDecimalMoney } from "../pricing/money.ts";
import { createCatalogCheck } from "./check-catalog.ts";
import { currency, malformedExports, today } from "./malformed-exports.fixture.ts";
import type { MalformedExport } from "./malformed-file.fixture.ts";
import { readCatalog } from "./read-catalog.ts";
import { describeRowError, type RowError } from "./row-errors.ts";

/** Result of importing one malformed file. */
export interface ImportResult {
  readonly defect: string;
  /** Detected formats of the files. */
  readonly formats: readonly string[];
  readonly acceptedRows: readonly Row[];
  /** Notes about values that differ from the text in the file. */
  readonly convertedValues: readonly RowError[];
  readonly rejectedRows: readonly RowError[];
  /** Ignored columns with their number of cells, such as "Variant Tax Code (3)". */
  readonly ignoredColumns: readonly string[];
}

/** Reads all malformed files as an import does. */
export async function readImportResults(): Promise<readonly ImportResult[]> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-malformed-"));
  try {
    const outcomeList: ImportResult[] = [];
    for (const malformedExport of malformedExports) outcomeList.push(await readImportResult(malformedExport, dir));
    return outcomeList;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export async function readImportResult({ defect, files }: MalformedExport, dir: string): Promise<ImportResult> {
  for (const [name, bytes] of files) await writeFile(join(dir, name), bytes);
  const rejectedRows: RowError[] = [];
  const convertedValues: RowError[] = [];
  const formats: string[] = [];
  const ignoredColumns: string[] = [];
  const catalogCheck = createCatalogCheck((error) => rejectedRows.push(error));
  const acceptedRows: Row[] = [];
  const locatedRows = readCatalog(
    files.map(([name]) => ({ path: join(dir, name), name })),
    {
      currency,
      now: today,
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
  return { defect, formats, acceptedRows, convertedValues, rejectedRows, ignoredColumns };
}

const separatorNames: ReadonlyMap<string, string> = new Map([
  [";", "`;`"],
  ["\t", "tabs"],
]);

/** Formats the table rows for the documentation, one line each. */
export function formatTableRows(outcomeList: readonly ImportResult[]): readonly string[] {
  return outcomeList.map(({ defect, formats, acceptedRows, convertedValues, rejectedRows, ignoredColumns }) =>
    [
      [defect, ...formats.map((format) => `*${format}*`)].join("<br>"),
      acceptedRows.map(formatRow).join("<br>"),
      formatErrors(convertedValues),
      formatErrors(rejectedRows),
      ignoredColumns.join(", "),
    ]
      .map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " "))
      .join(" | ")
      .replace(/^.*$/, "| $& |"),
  );
}

function formatErrors(errors: readonly RowError[]): string {
  return errors
    .map((error) =>
      describeRowError({ ...error, file: error.line === 0 ? "" : "line" })
        .replace(/^line:/, "line ")
        .replace(/^: /, ""),
    )
    .join("<br>");
}

function formatRow(row: Row): string {
  if (row.kind !== "product") return `${row.kind} \`${"handle" in row ? row.handle : row.id}\``;
  const variants = row.variants.map(({ options, price, compareAtPrice, inventoryQuantity }) => {
    const compareAtText = compareAtPrice === undefined ? "" : ` (was ${formatDecimalMoney(compareAtPrice, currency)})`;
    const stock = inventoryQuantity === undefined ? "" : `, ${inventoryQuantity} in stock`;
    return [...options, `${formatDecimalMoney(price, currency)}${compareAtText}${stock}`].join(" ");
  });
  return `\`${row.handle}\` ${row.title}${row.published ? "" : " (not published)"}: ${variants.join("; ")}`;
}
