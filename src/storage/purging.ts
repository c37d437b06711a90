import { setTimeout } from "node:timers/promises";
import { type Database, formatPlaceholders, type SqlValue } from "./database.ts";

/** Rows per statement. A statement takes the database a few milliseconds. */
const BATCH_SIZE = 200;
/** Milliseconds to pause between two statements, so that other writes can run. */
const PAUSE_DURATION_MS = 20;

/** Selects rows to delete. */
export interface RowsToPurge {
  readonly table: string;
  /** Columns of the table's primary key. */
  readonly keyColumns: readonly string[];
  /** SQL condition with the parameter `$1`, which is `boundValue`. */
  readonly conditionSql: string;
  readonly boundValue: SqlValue;
}

/**
 * Deletes all matching rows, in batches with pauses for other writes. The condition should use an index and match few
 * rows.
 * @returns the number of deleted rows
 */
export async function purgeRows(
  database: Database,
  { table, keyColumns, conditionSql, boundValue }: RowsToPurge,
): Promise<number> {
  const columns = keyColumns.join(", ");
  // The condition is repeated, because a row may change after the subquery has read it.
  const sql = `DELETE FROM ${table} WHERE ${conditionSql} AND (${columns}) IN
    (SELECT ${columns} FROM ${table} WHERE ${conditionSql} LIMIT ${BATCH_SIZE}) RETURNING ${columns}`;
  for (let deletedCount = 0; ; ) {
    const [rows = []] = await database.write([{ sql, params: [boundValue] }]);
    deletedCount += rows.length;
    if (rows.length < BATCH_SIZE) return deletedCount;
    await setTimeout(PAUSE_DURATION_MS);
  }
}

/**
 * Deletes all matching rows in the order of the primary key. Suitable for millions of rows, because no batch scans the
 * rows that earlier batches deleted.
 */
export async function purgeRowsInOrder(
  database: Database,
  { table, keyColumns, conditionSql, boundValue }: RowsToPurge,
): Promise<void> {
  const columns = keyColumns.join(", ");
  const cursorCondition = `(${columns}) > (${formatPlaceholders(keyColumns.length, 2)})`;
  let lastKey: readonly SqlValue[] | undefined;
  for (;;) {
    const startConditionSql = lastKey === undefined ? "" : ` AND ${cursorCondition}`;
    const params = [boundValue, ...(lastKey ?? [])];
    const [lastRow] = await database.read(
      `SELECT ${columns} FROM ${table} WHERE ${conditionSql}${startConditionSql} ORDER BY ${columns} LIMIT 1 OFFSET ${BATCH_SIZE - 1}`,
      params,
    );
    const batchEndKey = lastRow === undefined ? undefined : keyColumns.map((column) => lastRow[column] ?? null);
    const endCondition =
      batchEndKey === undefined
        ? ""
        : ` AND (${columns}) <= (${formatPlaceholders(keyColumns.length, params.length + 1)})`;
    await database.write([
      {
        sql: `DELETE FROM ${table} WHERE ${conditionSql}${startConditionSql}${endCondition}`,
        params: [...params, ...(batchEndKey ?? [])],
      },
    ]);
    if (batchEndKey === undefined) return;
    lastKey = batchEndKey;
    await setTimeout(PAUSE_DURATION_MS);
  }
}
