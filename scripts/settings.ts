// Generates the table of settings in the documentation. Run `npm run reference` after a change of
// `src/config/settings.ts`.
import { fileURLToPath } from "node:url";
import type * as v from "valibot";
import { settingsSchema } from "../src/config/settings.ts";
import { getDocumentation } from "../src/config/value-kinds.ts";

/** Document with the table, which extends from its header to the next empty line. */
export const documentFile = fileURLToPath(new URL("../docs/reference/configuration.md", import.meta.url));

const head = "| name | type | default | description |\n|---|---|---|---|\n";

/** Inserts the generated table into the document.  @throws Error if the document has no table */
export function withSettings(document: string): string {
  const begin = document.indexOf(head);
  const end = document.indexOf("\n\n", begin);
  if (begin === -1 || end === -1)
    throw new Error(`${documentFile}: has no table that begins "${head.split("\n")[0]}".`);
  return document.slice(0, begin) + head + rowsOf(settingsSchema as Part, "").join("\n") + document.slice(end);
}

/** Parts of a valibot schema that the table needs. */
interface Part {
  readonly wrapped?: unknown;
  readonly pipe?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly default?: unknown;
}

function rowsOf(part: Part, name: string): string[] {
  const { description = "", documentation } = getDocumentation((part.wrapped ?? part) as v.GenericSchema);
  const ownRows = documentation === undefined ? [] : [row(name, description, defaultText(part), documentation)];
  const entries = Object.entries(entriesOf(part) ?? {});
  return [
    ...ownRows,
    ...entries.flatMap(([key, entry]) => rowsOf(entry as Part, name === "" ? key : `${name}.${key}`)),
  ];
}

/** Returns the settings of a group, even if the group is wrapped. Returns undefined for other settings. */
function entriesOf({ entries, wrapped, pipe = [] }: Part): Part["entries"] {
  // The first item of a pipe is the schema without the pipe.
  const inner = [wrapped, ...pipe].filter((part) => part !== undefined) as readonly Part[];
  return entries ?? inner.map(entriesOf).find((groupEntries) => groupEntries !== undefined);
}

function defaultText({ default: defaultValue }: Part): string {
  const value: unknown = typeof defaultValue === "function" ? defaultValue() : defaultValue;
  return value === undefined ? "none" : `\`${JSON.stringify(value)}\``;
}

function row(...cells: readonly string[]): string {
  const [name, ...otherCells] = cells.map((cell) => cell.replaceAll("|", "\\|"));
  return `| \`${name}\` | ${otherCells.join(" | ")} |`;
}
