import { open, stat } from "node:fs/promises";
import { extname } from "node:path";
import { createLocalTimeFormat } from "../../catalog/rows/zoned-dates.ts";
import { workbookStart } from "../../runtime/csv-line.ts";
import type { Dialect, UnreadableRow } from "./dialect.ts";
import { detectEncoding, encodingOf, type TextEncoding } from "./encoding.ts";
import { readFeed } from "./google/feed.ts";
import type { FeedContext } from "./google/product.ts";
import { googleProducts } from "./google/products.ts";
import { readJson, readJsonl } from "./jsonl.ts";
import { describeOtherSystem } from "./other-systems.ts";
import type { CellNote, FileSummary, ParsedValue } from "./read-value.ts";
import { shopifyInventory } from "./shopify/inventory.ts";
import { createShopifyDialect } from "./shopify/products.ts";
import { squarespaceProducts } from "./squarespace/products.ts";
import { matchColumns, normalizeColumnName, type TableRow } from "./tables/columns.ts";
import { type DecimalSign, isAmbiguousNumber } from "./tables/local-number.ts";
import { findDecimalSigns, openTable, type Table } from "./tables/open-table.ts";
import { wooProducts } from "./woocommerce/products.ts";

export interface FileOptions {
  /** ISO 4217 code for amounts without a currency. */
  readonly currency: string;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  /** Time zone of dates without a zone. Default: UTC. */
  readonly timezone?: string | undefined;
  /** Name of the Shopify market whose prices are imported. Default: the shop's general prices. */
  readonly market?: string | undefined;
  /** Encoding that the user specified. Default: detected from the file. */
  readonly encoding?: string | undefined;
}

/** A file whose format was detected. */
export interface OpenedFile {
  /** Whether rows are stock quantities of products in other files. */
  readonly isStockList: boolean;
  /** Whether the file is in Vitrine's own catalog format, not in a format of another platform. */
  readonly isVitrineFormat: boolean;
  values(onNote: (note: CellNote) => void): AsyncGenerator<ParsedValue>;
  /** Returns how the file was read. The result is complete after all values were read. */
  summary(): FileSummary;
}

/** Detects the format of a file from its name and first lines. */
export async function openFile(file: string, options: FileOptions): Promise<OpenedFile | UnreadableFile> {
  const kind = kindsByExtension.get(extname(file).toLowerCase());
  await stat(file);
  if (kind === undefined)
    return { line: 0, error: `must end in ${[...kindsByExtension.keys()].join(", ")}: save a spreadsheet as CSV` };
  if (kind === "table" && workbookStart.test(await readStart(file)))
    return { line: 0, error: "is a workbook or a zip file: save it as CSV, or unpack it" };
  const encoding = options.encoding === undefined ? await detectEncoding(file) : encodingOf(options.encoding);
  if (encoding === undefined) return { line: 0, error: formatUnreadableFile(options.encoding) };
  if (kind === "table") return openTableFile(file, encoding, options);
  if (kind === "feed") return openFeedFile(file, encoding, options);
  const readValues = kind === "json" ? readJson : readJsonl;
  const summary = (): FileSummary => createFileSummary(encoding.name, encoding.isGuessed);
  return { isStockList: false, isVitrineFormat: true, values: () => readValues(file, encoding), summary };
}

/** Returns the first bytes of a file, as Latin-1. */
async function readStart(file: string): Promise<string> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4));
  return buffer.toString("latin1", 0, bytesRead);
}

/** Wraps the values of a request body, so that they are read like the rows of a catalog file. */
export function wrapValues(values: readonly Pick<ParsedValue, "line" | "value">[]): OpenedFile {
  return {
    isStockList: false,
    isVitrineFormat: true,
    async *values() {
      for (const value of values) yield { ...value, bytes: 0 };
    },
    summary: () => createFileSummary("UTF-8", false),
  };
}

function createFileSummary(encoding: string, isEncodingGuessed: boolean): FileSummary {
  return { format: "catalog rows", encoding, isEncodingGuessed, isCurrencyAssumed: false, ignoredColumns: [] };
}

/** Reason why a file cannot be read. */
export interface UnreadableFile {
  readonly line: number;
  readonly error: string;
}

const kindsByExtension: ReadonlyMap<string, "jsonl" | "json" | "table" | "feed"> = new Map([
  [".jsonl", "jsonl"],
  [".ndjson", "jsonl"],
  [".json", "json"],
  [".csv", "table"],
  [".tsv", "table"],
  [".txt", "table"],
  [".xml", "feed"],
  [".rss", "feed"],
  [".atom", "feed"],
]);

function formatUnreadableFile(encodingName: string | undefined): string {
  if (encodingName !== undefined)
    return `unknown encoding "${encodingName}": use a name such as "windows-1250", "macintosh" or "shift_jis"`;
  return "is not UTF-8, UTF-16, Windows-1252 or MacRoman: save it as UTF-8, or specify its encoding (--encoding windows-1250)";
}

