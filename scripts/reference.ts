// Writes what the documents say of the code itself: settings, commands, refusals, Liquid. `npm run reference`, after a change in any of these.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { standardFilters } from "../packages/liquid/src/filters/standard-filters.ts";
import { standardTags } from "../packages/liquid/src/tags/standard-tags.ts";
import { commands } from "../src/cli/commands.ts";
import { refusals } from "../src/http/refusals.ts";
import { createLiquid } from "../src/theme/liquid/liquid.ts";
import { isEmptyField, knownTypes } from "../src/theme/objects/template-object.ts";
import { globalTypes } from "../src/theme/render/globals.ts";
import { documentFile as settingsFile, withSettings } from "./settings.ts";

const note = (from: string): string =>
  `Made from the code by \`npm run reference\` (${from}); a test holds it to it.\n`;

/** @returns path of a document -> its text, as it is to be */
export async function references(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    [settingsFile, withSettings(readFileSync(settingsFile, "utf8"))],
    [pathOf("cli.md"), await commandsText()],
    [pathOf("error-codes.md"), errorsText()],
    [pathOf("liquid.md"), liquidText()],
  ]);
}

async function commandsText(): Promise<string> {
  const verbs = [...commands].filter(([, { summary }]) => summary !== "");
  const parts = [
    "# Commands\n",
    note("what each answers to `--help`"),
    "`npx vitrine <command>` in a store's folder or above it; `npm run -s vitrine -- <command>` in a checkout. Each ends with 0 when it is done, 1 when it failed, 2 when it was called wrongly. " +
      "Results go to stdout, everything else to stderr.\n",
    `| command | does |\n|---|---|\n${verbs.map(([name, { summary }]) => `| ${name === "help" ? "`help`" : `[\`${name}\`](#${name})`} | ${summary} |\n`).join("")}`,
  ];
  for (const [name, { load }] of verbs) {
    if (name === "help") continue;
    let text = "";
    const stdout = { write: (said: string) => (text += said) } as unknown as NodeJS.WritableStream;
    const { run } = await load();
    await run(["--help"], { cwd: ".", stdout, stderr: stdout, env: {}, program: "vitrine" });
    parts.push(`## ${name}\n`, `\`\`\`text\n${text}\`\`\`\n`);
  }
  return parts.join("\n");
}

function errorsText(): string {
  const rows = Object.entries(refusals).sort(([a], [b]) => a.localeCompare(b));
  return [
    "# Refusals\n",
    note("`src/http/refusals.ts`"),
    "JSON answers of a refusal have `error` (the code), `message` (a sentence for people), `fields` and `status`; those of `/search/suggest` are a text, those of `/search/suggest.json` have the three keys of their own. Anything else that goes wrong is 500 `internal_error`, and in the log.\n",
    `| code | status | when |\n|---|---|---|\n${rows.map(([code, [status, when]]) => `| \`${code}\` | ${status} | ${when.replaceAll("|", "\\|")} |\n`).join("")}`,
  ].join("\n");
}

function liquidText(): string {
  const { tags, filters } = createLiquid();
  const own = (names: Iterable<string>, standard: { has(name: string): boolean }, isStandard: boolean): string =>
    list([...names].filter((name) => standard.has(name) === isStandard));
  const globals = [...globalTypes()].sort(([a], [b]) => a.localeCompare(b));
  const types = [...knownTypes].sort(([a], [b]) => a.localeCompare(b));
  return [
    "# Liquid\n",
    note("what `vitrine check` knows"),
    "What templates may name. What is special about some of it stands in [For theme authors](theme-guide.md#what-to-know-of-some).\n",
    "## Tags\n",
    `Of every Liquid: ${own([...tags.keys(), "liquid"], new Set([...standardTags.keys(), "liquid"]), true)}.\n`,
    `Of a shop: ${own(tags.keys(), new Set([...standardTags.keys(), "liquid"]), false)}; and once a file \`schema\`, \`stylesheet\`, \`javascript\`.\n`,
    "## Filters\n",
    `Of every Liquid: ${own(filters.keys(), standardFilters, true)}.\n`,
    `Of a shop: ${own(filters.keys(), standardFilters, false)}.\n`,
    "## Variables of every page\n",
    `${globals.map(([name, type]) => `\`${name}\`${type === "" || type === name ? "" : ` (${type.replace(/^\{(.*)\}$/, "$1 by handle")})`}`).join(", ")}.\n`,
    "## Objects\n",
    "A field in brackets leads to an object of that type (`[]`: to a list of them). Fields that themes know and that have no value in any shop are told last.\n",
    ...types.map(([name, fields]) => objectText(name, fields)),
  ].join("\n");
}

function objectText(name: string, fields: ReadonlyMap<string, string>): string {
  const sorted = [...fields].sort(([a], [b]) => a.localeCompare(b));
  const [some, none] = [false, true].map((isEmpty) =>
    sorted.filter(([field]) => isEmptyField(name, field) === isEmpty),
  );
  const told = (some ?? []).map(([field, type]) => `\`${field}\`${type === "" ? "" : ` (${type})`}`).join(", ");
  const empty = none?.length === 0 ? "" : ` Without a value: ${list((none ?? []).map(([field]) => field))}.`;
  return `### ${name}\n\n${told === "" ? "No fields of its own" : told}.${empty}\n`;
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
