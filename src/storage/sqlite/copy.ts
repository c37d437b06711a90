import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isNotFound } from "../../not-found.ts";
import { SetupError } from "../../setup-error.ts";
import type { SqlRow } from "../database.ts";
import { type DatabaseFacts, readDatabaseFacts } from "../database-facts.ts";
import { explainSqliteError, isSqliteFull } from "./errors.ts";
import { openReadOnlyFile, readFileIdentity } from "./files.ts";

/** Maximum milliseconds to wait for a lock of the server. */
const BUSY_TIMEOUT_MS = 15_000;

/**
 * Copies an SQLite file, also while a server writes to it. The copy is a consistent snapshot without remains of deleted
 * rows. Blocks the thread.
 * @param targetFile path of the copy, in an existing folder; must not exist. Only its owner can read it
 * @throws SetupError if there is no database, or if it cannot be read or copied
 */
export function copySqlite(file: string, targetFile: string): void {
  const missingError = `${file}: the store has no database yet. Start it with "vitrine serve", or set DATABASE_URL.`;
  if (readFileIdentity(file) === undefined) throw new SetupError(missingError);
  // Create the file first: SQLite would create it with permissions for everyone, but also writes into an empty file.
  closeSync(openSync(targetFile, "wx", 0o600));
  try {
    using database = openReadOnlyFile(file, BUSY_TIMEOUT_MS).database;
    // A first start or import that failed leaves a database without tables.
    if (database.prepare("SELECT 1 FROM sqlite_schema").get() === undefined) throw new SetupError(missingError);
    database.prepare("VACUUM INTO ?").run(targetFile);
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(
      `the database cannot be copied: ${explainSqliteError(isSqliteFull(error) ? targetFile : file, error)}`,
    );
  }
}

/**
 * Reads the schema version, the catalog revision, and the row counts of an SQLite file that no other process uses.
 * @throws SetupError if the file is damaged, or is not a database of Vitrine
 */
export async function readSqliteFacts(file: string): Promise<DatabaseFacts> {
  try {
    using database = new DatabaseSync(file, { readOnly: true, defensive: true });
    return await readDatabaseFacts((sql) => database.prepare(sql).all() as unknown as readonly SqlRow[], tablesSql);
  } catch (error) {
    if (isNotFound(error)) throw error;
    throw new SetupError(`the copy of the database cannot be read: ${explainSqliteError(file, error)}`);
  }
}

const tablesSql =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name";
