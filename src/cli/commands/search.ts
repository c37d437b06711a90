import { resolve } from "node:path";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { enableCodeCache } from "../io.ts";

const usage = `Usage: vitrine search [--store DIR] [--locale L] <words…> [--explain] [--why-not H] [--json]

Searches the store, with the rules of search/. The last word may be incomplete.
  --store DIR   folder of the store (default: the current folder)
  --locale L    language (default: that of the store)
  --explain     show the rules of the query, and the points of each result
  --why-not H   show why the product with the handle H does not rank higher
  --json        print one JSON object per result; with --explain, one of kind "query" first`;

const options = { store: text, locale: text, explain: flag, "why-not": text, json: flag };

/** Runs `vitrine search`. The exit code is 1 if there are no results. */
export const run = defineCommand(usage, options, async ({ values, positionals }, io) => {
  const words = positionals.join(" ").trim();
  if (words === "") throw new UsageError("name the words to search.");
  const { store = ".", locale, explain = false, json = false, "why-not": comparedHandle } = values;
  const storeDir = resolve(io.cwd, store);
  enableCodeCache(storeDir);
  const { searchStore } = await import("../search-store.ts");
  return searchStore(storeDir, { words, locale, isExplained: explain, comparedHandle, isJson: json }, io);
});
