/** Only servers that were built for this schema version or a later one can use the database after this migration. */
export const compatibleFrom = 28;

/** Adds the currency of the prices of the catalog. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // ISO 4217 code; empty until it is known.
  "ALTER TABLE catalog_state ADD COLUMN currency TEXT NOT NULL DEFAULT ''",
];
