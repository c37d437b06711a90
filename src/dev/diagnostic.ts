import type { Finding, Severity } from "../theme/check/finding.ts";
import { findLiquidError } from "../theme/liquid/with-location.ts";

/** A problem in the files of the store. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Description of the problem and, if known, its solution. */
  readonly message: string;
  /** Path in the store folder: "theme/sections/header.liquid". */
  readonly file?: string;
  /** 1-based line number. */
  readonly line?: number;
  readonly column?: number;
  /** Surrounding lines of the file. */
  readonly excerpt?: readonly ExcerptLine[];
}

/**
 * Reads a text file of the store. Returns undefined if the file does not exist or is not text.
 * @param file path in the store folder
 */
export type TextReader = (file: string) => string | undefined;

/** Returns the diagnostic for an error in a theme.  @param folder path of the theme in the store folder: "theme" */
export function diagnoseError(error: unknown, folder: string, readText: TextReader): Diagnostic {
  const message = error instanceof Error ? error.message : String(error);
  const liquidError = findLiquidError(error);
  if (liquidError?.place !== undefined && liquidError.place.name !== "") {
    const { name, line, column } = liquidError.place;
    return addExcerpt(
      { severity: "error", message: removeLocation(message), file: `${folder}/${name}`, line, column },
      readText,
    );
  }
  const [, file, detail = ""] =
    /^((?:layout|templates|sections|snippets|blocks|assets|locales|config)\/[^:]+): ([\s\S]*)$/.exec(message) ?? [];
  if (file === undefined) return { severity: "error", message: removeLocation(message) };
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(detail) ?? [];
  const location = line === undefined ? {} : { line: Number(line), column: Number(column) };
  return addExcerpt(
    { severity: "error", message: removeLocation(detail), file: `${folder}/${file}`, ...location },
    readText,
  );
}

/** Returns diagnostics for the first three locations of a finding. */
export function diagnoseFinding(
  { severity, message, places }: Finding,
  folder: string,
  readText: TextReader,
): Diagnostic[] {
  const repetitionNote = places.length > MAX_LOCATIONS ? ` (and ${places.length - MAX_LOCATIONS} times more)` : "";
  return places.slice(0, MAX_LOCATIONS).map(({ file, line, column }) =>
    addExcerpt(
      {
        severity,
        message: message + repetitionNote,
        file: `${folder}/${file}`,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      },
      readText,
    ),
  );
}

/** Parses a message that starts with a location: "vitrine.config.ts:3: …", "catalog/shop.jsonl:7: …". */
export function parseDiagnostic(sentence: string, readText: TextReader): Diagnostic {
  const [, file, line, message] = /^([\w./-]+\.\w+)(?::(\d+))?: ([\s\S]*)$/.exec(sentence) ?? [];
  if (file === undefined || message === undefined) return { severity: "error", message: sentence };
  return addExcerpt(
    { severity: "error", message, file, ...(line === undefined ? {} : { line: Number(line) }) },
    readText,
  );
}

/**
 * Merges diagnostics of several sources. If several sources report the same location, only the diagnostics of the first
 * source are returned. The theme check comes before the render, because its messages contain the solution.
 * @param sources diagnostics in order of precedence
 */
export function mergeDiagnostics(...sources: readonly (readonly Diagnostic[])[]): Diagnostic[] {
  const seenKeys = new Set<string>();
  const mergedDiagnostics: Diagnostic[] = [];
  for (const diagnostics of sources) {
    // One source can report several problems in a line, so only locations from earlier sources count as duplicates.
    const newDiagnostics = diagnostics.filter((diagnostic) => !seenKeys.has(getLocationKey(diagnostic)));
    mergedDiagnostics.push(...newDiagnostics);
    for (const diagnostic of newDiagnostics) seenKeys.add(getLocationKey(diagnostic));
  }
  return mergedDiagnostics;
}

/** Returns a key for the location: "theme/sections/a.liquid:3". Without a line, the key contains the message. */
function getLocationKey({ file = "", line, message }: Diagnostic): string {
  return line === undefined ? `${file} ${message}` : `${file}:${line}`;
}

const MAX_LOCATIONS = 3;

/** Removes the location from a message, since it is displayed separately. */
function removeLocation(message: string): string {
  return message
    .replace(/; \S+ stays as it was before this change$/, "")
    .replace(/, file:[^,]*, line:\d+, col:\d+/, "")
    .replace(/^Liquid (?:syntax )?error(?: \([^)]*\))?: /, "")
    .replace(/ \(line \d+ column \d+\)/, "");
}

function addExcerpt(diagnostic: Diagnostic, readText: TextReader): Diagnostic {
  const { file, line } = diagnostic;
  const text = file === undefined || line === undefined ? undefined : readText(file);
  if (text === undefined || line === undefined) return diagnostic;
  return { ...diagnostic, excerpt: extractExcerpt(text, line, diagnostic.column) };
}

/** A line in the excerpt of a diagnostic. */
interface ExcerptLine {
  /** 1-based line number. */
  readonly number: number;
  readonly text: string;
  /** Present if the diagnostic refers to this line. */
  readonly isMarked?: true;
}

/** Number of lines before and after the marked line. */
const EXCERPT_CONTEXT_LINES = 2;
/** Maximum number of characters of a line. Generated files can have very long lines. */
const MAX_WIDTH = 160;

/** Returns a line with its surrounding lines.  @param column center of the visible part if the line is too long */
function extractExcerpt(text: string, line: number, column = 1): ExcerptLine[] {
  const lines = text.split(/\r\n|\r|\n/);
  const firstLineNumber = Math.max(1, line - EXCERPT_CONTEXT_LINES);
  const lastLineNumber = Math.min(lines.length, line + EXCERPT_CONTEXT_LINES);
  const firstColumn = Math.max(0, column - MAX_WIDTH / 2);
  return Array.from({ length: Math.max(0, lastLineNumber - firstLineNumber + 1) }, (_, index) => {
    const number = firstLineNumber + index;
    const sourceLine = lines[number - 1] ?? "";
    const visibleText =
      sourceLine.length <= MAX_WIDTH ? sourceLine : truncateLine(sourceLine, number === line ? firstColumn : 0);
    return { number, text: visibleText, ...(number === line ? { isMarked: true as const } : {}) };
  });
}

function truncateLine(line: string, start: number): string {
  const visiblePart = line.slice(start, start + MAX_WIDTH).toWellFormed();
  return `${start > 0 ? "…" : ""}${visiblePart}${start + MAX_WIDTH < line.length ? "…" : ""}`;
}

/** Formats a diagnostic: "theme/sections/a.liquid:3:5: warning: unknown …", then the excerpt, with its line marked. */
export function formatDiagnostic({ severity, message, file, line, column, excerpt = [] }: Diagnostic): string[] {
  const locationText = [file, line, column].filter((part) => part !== undefined).join(":");
  const width = String(excerpt.at(-1)?.number ?? 0).length;
  const firstLine = [...(locationText === "" ? [] : [locationText]), severity, message].join(": ");
  return [
    firstLine,
    ...excerpt.map(({ number, text, isMarked }) =>
      `${isMarked === true ? ">" : " "} ${String(number).padStart(width)} | ${text}`.trimEnd(),
    ),
  ];
}
