/** Only servers that were built for this schema version or a later one can use the database after this migration. */
export const compatibleFrom = 28;

/** Adds the index of test orders. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  "CREATE INDEX IF NOT EXISTS test_orders ON orders (created_at) WHERE is_test = 1",
];
