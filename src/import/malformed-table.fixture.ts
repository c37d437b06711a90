import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "../catalog/catalog.ts";
import { formatDecimalMoney } from "../pricing/money.ts";
import { createCatalogCheck } from "./check-catalog.ts";
import { currency, type MalformedExport, malformedExports, today } from "./malformed-exports.fixture.ts";
import { readCatalog } from "./read-catalog.ts";
import { describeRowError, type RowError } from "./row-errors.ts";

/** Result of importing one malformed file. */
export interface Outcome {
  readonly what: string;
  /** Detected formats of the files. */
  readonly formats: readonly string[];
  readonly kept: readonly Row[];
  /** Values that were interpreted differently from their text. */
  readonly mended: readonly RowError[];
  readonly refused: readonly RowError[];
  /** Ignored columns with their number of cells, such as "Variant Tax Code (3)". */
  readonly notTaken: readonly string[];
}

/** Reads all malformed files as an import does. */
export async function outcomes(): Promise<readonly Outcome[]> {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-malformed-"));
  try {
    const all: Outcome[] = [];
    for (const malformed of malformedExports) all.push(await outcomeOf(malformed, dir));
    return all;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export async function outcomeOf({ what, files }: MalformedExport, dir: string): Promise<Outcome> {
  for (const [name, bytes] of files) await writeFile(join(dir, name), bytes);
  const refused: RowError[] = [];
  const mended: RowError[] = [];
  const formats: string[] = [];
  const notTaken: string[] = [];
  const check = createCatalogCheck((error) => refused.push(error));
  const kept: Row[] = [];
  const read = readCatalog(
    files.map(([name]) => ({ path: join(dir, name), name })),
    {
      currency,
      now: today,
      onError: (error) => refused.push(error),
      onNote: (note) => mended.push(note),
      onFile(_, { format, encoding, separator = "", ignored }) {
        formats.push([format, encoding, separatorNames.get(separator) ?? ""].filter((part) => part !== "").join(", "));
        notTaken.push(...ignored.map(({ name, rows }) => `${name} (${rows})`));
      },
    },
  );
  for await (const placed of read) {
    check.add(placed);
    kept.push(placed.row);
  }
  check.finish(() => false);
  return { what, formats, kept, mended, refused, notTaken };
}

const separatorNames: ReadonlyMap<string, string> = new Map([
  [";", "`;`"],
  ["\t", "tabs"],
]);

/** Formats the table rows for the documentation, one line each. */
export function tableRows(all: readonly Outcome[]): readonly string[] {
  return all.map(({ what, formats, kept, mended, refused, notTaken }) =>
    [
      [what, ...formats.map((format) => `*${format}*`)].join("<br>"),
      kept.map(shownRow).join("<br>"),
      listed(mended),
      listed(refused),
      notTaken.join(", "),
    ]
      .map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " "))
      .join(" | ")
      .replace(/^.*$/, "| $& |"),
  );
}

function listed(some: readonly RowError[]): string {
  return some
    .map((one) =>
      describeRowError({ ...one, file: one.line === 0 ? "" : "line" })
        .replace(/^line:/, "line ")
        .replace(/^: /, ""),
    )
    .join("<br>");
}

function shownRow(row: Row): string {
  if (row.kind !== "product") return `${row.kind} \`${"handle" in row ? row.handle : row.id}\``;
  const variants = row.variants.map(({ options, price, compareAtPrice, inventoryQuantity }) => {
    const before = compareAtPrice === undefined ? "" : ` (was ${formatDecimalMoney(compareAtPrice, currency)})`;
    const stock = inventoryQuantity === undefined ? "" : `, ${inventoryQuantity} in stock`;
    return [...options, `${formatDecimalMoney(price, currency)}${before}${stock}`].join(" ");
  });
  return `\`${row.handle}\` ${row.title}${row.published ? "" : " (not published)"}: ${variants.join("; ")}`;
}
