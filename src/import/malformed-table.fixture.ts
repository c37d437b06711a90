import type { Row } from "../catalog/catalog.ts";
import { formatDecimalMoney } from "../pricing/money.ts";
import { currency, malformedExports, today } from "./malformed-exports.fixture.ts";
import { type ReadResult, readFiles } from "./read-files.fixture.ts";
import { describeRowError, type RowError } from "./row-errors.ts";

/** Result of importing one malformed file. */
interface ImportResult extends ReadResult {
  readonly defect: string;
}

/** Reads all malformed files as an import does. */
export async function readImportResults(): Promise<readonly ImportResult[]> {
  const outcomeList: ImportResult[] = [];
  for (const { defect, files } of malformedExports)
    outcomeList.push({ defect, ...(await readFiles(files, { currency, now: today })) });
  return outcomeList;
}

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
