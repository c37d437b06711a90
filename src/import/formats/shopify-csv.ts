import { pipeline, Readable } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import { readLines } from "./lines.ts";
import { type CsvRow, csvProduct, isVariantOfNext, type ReadProduct } from "./shopify-product.ts";

/** The products of a Shopify product export: neighbouring rows with one handle make a product.
 *  @param currency of the decimal prices, ISO 4217 */
export async function* readShopifyCsv(file: string, currency: string): AsyncGenerator<ReadProduct> {
  const source: Source = { bytes: 0 };
  const parser = parse({ info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: 16_000_000 });
  // What fails in reading fails in the loop below.
  pipeline(Readable.from(validText(file, source)), parser, () => {});
  let header: readonly string[] | undefined;
  let rows: CsvRow[] = [];
  let ended = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      // `info.lines` is where a record ends; a cell may hold line breaks.
      const line = ended + 1;
      ended = info.lines;
      if (header === undefined) {
        header = record.map((name) => name.trim());
        continue;
      }
      const row: CsvRow = { line, cells: new Map(header.map((name, index) => [name, record[index] ?? ""])) };
      if (rows.length > 0 && !isVariantOfNext(rows, row)) {
        yield { bytes: source.bytes, ...csvProduct(rows, currency) };
        rows = [];
      }
      rows.push(row);
      if (record.length > header.length) {
        const fault = `has ${record.length} cells, but the header has ${header.length}`;
        yield { line, bytes: source.bytes, fault };
      }
    }
    if (rows.length > 0) yield { bytes: source.bytes, ...csvProduct(rows, currency) };
  } catch (error) {
    if (source.bad !== undefined) yield { bytes: source.bytes, ...source.bad };
    else if (isCsvError(error)) yield { line: ended + 1, bytes: source.bytes, fault: `is not CSV: ${reason(error)}` };
    else throw error;
  }
}

/** Why a file is no Shopify product export, as its header tells; undefined for one that is. */
export async function shopifyHeaderFault(file: string): Promise<string | undefined> {
  const needed = "is not a Shopify product export: its header must begin with Handle,Title";
  for await (const { text, fault } of readLines(file))
    return fault ?? (/^"?Handle"?,"?Title"?(,|\r?$)/.test(text) ? undefined : needed);
  return needed;
}

/** How far a file was read. */
interface Source {
  bytes: number;
  /** The line that is not text, after which nothing was read. */
  bad?: { readonly line: number; readonly fault: string };
}

async function* validText(file: string, source: Source): AsyncGenerator<string> {
  for await (const { line, text, fault, bytes } of readLines(file)) {
    source.bytes = bytes;
    if (fault !== undefined) {
      source.bad = { line, fault };
      throw new Error(fault);
    }
    yield `${text}\n`;
  }
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");
}

function reason(error: CsvError): string {
  if (error.code === "CSV_QUOTE_NOT_CLOSED") return 'a quoted cell that begins in this row is never closed with "';
  return error.message.slice(0, 200);
}
