import type { Database, SqlValue } from "./database.ts";

/** Rows deleted at once: a few milliseconds of the database's time. */
const BATCH = 200;
/** Milliseconds in between, for others. */
const REST_MS = 20;

/** Rows to be deleted. */
export interface Sweep {
  readonly table: string;
  /** Columns of its primary key. */
  readonly key: readonly string[];
  /** A condition on `$1`. */
  readonly where: string;
  readonly bound: SqlValue;
}

/** Deletes until nothing is left to delete, in batches between which others write. For conditions that an index answers, the
 *  rows of which are few at a time. @returns how many rows were deleted */
export async function purgeRows(database: Database, { table, key, where, bound }: Sweep): Promise<number> {
  const columns = key.join(", ");
  // The condition is asked again outside, for a row that is written to meanwhile.
  const sql = `DELETE FROM ${table} WHERE ${where} AND (${columns}) IN
    (SELECT ${columns} FROM ${table} WHERE ${where} LIMIT ${BATCH}) RETURNING ${columns}`;
  for (let swept = 0; ; ) {
    const [rows = []] = await database.write([{ sql, params: [bound] }]);
    swept += rows.length;
    if (rows.length < BATCH) return swept;
    await rest();
  }
}

/** The same along the primary key, so that no batch meets what those before it have deleted: for millions of rows. */
export async function sweepInOrder(database: Database, { table, key, where, bound }: Sweep): Promise<void> {
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
