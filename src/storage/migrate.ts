import { SetupError } from "../setup-error.ts";
import { type Database, DatabaseUnavailable, WriteConflict } from "./database.ts";
import { statements as firstSchema } from "./migrations/0001-first-schema.ts";
import { statements as appliedWrites } from "./migrations/0002-applied-writes.ts";
import { statements as discountUses } from "./migrations/0003-discount-uses.ts";
import { statements as catalogLookUps } from "./migrations/0004-catalog-look-ups.ts";
import { statements as wholeLookUp } from "./migrations/0005-whole-look-up.ts";
import { statements as lapsingUses } from "./migrations/0006-lapsing-uses.ts";
import { statements as keptAnswers } from "./migrations/0007-kept-answers.ts";
import { statements as checksumsAndProbe } from "./migrations/0008-checksums-and-probe.ts";
import { statements as searchesByNetwork } from "./migrations/0009-searches-by-network.ts";

/** In order; each is applied once and never changed after a release. */
const migrations: readonly (readonly string[])[] = [
  firstSchema,
  appliedWrites,
  discountUses,
  catalogLookUps,
  wholeLookUp,
  lapsingUses,
  keptAnswers,
  checksumsAndProbe,
  searchesByNetwork,
];

/** Brings a database to this version's schema; several processes may try at once. Writes nothing where it is there already.
 *  @throws SetupError for a database of a newer version */
export async function migrate(database: Database): Promise<void> {
  const version = await versionOf(database);
  if (version > migrations.length) {
    throw new SetupError(
      `the database was made by a newer version of Vitrine (its schema is ${version}, this one knows ${migrations.length}). Use that version, or restore a backup.`,
    );
  }
  if (version === 0) {
    await database.write([
      // Two that create one table at once would trip over each other, "IF NOT EXISTS" or not.
      ...database.alone,
      { sql: "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY)", params: [] },
    ]);
  }
  for (const [index, statements] of migrations.entries()) {
    if (index < version) continue;
    await apply(database, index + 1, statements);
  }
}

/** @returns 0 for an empty database */
async function versionOf(database: Database): Promise<number> {
  try {
    const [row] = await database.read("SELECT COALESCE(MAX(version), 0) AS version FROM schema_versions");
    return Number(row?.version);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    return 0;
  }
}

async function apply(database: Database, version: number, statements: readonly string[]): Promise<void> {
  try {
    await database.write([
      ...database.alone,
      {
        sql: "INSERT INTO schema_versions (version) VALUES ($1) ON CONFLICT (version) DO NOTHING",
        params: [version],
        requireRows: 1,
      },
      ...statements.map((sql) => ({ sql, params: [] })),
    ]);
  } catch (error) {
    // Another process was first.
    if (!(error instanceof WriteConflict)) throw error;
  }
}
