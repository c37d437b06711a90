import { setTimeout } from "node:timers/promises";
import { SetupError } from "../setup-error.ts";
import { type Database, DatabaseUnavailable, LockTaken, WriteConflict } from "./database.ts";
import { statements as firstSchema } from "./migrations/0001-first-schema.ts";
import { statements as appliedWrites } from "./migrations/0002-applied-writes.ts";
import { statements as discountUses } from "./migrations/0003-discount-uses.ts";
import { statements as catalogLookUps } from "./migrations/0004-catalog-look-ups.ts";
import { statements as wholeLookUp } from "./migrations/0005-whole-look-up.ts";
import { statements as lapsingUses } from "./migrations/0006-lapsing-uses.ts";
import { statements as keptAnswers } from "./migrations/0007-kept-answers.ts";
import { statements as checksumsAndProbe } from "./migrations/0008-checksums-and-probe.ts";
import { statements as searchesByNetwork } from "./migrations/0009-searches-by-network.ts";
import { statements as searchChoices } from "./migrations/0010-search-choices.ts";
import { statements as indexesApart } from "./migrations/0011-indexes-apart.ts";
import { statements as contacts } from "./migrations/0012-contacts.ts";
import { statements as apiTokens } from "./migrations/0013-api-tokens.ts";
import { statements as stockLevels } from "./migrations/0014-stock-levels.ts";
import { statements as approvedComments } from "./migrations/0015-approved-comments.ts";
import { statements as checkouts } from "./migrations/0016-checkouts.ts";
import { statements as orderChanges } from "./migrations/0017-order-changes.ts";
import { statements as eventDeliveries } from "./migrations/0018-event-deliveries.ts";
import { statements as lowStock } from "./migrations/0019-low-stock.ts";
import { statements as shipments } from "./migrations/0020-shipments.ts";
import { statements as searchDays } from "./migrations/0021-search-days.ts";
import { statements as consoleRules } from "./migrations/0022-console-rules.ts";
import { statements as purchases } from "./migrations/0023-purchases.ts";
import { statements as refundsAndReservations } from "./migrations/0024-refunds-and-reservations.ts";

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
  searchChoices,
  indexesApart,
  contacts,
  apiTokens,
  stockLevels,
  approvedComments,
  checkouts,
  orderChanges,
  eventDeliveries,
  lowStock,
  shipments,
  searchDays,
  consoleRules,
  purchases,
  refundsAndReservations,
];

/** Milliseconds between looks at whether another process is done. */
const WAIT_MS = 250;

/** Brings a database to this version's schema. Of several processes one does it and the others wait, as long as it takes. Writes
 *  nothing where it is there already.
 *  @param onWait told once, where another is doing it  @throws SetupError for a database of a newer version */
export async function migrate(database: Database, onWait?: () => void): Promise<void> {
  let hasTold = false;
  while (await needsMigration(database)) {
    try {
      await applyNext(database);
    } catch (error) {
      if (!(error instanceof LockTaken)) throw error;
      if (!hasTold) onWait?.();
      hasTold = true;
      await setTimeout(WAIT_MS);
    }
  }
}

/** @throws SetupError for a database of a newer version */
export async function needsMigration(database: Database): Promise<boolean> {
  const version = await versionOf(database);
  if (version <= migrations.length) return version < migrations.length;
  throw new SetupError(
    `the database was made by a newer version of Vitrine (its schema is ${version}, this one knows ${migrations.length}). Use that version, or restore a backup.`,
  );
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

async function applyNext(database: Database): Promise<void> {
  const version = await versionOf(database);
  // Another process has brought it to its end meanwhile.
  if (version >= migrations.length) return;
  if (version === 0) {
    await database.write([
      // Two that create one table at once would trip over each other, "IF NOT EXISTS" or not.
      ...database.alone,
      { sql: "CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY)", params: [] },
    ]);
  }
  try {
    await database.write([
      ...database.alone,
      {
        sql: "INSERT INTO schema_versions (version) VALUES ($1) ON CONFLICT (version) DO NOTHING",
        params: [version + 1],
        requireRows: 1,
      },
      ...(migrations[version] ?? []).map((sql) => ({ sql, params: [] })),
    ]);
  } catch (error) {
    // Another process was first.
    if (!(error instanceof WriteConflict)) throw error;
  }
}
