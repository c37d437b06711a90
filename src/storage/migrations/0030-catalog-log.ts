/** Only servers that were built for this schema version or a later one can use the database after this migration. */
export const compatibleFrom = 28;

/** Adds the log of changes of the catalog and of stock. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // "operation" is "catalog" or "stock", and "details" contains the first changes as JSON. "source" is "api",
  // "console", "command_line", or "files".
  `CREATE TABLE catalog_log (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    source TEXT NOT NULL,
    token_id TEXT,
    token_name TEXT,
    operation TEXT NOT NULL,
    details TEXT NOT NULL
  )`,
  "CREATE INDEX catalog_log_by_time ON catalog_log (at, id)",
];
