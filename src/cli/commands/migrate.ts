import { readSchemaVersion } from "../../storage/schema-version.ts";
import { defineCommand, text } from "../arguments.ts";
import { openCommandStore } from "../store-database.ts";

const usage = `Usage: vitrine migrate [--store DIR]

Updates the tables of the database to this version. Without it, the first server of a new version does so at its start.
Servers of the last release continue meanwhile.
  --store DIR  folder of the store (default: the current folder)`;

/** Runs `vitrine migrate`. */
export const run = defineCommand(usage, { store: text }, async ({ values }, io) => {
  // Every command that opens the database updates its tables first.
  await using store = await openCommandStore(io, values.store);
  const { schemaVersion } = await readSchemaVersion(store.database);
  io.stdout.write(`The tables are at version ${schemaVersion}.\n`);
  return 0;
});
