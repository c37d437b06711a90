import { resolve } from "node:path";
import { readArguments, reportWrongUsage } from "../arguments.ts";
import { type CommandIo, enableCodeCache } from "../io.ts";

const usage = `Usage: vitrine search [--store DIR] [--locale L] <words…> [--explain] [--why-not H] [--json]

Searches the store, with the rules of search/. The last word may be incomplete.
  --store DIR   folder of the store (default: the current folder)
  --locale L    language (default: that of the store)
  --explain     show the rules of the query, and the points of each result
  --why-not H   show why the product with the handle H does not rank higher
  --json        print one JSON object per result; with --explain, one of kind "query" first`;

/** Runs `vitrine search`. The exit code is 1 if there are no results. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const options = {
    store: { type: "string" },
    locale: { type: "string" },
    explain: { type: "boolean" },
    "why-not": { type: "string" },
    json: { type: "boolean" },
  } as const;
  const parsedArguments = readArguments(args, options, usage, io);
  if (typeof parsedArguments === "number") return parsedArguments;
  const words = parsedArguments.positionals.join(" ").trim();
  if (words === "") return reportWrongUsage("name the words to search.", usage, io);
  const { store = ".", locale, explain, json, "why-not": comparedHandle } = parsedArguments.values;
  const storeDir = resolve(io.cwd, String(store));
  enableCodeCache(storeDir);
  const { searchStore } = await import("../search-store.ts");
  const request = {
    words,
    locale: locale === undefined ? undefined : String(locale),
    isExplained: explain === true,
    comparedHandle: comparedHandle === undefined ? undefined : String(comparedHandle),
    isJson: json === true,
  };
  return searchStore(storeDir, request, (message) => reportWrongUsage(message, usage, io), io);
}
