import { forgetSearches } from "../../storage/signals/forget-signals.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { openCommandStore } from "../store-database.ts";

const usage = `Usage: vitrine forget [--store DIR] <words…>
       vitrine forget [--store DIR] --all

Deletes searches of these words, and the clicks after them. A running server applies it within a minute.
  --store DIR  folder of the store (default: the current folder)
  --all        delete all searches and clicks`;

/** Runs `vitrine forget`. */
export const run = defineCommand(usage, { store: text, all: flag }, async ({ values, positionals }, io) => {
  const words = positionals.join(" ").trim();
  if ((words !== "") === (values.all ?? false))
    throw new UsageError("name the words that were searched, or give --all.");
  await using store = await openCommandStore(io, values.store);
  const { terms, clicks } = await forgetSearches(store.database, values.all ? undefined : words);
  io.stdout.write(`Deleted: ${terms} search terms, ${clicks} clicks.\n`);
  return 0;
});
