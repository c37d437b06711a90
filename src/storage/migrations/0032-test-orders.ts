/** Only servers that were built for this schema version or a later one can use the database after this migration. */
export const compatibleFrom = 28;

/** Adds a column that marks test orders. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // 1 for a test order, which the merchant placed from the console.
  "ALTER TABLE orders ADD COLUMN is_test BIGINT NOT NULL DEFAULT 0",
];