async function openTableFile(
  file: string,
  encoding: TextEncoding,
  options: FileOptions,
): Promise<OpenedFile | UnreadableFile> {
  const shopifyProducts = createShopifyDialect(options.market);
  const dialects = [shopifyProducts, shopifyInventory, wooProducts, squarespaceProducts, googleProducts];
  const table = await openTable(file, encoding, (header) =>
    Math.max(...dialects.map((dialect) => scoreHeader(dialect, header))),
  );
  if (table === undefined) return { line: 0, error: "is empty" };
  if ("error" in table) return table;
  const dialect = dialects.reduce((nearestDialect, dialect) =>
    scoreHeader(dialect, table.header) > scoreHeader(nearestDialect, table.header) ? dialect : nearestDialect,
  );
  const missingColumn = findMissingColumn(dialect, table.header);
  const error =
    missingColumn === undefined
      ? (dialect.findHeaderError?.(table.header) ?? findUnreadVisibility(dialect, table.header))
      : (describeOtherSystem(table.header) ?? describeUnknownHeader(table.header, dialects, dialect, missingColumn));
  if (error !== undefined) return { line: table.headerLine, error };
  let decimalSigns: ReadonlyMap<string, DecimalSign> | undefined;
  const columns = matchColumns(table.header, dialect.columnKeyOf, (key) => decimalSigns?.get(key));
  const numericKeys = columns.keys.filter((key) => dialect.isNumber?.(key) === true);
  let bytes = 0;
  async function* readRows(onNote: (note: CellNote) => void): AsyncGenerator<TableRow | UnreadableRow> {
    for await (const { line, cells, error, isRestUnreadable: isEnd, hasInvalidQuote, ...row } of (
      table as Table
    ).rows()) {
      bytes = row.bytes;
      if (error !== undefined) yield { line, cells, error, isFileError: isEnd === true };
      else {
        columns.countIgnoredCells(cells);
        // The other numbers of the column show whether "1,000" means one thousand or one, which requires a second pass
        // over the file. A file without ambiguous numbers is read only once.
        if (
          decimalSigns === undefined &&
          numericKeys.some((key) => isAmbiguousNumber(cells[columns.indexOf(key)] ?? ""))
        )
          decimalSigns = await findDecimalSigns(table as Table, columns, numericKeys);
        if (hasInvalidQuote === true) onNote({ line, field: "", message: INVALID_QUOTE_NOTE });
        yield { line, cells, columns };
      }
    }
  }
  return {
    isStockList: dialect.isStockList === true,
    isVitrineFormat: false,
    async *values(onNote) {
      const { separator } = table;
      for await (const value of dialect.read(readRows(onNote), { ...createFeedContext(options), columns, onNote })) {
        const { source } = value;
        yield { ...value, bytes, source: source && (() => ({ ...source(), separator })) };
      }
    },
    summary: () => ({
      format: dialect.name,
      encoding: encoding.name,
      isEncodingGuessed: encoding.isGuessed,
      separator: table.separator,
      isCurrencyAssumed: dialect.hasCurrency !== true,
      ignoredColumns: columns.ignoredColumns(),
    }),
  };
}

const INVALID_QUOTE_NOTE = 'a " in a cell is not doubled: read as a character';

/** Score of a header with all required columns of a format. It exceeds the number of columns of any file. */
const COMPLETE_HEADER_SCORE = 1_000_000;

/** Returns how well a header fits a format: its number of imported columns, and more if no required column is missing. */
function scoreHeader(dialect: Dialect, header: readonly string[]): number {
  const count = header.filter((name) => dialect.columnKeyOf(name) !== undefined).length;
  if (findMissingColumn(dialect, header) === undefined) return COMPLETE_HEADER_SCORE + count;
  // A stock list knows all columns, because unknown ones are locations.
  return dialect.isStockList === true ? 0 : count;
}

/** Returns the alternatives of a required column if the header has none of them. */
function findMissingColumn(dialect: Dialect, header: readonly string[]): readonly string[] | undefined {
  const names = new Set(header.flatMap((name) => [dialect.columnKeyOf(name) ?? "", normalizeColumnName(name)]));
  return dialect.requiredColumns.find(
    (alternatives) => !alternatives.some((name) => names.has(name) || names.has(normalizeColumnName(name))),
  );
}

function describeUnknownHeader(
  header: readonly string[],
  dialects: readonly Dialect[],
  nearestDialect: Dialect,
  missingColumn: readonly string[],
): string {
  const visibleHeader = header.slice(0, 6).join(", ").slice(0, 120);
  const names = dialects.map(({ name }) => name).join(", ");
  return `is not in a known format (${names}): its columns are ${visibleHeader}${header.length > 6 ? " …" : ""}; ${nearestDialect.name} also needs ${missingColumn.join(" or ")}. A table of your own needs the columns Title and Price; from another system, export a Google Merchant Center feed`;
}

/** Returns an error if only a column that is not imported seems to state which products are hidden. */
function findUnreadVisibility(dialect: Dialect, header: readonly string[]): string | undefined {
  const keys = new Set(header.map((name) => dialect.columnKeyOf(name)));
  if (dialect.columnKeyOf("Published") === undefined || keys.has("Published") || keys.has("Status")) return undefined;
  const name = header.find((text) => dialect.columnKeyOf(text) === undefined && visibilityPattern.test(text));
  return (
    name &&
    `the column "${name}" is not read, so hidden products would be shown: name it Published, with TRUE or FALSE, or remove it`
  );
}

const visibilityPattern =
  /^(?:is[ _])?(?:active|visible|visibility|hidden|enabled|disabled|status|aktiv|sichtbar|versteckt|verborgen|zichtbaar|actief|aktywn[aey]|widoczn[aey]|ukryt[aey]|actif|caché|activo|oculto|attivo|visibile|nascosto)\??$/iu;

function openFeedFile(file: string, encoding: TextEncoding, options: FileOptions): OpenedFile {
  const feedFile = readFeed(file, encoding, createFeedContext(options));
  return { isStockList: false, isVitrineFormat: false, ...feedFile };
}

function createFeedContext({ currency, now, timezone = "UTC" }: FileOptions): FeedContext {
  return { currency, now, formatLocalTime: createLocalTimeFormat(timezone) };
}
