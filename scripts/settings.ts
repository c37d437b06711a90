// The table of all settings, as the documents have it: `npm run reference` writes it, after a change in `src/config/settings.ts`.
import { fileURLToPath } from "node:url";
import type * as v from "valibot";
import { settings } from "../src/config/settings.ts";
import { about } from "../src/config/value-kinds.ts";

/** Where the table stands, between its head and the next empty line. */
export const documentFile = fileURLToPath(new URL("../docs/reference/configuration.md", import.meta.url));

const head = "| setting | takes | default | meaning |\n|---|---|---|---|\n";

/** @returns the document with the table as it is to be  @throws Error where the document has no table */
export function withSettings(document: string): string {
  const begin = document.indexOf(head);
  const end = document.indexOf("\n\n", begin);
  if (begin === -1 || end === -1)
    throw new Error(`${documentFile}: has no table that begins "${head.split("\n")[0]}".`);
  return document.slice(0, begin) + head + rowsOf(settings as Part, "").join("\n") + document.slice(end);
}

/** What valibot makes a schema of, as far as it is looked at here. */
interface Part {
  readonly wrapped?: unknown;
  readonly pipe?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly default?: unknown;
}

function rowsOf(part: Part, name: string): string[] {
  const { takes = "", means } = about((part.wrapped ?? part) as v.GenericSchema);
  const own = means === undefined ? [] : [row(name, takes, initial(part), means)];
  const entries = Object.entries(entriesOf(part) ?? {});
  return [...own, ...entries.flatMap(([key, entry]) => rowsOf(entry as Part, name === "" ? key : `${name}.${key}`))];
}

/** Settings in a group, however it is wrapped; undefined: it is none. */
function entriesOf({ entries, wrapped, pipe = [] }: Part): Part["entries"] {
  // A pipe's first schema is the pipe itself, but for the pipe.
  const inner = [wrapped, ...pipe].filter((part) => part !== undefined) as readonly Part[];
  return entries ?? inner.map(entriesOf).find((found) => found !== undefined);
}

function initial({ default: written }: Part): string {
  const value: unknown = typeof written === "function" ? written() : written;
  return value === undefined ? "none" : `\`${JSON.stringify(value)}\``;
}

function row(...cells: readonly string[]): string {
  const [name, ...others] = cells.map((cell) => cell.replaceAll("|", "\\|"));
  return `| \`${name}\` | ${others.join(" | ")} |`;
}
