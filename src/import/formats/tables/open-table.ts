import { pipeline, Readable } from "node:stream";
import { type CsvError, parse } from "csv-parse";
import { parse as parseAtOnce } from "csv-parse/sync";
import type { TextEncoding } from "../encoding.ts";
import { readLines, type TextLine } from "../lines.ts";
import type { Columns } from "./columns.ts";
import { type DecimalSign, decimalSignOf } from "./local-number.ts";

/** A file of rows and columns. */
export interface Table {
  /** Column names as in the file. */
  readonly header: readonly string[];
  readonly headerLine: number;
  /** Separator between cells: ",", ";", a tab or "|". */
  readonly separator: string;
  rows(): AsyncGenerator<ParsedRow>;
}

export interface ParsedRow {
  readonly line: number;
  /** Cells, one per column of the header. A missing cell is "". */
  readonly cells: readonly string[];
  readonly bytes: number;
  /** Reason why the line is not a row of the table. */
  readonly error?: string;
  /** Whether the rest of the file cannot be read. */
  readonly isRestUnreadable?: boolean;
  /** Whether an unquoted cell contains a quote. */
  readonly hasInvalidQuote?: boolean;
}

/**
 * Opens a table file and detects its separator.
 * @param score returns how many of the column names are known. The separator with the highest number is used
 * @returns undefined for a file without text
 */
export async function openTable(
  file: string,
  encoding: TextEncoding,
  score: (header: readonly string[]) => number,
): Promise<Table | { readonly line: number; readonly error: string } | undefined> {
  let headerText = "";
  let lines = 0;
  let declaredSeparator: string | undefined;
  const parseHeader = (): Candidate =>
    (declaredSeparator === undefined ? SEPARATORS : [declaredSeparator])
      .map((separator) => {
        const header = headerOf(headerText, separator);
        return { separator, header, score: score(header) * 1_000 + header.length };
      })
      .reduce((bestCandidate, candidate) => (candidate.score > bestCandidate.score ? candidate : bestCandidate));
  for await (const { line, text, error } of readTableLines(file, encoding)) {
    if (error !== undefined) return { line, error };
    lines = line;
    const separatorHint = headerText === "" ? /^"?sep=(.)"?\s*$/i.exec(text)?.[1] : undefined;
    if (separatorHint !== undefined) declaredSeparator = separatorHint;
    else headerText += headerText === "" && text.trim() === "" ? "" : `${text}\n`;
    // A quoted column name may contain a line break.
    if (headerText !== "" && (headerText.match(/"/g)?.length ?? 0) % 2 === 0) {
      const hasKnownColumn = parseHeader().score >= 1_000;
      if (hasKnownColumn || !COMMENT.test(headerText)) break;
      headerText = "";
    }
    if (headerText.length > MAX_HEADER_LENGTH)
      return { line, error: 'has a quoted column name that is never closed with "' };
  }
  if (headerText === "") return undefined;
  const bestCandidate = parseHeader();
  const headerLine = lines - (headerText.match(/\n/g)?.length ?? 1) + 1;
  return { ...bestCandidate, headerLine, rows: () => readRows(file, encoding, bestCandidate, lines) };
}

interface Candidate {
  readonly separator: string;
  readonly header: readonly string[];
  readonly score: number;
}

/** Start of a comment above the column names. Templates of Meta explain each column in such a line. */
const COMMENT = /^\uFEFF?"?#\s*\p{L}/u;
const SEPARATORS: readonly string[] = [",", ";", "\t", "|"];
/** Maximum characters of a header. */
const MAX_HEADER_LENGTH = 200_000;
const parserOptions = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  record_delimiter: "\n",
} as const;

function headerOf(text: string, separator: string): readonly string[] {
  try {
    const [header = []] = parseAtOnce(text, { ...parserOptions, delimiter: separator }) as string[][];
    // Spreadsheets may write empty column names after the last column. These are dropped.
    const names = header.map((name) =>
      name
        .replace(/^\uFEFF/, "")
        .replace(/\s+/g, " ")
        .trim(),
    );
    return names.slice(0, names.findLastIndex((name) => name !== "") + 1);
  } catch {
    return [];
  }
}

/** Position up to which a file was read. */
interface ReadProgress {
  bytes: number;
  /** Lines that are not valid text, with their errors. Each error is reported when the parser reaches the line. */
  invalidLines: { readonly line: number; readonly error: string }[];
}

async function* readRows(
  file: string,
  encoding: TextEncoding,
  { separator, header }: { readonly separator: string; readonly header: readonly string[] },
  headerEnd: number,
): AsyncGenerator<ParsedRow> {
  const progress: ReadProgress = { bytes: 0, invalidLines: [] };
  const parser = parse({ ...parserOptions, delimiter: separator, info: true, raw: true, max_record_size: 16_000_000 });
  // Errors are ignored here, because the loop below throws them.
  pipeline(Readable.from(readTableText(file, encoding, headerEnd, progress)), parser, () => {});
  let lastLine = headerEnd;
  try {
    for await (const { record, info, raw } of parser as AsyncIterable<ParsedRecord>) {
      // `info.lines` is the last line of the record, because a cell may contain line breaks.
      const end = headerEnd + info.lines;
      const line = end - (raw.trim().match(/\n/g)?.length ?? 0);
      lastLine = end;
      const { bytes } = progress;
      const invalidLine = progress.invalidLines.find((problem) => problem.line >= line && problem.line <= end);
      if (invalidLine !== undefined) {
        yield { line: invalidLine.line, bytes, cells: [], error: invalidLine.error };
        continue;
      }
      if (record.every((text) => text.trim() === "")) continue;
      const extraCells = record.slice(header.length);
      const cells = header.map((_, index) => record[index] ?? "");
      const hasInvalidQuote = raw.includes('"') && isInvalidQuoting(raw, record);
      if (extraCells.some((text) => text.trim() !== "")) {
        const error = `has ${record.length} cells, but the header has ${header.length}: put " around cells that contain the separator, or add the missing column names`;
        yield { line, bytes, cells, error };
      } else yield { line, bytes, cells, hasInvalidQuote };
    }
  } catch (error) {
    if (!isCsvError(error)) throw error;
    yield {
      line: lastLine + 1,
      bytes: progress.bytes,
      cells: [],
      error: `is not CSV: ${describeCsvError(error)}`,
      isRestUnreadable: true,
    };
  }
}

interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
  readonly raw: string;
}

