import { randomBytes } from "node:crypto";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { locateDatabase, migrateOpenDatabase, openDatabase } from "../../src/storage/open-database.ts";
import { query, startPostgres } from "./postgres-server.ts";

/** Environment variable with the URL of a PostgreSQL server for the tests. Default: SQLite. */
export const serverVariable = "VITRINE_TEST_POSTGRES";
/** Environment variable with the URL of a PostgreSQL server that tests on SQLite may use, too. */
export const sharedServerVariable = "VITRINE_TEST_SHARED_POSTGRES";
/**
 * Environment variable with a folder that has an SQLite file with the schema. Default: each shop creates the schema.
 */
export const schemaVariable = "VITRINE_TEST_SCHEMA";

/** Environment variable that puts the carts of each shop into two more PostgreSQL databases, if it is set. */
const cartDatabasesVariable = "VITRINE_TEST_CART_DATABASES";

/** Name of the database with the schema, on the server under test. */
const template = "with_schema";

/** Creates a database with the schema on the server under test.  @returns options for `createApp`; empty for SQLite */
export async function freshDatabase(): Promise<{ readonly databaseUrl?: string; readonly cartDatabaseUrls?: string }> {
  const server = process.env[serverVariable];
  if (server === undefined) return {};
  const databaseUrl = await copyTemplate(server);
  if (process.env[cartDatabasesVariable] === undefined) return { databaseUrl };
  return { databaseUrl, cartDatabaseUrls: `a=${await copyTemplate(server)} b=${await copyTemplate(server)}` };
}

/** Creates a database with the schema on a server.  @returns its URL */
export async function copyTemplate(server: string): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  // Copying pages through the log takes twice the processor time.
  await query(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return urlOf(server, name);
}

/** Creates an empty database on the server under test.  @returns its URL; undefined for SQLite */
export async function emptyDatabase(): Promise<string | undefined> {
  const server = process.env[serverVariable];
  return server === undefined ? undefined : createEmptyDatabase(server);
}

/** Creates an empty database on a server.  @returns its URL */
export async function createEmptyDatabase(server: string): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await query(server, `CREATE DATABASE ${name}`);
  return urlOf(server, name);
}

/**
 * Returns the URL of a PostgreSQL server for all tests of a file, which must not stop it: a server that other files use,
 * too, or else one that runs until the end of the file.
 */
export async function takePostgres(): Promise<string> {
  const server = process.env[serverVariable] ?? process.env[sharedServerVariable];
  if (server !== undefined) return server;
  const postgres = await startPostgres();
  after(() => postgres.remove());
  return postgres.url;
}

/** Copies the SQLite file with the schema into a store, if one exists: a copy is faster than dozens of transactions. */
export async function putSchema(storeDir: string): Promise<void> {
  const folder = process.env[schemaVariable];
  if (folder === undefined || process.env[serverVariable] !== undefined) return;
  await mkdir(join(storeDir, "data"), { mode: 0o700, recursive: true });
  await copyFile(join(folder, "vitrine.db"), join(storeDir, "data", "vitrine.db"));
}

/** Creates the database that `freshDatabase` copies.  @param server URL of PostgreSQL */
export async function makeTemplate(server: string): Promise<void> {
  await query(server, `CREATE DATABASE ${template}`);
  await makeSchema("", urlOf(server, template));
}

/** Migrates a database to the current schema: the SQLite file of a folder, or the database at `url`. */
export async function makeSchema(folder: string, url?: string): Promise<void> {
  const source = locateDatabase(folder, url);
  const database = await openDatabase(source);
  await migrateOpenDatabase(database, source);
  await database.close();
}

/** Returns the statements that create an empty database as it was before 0.1.0, with schema version 28. */
export async function oldestSchema(): Promise<readonly string[]> {
  const schema = await readFile(new URL("../../src/storage/schema.sql", import.meta.url), "utf8");
  const statements = schema.replaceAll(/--.*$/gm, "").split(/;\s*$/m);
  return [
    ...statements.filter((statement) => statement.trim() !== ""),
    "CREATE TABLE schema_versions (version BIGINT PRIMARY KEY)",
    "INSERT INTO schema_versions (version) VALUES (28)",
  ];
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
