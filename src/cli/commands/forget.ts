import { resolve } from "node:path";
import { forgetSearches } from "../../storage/signals/forget-signals.ts";
import { readArguments, reportWrongUsage } from "../arguments.ts";
import type { CommandIo } from "../io.ts";
import { openStore } from "../store-database.ts";

const usage = `Usage: vitrine forget [--store DIR] <words…>
       vitrine forget [--store DIR] --all

Deletes searches of these words, and the clicks after them. A running server applies it within a minute.
  --store DIR  folder of the store (default: the current folder)
  --all        delete all searches and clicks`;

/** Runs `vitrine forget`. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const parsedArguments = readArguments(args, { store: { type: "string" }, all: { type: "boolean" } }, usage, io);
  if (typeof parsedArguments === "number") return parsedArguments;
  const { store = ".", all = false } = parsedArguments.values;
  const words = parsedArguments.positionals.join(" ").trim();
  if ((words !== "") === all) return reportWrongUsage("name the words that were searched, or give --all.", usage, io);
  const { database } = await openStore(resolve(io.cwd, String(store)), io.env.DATABASE_URL);
  try {
    const { terms, clicks } = await forgetSearches(database, all ? undefined : words);
    io.stdout.write(`Deleted: ${terms} search terms, ${clicks} clicks.\n`);
    return 0;
  } finally {
    await database.close();
  }
}
