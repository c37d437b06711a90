import { readPackageVersion } from "../../runtime/package-version.ts";
import type { ConnectedVersion, SqlRow } from "../database.ts";
import { LATEST_VERSION } from "../schema-version.ts";

/** Returns the name under which PostgreSQL lists the connections of this process. */
export function formatApplicationName(): string {
  return `vitrine ${readPackageVersion()} schema ${LATEST_VERSION}`;
}

/**
 * Query for the names of the processes that use the database. A server sends a statement at least once a second. Idle
 * connections are ignored, because a pooler keeps those of stopped servers.
 */
export const applicationNamesSql = `SELECT DISTINCT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user
  AND (state <> 'idle' OR state_change > clock_timestamp() - INTERVAL '15 seconds')`;

/** Parses the rows of `applicationNamesSql`. Other programs are ignored. */
export function parseConnectedVersions(rows: readonly SqlRow[]): readonly ConnectedVersion[] {
  return rows.flatMap(({ name }) => {
    const [, version, schemaVersion] = /^vitrine (\S+) schema (\d+)$/.exec(String(name)) ?? [];
    return version === undefined ? [] : [{ version, schemaVersion: Number(schemaVersion) }];
  });
}
