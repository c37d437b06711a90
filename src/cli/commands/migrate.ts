import { parseCartDatabaseUrls } from "../../storage/cart-databases/cart-database-urls.ts";
import { migrateCartDatabases } from "../../storage/cart-databases/open-cart-databases.ts";
import { readSchemaVersion } from "../../storage/schema-version.ts";
import { defineCommand, text } from "../arguments.ts";
import { openCommandStore } from "../store-database.ts";

const usage = `Usage: vitrine migrate [--store DIR]

Updates the tables of the database to this version. Without it, the first server of a new version does so at its start.
Servers of the last release continue meanwhile.
  --store DIR  folder of the store (default: the current folder)
Environment: DATABASE_URL, CART_DATABASE_URLS.`;

/** Runs `vitrine migrate`. */
export const run = defineCommand(usage, { store: text }, async ({ values }, io) => {
  // Every command that opens the database updates its tables first.
  await using store = await openCommandStore(io, values.store);
  const { database, source } = store;
  const cartDatabases = parseCartDatabaseUrls(io.env.CART_DATABASE_URLS, source);
  await migrateCartDatabases(cartDatabases, { mainDatabase: database, log: { recurring: () => {} } });
  const { schemaVersion } = await readSchemaVersion(database);
  io.stdout.write(`The tables are at version ${schemaVersion}.\n`);
  return 0;
});