/** Yields the text after the header. A line with invalid text is recorded and replaced by a placeholder. */
async function* readTableText(
  file: string,
  encoding: TextEncoding,
  headerEnd: number,
  progress: ReadProgress,
): AsyncGenerator<string> {
  for await (const { line, text, error, bytes } of readTableLines(file, encoding)) {
    progress.bytes = bytes;
    if (line <= headerEnd) continue;
    if (error !== undefined) progress.invalidLines.push({ line, error });
    // The parser skips empty lines, so an invalid line is replaced by a placeholder.
    yield error === undefined ? `${text}\n` : "?\n";
  }
}

/** Yields lines with the line ends of any system. Some programs for the Mac write only a carriage return. */
async function* readTableLines(file: string, encoding: TextEncoding): AsyncGenerator<TextLine> {
  let line = 0;
  for await (const textLine of readLines(file, encoding)) {
    for (const text of textLine.text.includes("\r") ? textLine.text.replace(/\r$/, "").split("\r") : [textLine.text]) {
      line += 1;
      yield { ...textLine, line, text };
    }
  }
}

/** Returns whether an unquoted cell contains a quote. */
function isInvalidQuoting(rawText: string, record: readonly string[]): boolean {
  const quoteCount = record.reduce((sum, text) => sum + (text.match(/"/g)?.length ?? 0), 0);
  const escapedQuoteCount = rawText.replace(/(?<=^|[,;\t|])""(?=[,;\t|]|\s*$)/g, "").match(/""/g)?.length ?? 0;
  return quoteCount > escapedQuoteCount;
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("CSV_");
}

function describeCsvError(error: CsvError): string {
  if (error.code === "CSV_QUOTE_NOT_CLOSED") return 'a quoted cell that begins in this row is never closed with "';
  if (error.code === "CSV_MAX_RECORD_SIZE") return 'a row is longer than 16 MB: a quoted cell is never closed with "';
  return error.message.slice(0, 200);
}

/**
 * Returns the decimal sign of each column, by reading all rows. Omits columns whose numbers contain both signs or
 * neither.
 */
export async function findDecimalSigns(
  table: Table,
  columns: Columns,
  keys: readonly string[],
): Promise<ReadonlyMap<string, DecimalSign>> {
  const signsByColumn = new Map<string, Set<DecimalSign>>(keys.map((key) => [key, new Set()]));
  for await (const { cells } of table.rows())
    for (const [key, decimalSigns] of signsByColumn) {
      const decimalSign = decimalSignOf((cells[columns.indexOf(key)] ?? "").trim());
      if (decimalSign !== undefined) decimalSigns.add(decimalSign);
    }
  return new Map(
    [...signsByColumn].flatMap(([key, decimalSigns]) =>
      decimalSigns.size === 1 ? [[key, [...decimalSigns][0] as DecimalSign]] : [],
    ),
  );
}
