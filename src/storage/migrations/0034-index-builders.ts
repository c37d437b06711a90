/** Only servers that were built for this schema version or a later one can use the database after this migration. */
export const compatibleFrom = 28;

/** Adds the builders of shared search indexes, and the rollback of the catalog. Valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // "id" identifies the settings and the code on which an index depends. "revision" is the catalog revision of the last
  // shared index: 0 before the first one, -1 while the builder cannot share its index.
  `CREATE TABLE index_builders (
    id TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    revision BIGINT NOT NULL DEFAULT 0
  )`,
  // The row exists during a rollback. All servers then show this revision of the catalog.
  "CREATE TABLE catalog_rollback (id BIGINT PRIMARY KEY CHECK (id = 1), revision BIGINT NOT NULL)",
];
