import { Readable } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import type { ReadValue } from "./jsonl.ts";
import { readLines } from "./lines.ts";
import { type CsvRow, csvProduct, isVariantOfNext } from "./shopify-product.ts";

/** A value of a CSV file: one product of the catalogue's own format, which may carry faults of single cells. */
export interface ReadProduct extends ReadValue {
  readonly cellFaults?: readonly { readonly line: number; readonly field: string; readonly message: string }[];
}

/** The products of a Shopify product export: neighbouring rows with one handle make a product.
 *  @param currency of the decimal prices, ISO 4217 */
export async function* readShopifyCsv(file: string, currency: string): AsyncGenerator<ReadProduct> {
  const source = { bytes: 0, badLine: undefined as number | undefined };
  const parser = Readable.from(validText(file, source)).pipe(
    parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: 16_000_000 }),
  );
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
    if (source.badLine !== undefined) yield { line: source.badLine, bytes: source.bytes, fault: "is not UTF-8 text" };
    else if (isCsvError(error)) yield { line: ended + 1, bytes: source.bytes, fault: `is not CSV: ${reason(error)}` };
    else throw error;
  }
}

/** True for a file whose header is that of a Shopify product export. */
export async function isShopifyCsv(file: string): Promise<boolean> {
  for await (const { text } of readLines(file)) return /^"?Handle"?,"?Title"?(,|\r?$)/.test(text ?? "");
  return false;
}

async function* validText(
  file: string,
  source: { bytes: number; badLine: number | undefined },
): AsyncGenerator<string> {
  for await (const { line, text, bytes } of readLines(file)) {
    source.bytes = bytes;
    if (text === undefined) {
      source.badLine = line;
      throw new Error("not UTF-8");
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
