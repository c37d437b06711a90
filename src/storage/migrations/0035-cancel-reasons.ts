/** Only servers that were built for this schema version or a later one can use the database after this migration. */
export const compatibleFrom = 28;

/** Adds a column with the reason of canceled orders. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // "customer", "declined", "fraud", "inventory", "staff", or "other"; NULL without a reason.
  "ALTER TABLE orders ADD COLUMN cancel_reason TEXT",
];
