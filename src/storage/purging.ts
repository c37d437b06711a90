import type { Database, SqlValue } from "./database.ts";

/** Rows per statement: a few milliseconds of the database's time. */
const BATCH = 200;
/** Milliseconds between statements, for other writes. */
const REST_MS = 20;

/** Rows to delete. */
export interface RowsToPurge {
  readonly table: string;
  /** Columns of its primary key. */
  readonly key: readonly string[];
  /** A condition on `$1`. */
  readonly where: string;
  readonly bound: SqlValue;
}

/**
 * Deletes all matching rows, in batches with pauses for other writes. Use it for conditions on an index with few
 * matching rows.
 * @returns the number of deleted rows
 */
export async function purgeRows(database: Database, { table, key, where, bound }: RowsToPurge): Promise<number> {
  const columns = key.join(", ");
  // The outer condition is for rows that change between the two reads.
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
 * Deletes in the order of the primary key, so that no batch reads over rows that earlier ones deleted: for millions of
 * rows.
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
