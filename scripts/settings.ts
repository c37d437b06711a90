import type * as v from "valibot";
import { settingsSchema } from "../src/config/settings.ts";
import { getDocumentation } from "../src/config/value-kinds.ts";

/** Returns the rows of the table of settings in the documentation. */
export function settingRows(): readonly string[] {
  return rowsOf(settingsSchema as Part, "");
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
