import type { Connections } from "./connections.ts";

/**
 * Creates an index without blocking writes. PostgreSQL cannot do this in a transaction, so a second connection holds
 * the migration lock in the meantime.
 * @param lockSql statement that takes the lock and holds it until the end of its transaction
 * @param sql "CREATE INDEX IF NOT EXISTS name ON …"
 */
export async function createIndexConcurrently(
  pool: Connections,
  startDeadline: () => number,
  lockSql: string,
  sql: string,
): Promise<void> {
  const [, name] = /^CREATE INDEX IF NOT EXISTS (\w+) ON /.exec(sql) ?? [];
  await pool.use(startDeadline(), async (lockClient) => {
    try {
      await lockClient.query(lockSql);
      await pool.use(startDeadline(), async (indexClient) => {
        // An interrupted CREATE INDEX CONCURRENTLY leaves an invalid index, which must be dropped first.
        const { rowCount } = await indexClient.query(
          "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid",
          [name],
        );
        if (rowCount === 1) await indexClient.query(`DROP INDEX CONCURRENTLY ${name}`);
        await indexClient.query(sql.replace("CREATE INDEX", "CREATE INDEX CONCURRENTLY"));
      });
    } finally {
      await lockClient.query("ROLLBACK");
    }
  });
}
