import { randomBytes } from "node:crypto";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { migrateOpen, openDatabase, sourceOf } from "../../src/storage/open-database.ts";
import { query } from "./postgres-server.ts";

/** Names a PostgreSQL server on which the tests are to run; absent: they run on SQLite. */
export const serverVariable = "VITRINE_TEST_POSTGRES";
/** Names a folder with an SQLite file that has the schema; absent: each shop makes its own. */
export const schemaVariable = "VITRINE_TEST_SCHEMA";

/** Of a database that has the schema, on the server under test. */
const template = "with_schema";

/** A database on the server under test, as `createApp` takes it, with the schema alone; nothing where the tests run on SQLite. */
export async function freshDatabase(): Promise<{ readonly databaseUrl?: string }> {
  const server = process.env[serverVariable];
  if (server === undefined) return {};
  const name = `test_${randomBytes(8).toString("hex")}`;
  await query(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return { databaseUrl: urlOf(server, name) };
}

/** Gives a store its SQLite file with the schema, where one was made before: dozens of transactions take longer than a copy. */
export async function putSchema(storeDir: string): Promise<void> {
  const folder = process.env[schemaVariable];
  if (folder === undefined || process.env[serverVariable] !== undefined) return;
  await mkdir(join(storeDir, "data"), { mode: 0o700, recursive: true });
  await copyFile(join(folder, "vitrine.db"), join(storeDir, "data", "vitrine.db"));
}

/** Makes what `freshDatabase` copies. @param server where PostgreSQL is */
export async function makeTemplate(server: string): Promise<void> {
  await query(server, `CREATE DATABASE ${template}`);
  await makeSchema("", urlOf(server, template));
}

/** Brings a database to this version's schema: the SQLite file of a folder, or another by its address. */
export async function makeSchema(folder: string, url?: string): Promise<void> {
  const source = sourceOf(folder, url);
  const database = await openDatabase(source);
  await migrateOpen(database, source);
  await database.close();
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
