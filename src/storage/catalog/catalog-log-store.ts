import type { CatalogLogDetails, CatalogLogEntry, ChangeActor } from "../../catalog/catalog-log.ts";
import type { LogPosition } from "../../catalog/catalog-records.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import type { Database, SqlRow, Statement } from "../database.ts";
import { purgeRows } from "../purging.ts";

/** Time in milliseconds after which an entry is deleted: 90 days. */
const ENTRY_LIFETIME_MS = 90 * DAY_MS;

/** Adds an entry to the log.  @param id unique ID; an entry with this ID is not added again */
export function insertCatalogLogEntry({ id, at, by, operation, details }: CatalogLogEntry): Statement {
  return {
    sql: `INSERT INTO catalog_log (id, at, source, token_id, token_name, operation, details)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
    params: [id, at, by.source, by.token?.id ?? null, by.token?.name ?? null, operation, JSON.stringify(details)],
  };
}

/**
 * Reads log entries, newest first.
 * @param before last entry of the previous page. Default: the first page
 */
export async function readCatalogLog(
  database: Database,
  { limit, before }: { readonly limit: number; readonly before?: LogPosition | undefined },
): Promise<readonly CatalogLogEntry[]> {
  const cursorClause = before === undefined ? "" : " WHERE (at, id) < ($2, $3)";
  const rows = await database.read(
    `SELECT id, at, source, token_id, token_name, operation, details FROM catalog_log${cursorClause} ORDER BY at DESC, id DESC LIMIT $1`,
    [limit, ...(before === undefined ? [] : [before.at, before.id])],
  );
  return rows.map(({ id, at, operation, details, ...actor }) => ({
    id: String(id),
    at: Number(at),
    by: readActor(actor),
    ...({ operation, details: JSON.parse(String(details)) } as CatalogLogDetails),
  }));
}

/** Reads the author of a change from a row of a log. */
export function readActor({ source, token_id, token_name }: SqlRow): ChangeActor {
  return {
    source: String(source) as ChangeActor["source"],
    ...(token_id == null ? {} : { token: { id: String(token_id), name: String(token_name) } }),
  };
}

/** Deletes entries that are older than 90 days. */
export function purgeCatalogLog(database: Database, now: number): Promise<number> {
  return purgeRows(database, {
    table: "catalog_log",
    keyColumns: ["id"],
    conditionSql: "at < $1",
    boundValue: now - ENTRY_LIFETIME_MS,
  });
}
