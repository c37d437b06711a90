import type { Finding, Severity } from "../theme/check/finding.ts";
import { liquidErrorIn } from "../theme/liquid/with-location.ts";
import { type ExcerptLine, excerptOf } from "./excerpt.ts";

/** Something that is wrong in the store's files, as who writes them is told of it. */
export interface Fault {
  readonly severity: Severity;
  /** What is wrong, and what to write instead where that is known. */
  readonly message: string;
  /** Inside the store: "theme/sections/header.liquid". */
  readonly file?: string;
  /** 1 for the first. */
  readonly line?: number;
  readonly column?: number;
  /** The lines around it, as the file is now. */
  readonly excerpt?: readonly ExcerptLine[];
}

/** Reads a file of the store, as it is now; undefined where it is gone or no text. @param file inside the store's folder */
export type ReadText = (file: string) => string | undefined;

/** What a theme threw, with its place in the theme's files. @param folder of the theme in the store: "theme" */
export function faultOfError(error: unknown, folder: string, read: ReadText): Fault {
  const message = error instanceof Error ? error.message : String(error);
  const liquid = liquidErrorIn(error);
  if (liquid?.place !== undefined && liquid.place.name !== "") {
    const { name, line, column } = liquid.place;
    return withExcerpt({ severity: "fault", message: said(message), file: `${folder}/${name}`, line, column }, read);
  }
  const [, file, rest = ""] =
    /^((?:layout|templates|sections|snippets|blocks|assets|locales|config)\/[^:]+): ([\s\S]*)$/.exec(message) ?? [];
  if (file === undefined) return { severity: "fault", message: said(message) };
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(rest) ?? [];
  const place = line === undefined ? {} : { line: Number(line), column: Number(column) };
  return withExcerpt({ severity: "fault", message: said(rest), file: `${folder}/${file}`, ...place }, read);
}

/** One fault for each place of a finding, up to three. */
export function faultsOfFinding({ severity, message, places }: Finding, folder: string, read: ReadText): Fault[] {
  const more = places.length > MAX_PLACES ? ` (and ${places.length - MAX_PLACES} times more)` : "";
  return places.slice(0, MAX_PLACES).map(({ file, line, column }) =>
    withExcerpt(
      {
        severity,
        message: message + more,
        file: `${folder}/${file}`,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      },
      read,
    ),
  );
}

/** A sentence that begins with its place: "vitrine.config.ts:3: …", "catalog/shop.jsonl:7: …". */
export function faultOfSentence(sentence: string, read: ReadText): Fault {
  const [, file, line, message] = /^([\w./-]+\.\w+)(?::(\d+))?: ([\s\S]*)$/.exec(sentence) ?? [];
  if (file === undefined || message === undefined) return { severity: "fault", message: sentence };
  return withExcerpt({ severity: "fault", message, file, ...(line === undefined ? {} : { line: Number(line) }) }, read);
}

/** Each place once: what a checker says of it comes first, for it says what to write instead. @param told in the order in which they count */
export function eachOnce(...told: readonly (readonly Fault[])[]): Fault[] {
  const known = new Set<string>();
  const all: Fault[] = [];
  for (const faults of told) {
    // A file may have several faults in a line, and the same one may be told by two.
    const fresh = faults.filter((fault) => !known.has(placeOf(fault)));
    all.push(...fresh);
    for (const fault of fresh) known.add(placeOf(fault));
  }
  return all;
}

/** "theme/sections/a.liquid:3"; of what has no line, what is said too. */
function placeOf({ file = "", line, message }: Fault): string {
  return line === undefined ? `${file} ${message}` : `${file}:${line}`;
}

const MAX_PLACES = 3;

/** Without the place, which stands beside it. */
function said(message: string): string {
  return message
    .replace(/; \S+ stays as it was before this change$/, "")
    .replace(/, file:[^,]*, line:\d+, col:\d+/, "")
    .replace(/^Liquid (?:syntax )?error(?: \([^)]*\))?: /, "")
    .replace(/ \(line \d+ column \d+\)/, "");
}

function withExcerpt(fault: Fault, read: ReadText): Fault {
  const { file, line } = fault;
  const text = file === undefined || line === undefined ? undefined : read(file);
  if (text === undefined || line === undefined) return fault;
  return { ...fault, excerpt: excerptOf(text, line, fault.column) };
}
