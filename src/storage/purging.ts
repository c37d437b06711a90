import type { Database, SqlValue } from "./database.ts";

/** Rows per statement, which takes the database a few milliseconds. */
const BATCH = 200;
/** Milliseconds between two statements, for the writes of others. */
const REST_MS = 20;

/** Selects rows to delete. */
export interface RowsToPurge {
  readonly table: string;
  /** Columns of the table's primary key. */
  readonly key: readonly string[];
  /** SQL condition that contains `$1`. */
  readonly where: string;
  readonly bound: SqlValue;
}

/**
 * Deletes all matching rows, in batches with pauses for other writes. The condition should use an index and match few
 * rows.
 * @returns the number of deleted rows
 */
export async function purgeRows(database: Database, { table, key, where, bound }: RowsToPurge): Promise<number> {
  const columns = key.join(", ");
  // The outer condition excludes rows that change between the two reads.
  const sql = `DELETE FROM ${table} WHERE ${where} AND (${columns}) IN
    (SELECT ${columns} FROM ${table} WHERE ${where} LIMIT ${BATCH}) RETURNING ${columns}`;
  for (let swept = 0; ; ) {
    const [rows = []] = await database.write([{ sql, params: [bound] }]);
    swept += rows.length;
    if (rows.length < BATCH) return swept;
    await rest();
  }
}

/**
 * Deletes all matching rows in the order of the primary key, for millions of rows. No batch reads over rows that
 * earlier batches deleted.
 */
export async function purgeRowsInOrder(database: Database, { table, key, where, bound }: RowsToPurge): Promise<void> {
  const columns = key.join(", ");
  const placesFrom = (first: number): string => key.map((_, index) => `$${first + index}`).join(", ");
  const isAfter = `(${columns}) > (${placesFrom(2)})`;
  let after: readonly SqlValue[] | undefined;
  for (;;) {
    const start = after === undefined ? "" : ` AND ${isAfter}`;
    const params = [bound, ...(after ?? [])];
    const [last] = await database.read(
      `SELECT ${columns} FROM ${table} WHERE ${where}${start} ORDER BY ${columns} LIMIT 1 OFFSET ${BATCH - 1}`,
      params,
    );
    const to = last === undefined ? undefined : key.map((column) => last[column] ?? null);
    const end = to === undefined ? "" : ` AND (${columns}) <= (${placesFrom(params.length + 1)})`;
    await database.write([
      { sql: `DELETE FROM ${table} WHERE ${where}${start}${end}`, params: [...params, ...(to ?? [])] },
    ]);
    if (to === undefined) return;
    after = to;
    await rest();
  }
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, REST_MS));
}
