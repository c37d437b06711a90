import { resolve } from "node:path";
import { readSchemaVersion } from "../../storage/schema-version.ts";
import { readArguments } from "../arguments.ts";
import type { CommandIo } from "../io.ts";
import { openStore } from "../store-database.ts";

const usage = `Usage: vitrine migrate [--store DIR]

Updates the tables of the database to this version. Without it, the first server of a new version does so at its start.
Servers of the last release continue meanwhile.
  --store DIR  folder of the store (default: the current folder)`;

/** Runs `vitrine migrate`. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const parsedArguments = readArguments(args, { store: { type: "string" } }, usage, io);
  if (typeof parsedArguments === "number") return parsedArguments;
  const { store = "." } = parsedArguments.values;
  // Every command that opens the database updates its tables first.
  const { database } = await openStore(resolve(io.cwd, String(store)), io.env.DATABASE_URL);
  try {
    const { schemaVersion } = await readSchemaVersion(database);
    io.stdout.write(`The tables are at version ${schemaVersion}.\n`);
    return 0;
  } finally {
    await database.close();
  }
}
