import { cell, type TableRow } from "../tables/columns.ts";

/** "simple, virtual" is of two types. */
export function typesOf(row: TableRow): ReadonlySet<string> {
  return new Set(splitList(cell(row, "Type").toLowerCase()));
}

/** The parts of a list between commas; a comma of its own has \ before it. */
export function splitList(text: string): readonly string[] {
  return text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter((part) => part !== "");
}
