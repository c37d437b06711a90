// Generates the reference pages of settings, commands, error codes and Liquid, and the table of malformed files. Run
// `npm run reference` after a change of any of these, or of the import.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { standardFilters } from "../packages/liquid/src/filters/standard-filters.ts";
import { standardTags } from "../packages/liquid/src/tags/standard-tags.ts";
import { commands } from "../src/cli/commands.ts";
import { errorStatuses } from "../src/http/error-responses.ts";
import { formatTableRows, readImportResults } from "../src/import/malformed-table.fixture.ts";
import { createLiquid } from "../src/theme/liquid/liquid.ts";
import { isEmptyField, knownTypes } from "../src/theme/objects/template-object.ts";
import { listGlobalTypes } from "../src/theme/render/globals.ts";
import { settingRows } from "./settings.ts";
import { shopifyObjectsText } from "./shopify-objects.ts";

const note = (from: string): string => `\`npm run reference\` generates this page from ${from}.\n`;

/** Returns the text of each document, by path. */
export async function references(): Promise<ReadonlyMap<string, string>> {
  const malformedHead = "| file | imported | repaired | rejected | ignored columns |\n|---|---|---|---|---|\n";
  const malformedRows = formatTableRows(await readImportResults());
  return new Map([
    withTable("configuration.md", "| name | type | default | description |\n|---|---|---|---|\n", settingRows()),
    withTable("import-formats.md", malformedHead, malformedRows),
    [pathOf("cli.md"), await commandsText()],
    [pathOf("error-codes.md"), errorsText()],
    [pathOf("liquid.md"), liquidText()],
    [pathOf("shopify-objects.md"), shopifyObjectsText()],
  ]);
}

/**
 * Replaces the rows of a table in a document. The table extends from its head to the next empty line.
 * @returns path and text of the document
 */
function withTable(name: string, head: string, rows: readonly string[]): [string, string] {
  const file = pathOf(name);
  const text = readFileSync(file, "utf8");
  const begin = text.indexOf(head);
  const end = text.indexOf("\n\n", begin);
  if (begin === -1 || end === -1) throw new Error(`${file}: has no table that begins "${head.split("\n")[0]}".`);
  return [file, text.slice(0, begin) + head + rows.join("\n") + text.slice(end)];
}

async function commandsText(): Promise<string> {
  const listedCommands = [...commands].filter(([, { summary }]) => summary !== "");
  const parts = [
    "# CLI\n",
    note("the help texts"),
    "Run `npx vitrine <command>` in the folder of a store, or `npm run -s vitrine -- <command>` in a checkout. `--store DIR` names another store. Results are printed to stdout, everything else to stderr.\n",
    "| exit code | meaning |\n|---|---|\n| 0 | success |\n| 1 | failure |\n| 2 | wrong usage |\n",
    `| command | description |\n|---|---|\n${listedCommands.map(([name, { summary }]) => `| ${name === "help" ? "`help`" : `[\`${name}\`](#${name})`} | ${summary} |\n`).join("")}`,
  ];
  for (const [name, { load }] of listedCommands) {
    if (name === "help") continue;
    let text = "";
    const stdout = { write: (output: string) => (text += output) } as unknown as NodeJS.WritableStream;
    const { run: runCommand } = await load();
    await runCommand(["--help"], { cwd: ".", stdout, stderr: stdout, env: {}, program: "vitrine" });
    parts.push(`## ${name}\n`, `\`\`\`text\n${text}\`\`\`\n`);
  }
  return parts.join("\n");
}

function errorsText(): string {
  const rows = Object.entries(errorStatuses).sort(([a], [b]) => a.localeCompare(b));
  return [
    "# Error codes\n",
    note("`src/http/error-responses.ts`"),
    "An error response in JSON has `error` (the code), `message` (for people), `fields`, and `status`. Errors of `/search/suggest` are text; errors of `/search/suggest.json` have `status`, `message`, and `description`. Any other failure is 500 `internal_error`, with a line in the log.\n",
    `| code | status | description |\n|---|---|---|\n${rows.map(([code, [status, description]]) => `| \`${code}\` | ${status} | ${description.replaceAll("|", "\\|")} |\n`).join("")}`,
  ].join("\n");
}

function liquidText(): string {
  const { tags, filters } = createLiquid();
  const listNames = (names: Iterable<string>, standard: { has(name: string): boolean }, isStandard: boolean): string =>
    list([...names].filter((name) => standard.has(name) === isStandard));
  const globals = [...listGlobalTypes()].sort(([a], [b]) => a.localeCompare(b));
  const types = [...knownTypes].sort(([a], [b]) => a.localeCompare(b));
  return [
    "# Liquid\n",
    note("the data of `vitrine check`"),
    "This page lists every tag, filter, and object of templates. The [theme guide](theme-guide.md#notes-on-objects-and-filters) explains some of them. The engine is the package `@vitrine/liquid`, which other programs can use.\n",
    "## Tags\n",
    `Standard: ${listNames([...tags.keys(), "liquid"], new Set([...standardTags.keys(), "liquid"]), true)}.\n`,
    `Storefront: ${listNames(tags.keys(), new Set([...standardTags.keys(), "liquid"]), false)}. Once in a file: \`schema\`, \`stylesheet\`, \`javascript\`.\n`,
    "## Filters\n",
    `Standard: ${listNames(filters.keys(), standardFilters, true)}.\n`,
    `Storefront: ${listNames(filters.keys(), standardFilters, false)}.\n`,
    "## Global variables\n",
    `${globals.map(([name, type]) => `\`${name}\`${type === "" || type === name ? "" : ` (${type.replace(/^\{(.*)\}$/, "$1 by handle")})`}`).join(", ")}.\n`,
    "## Objects\n",
    "The type of a field that is an object is in parentheses; `[]` is a list. Fields that are always empty are listed last.\n",
    ...types.map(([name, fields]) => objectText(name, fields)),
  ].join("\n");
}

function objectText(name: string, fields: ReadonlyMap<string, string>): string {
  const sortedFields = [...fields].sort(([a], [b]) => a.localeCompare(b));
  const [readableFields, emptyFields] = [false, true].map((isEmpty) =>
    sortedFields.filter(([field]) => isEmptyField(name, field) === isEmpty),
  );
  const descriptions = (readableFields ?? [])
    .map(([field, type]) => `\`${field}\`${type === "" ? "" : ` (${type})`}`)
    .join(", ");
  const emptyText =
    emptyFields?.length === 0 ? "" : ` Always empty: ${list((emptyFields ?? []).map(([field]) => field))}.`;
  return `### ${name}\n\n${descriptions === "" ? "No fields" : descriptions}.${emptyText}\n`;
}

function list(names: readonly string[]): string {
  return [...names]
    .sort((a, b) => a.localeCompare(b))
    .map((name) => `\`${name}\``)
    .join(", ");
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../docs/reference/${name}`, import.meta.url));
}

if (import.meta.main) for (const [file, text] of await references()) writeFileSync(file, text);
