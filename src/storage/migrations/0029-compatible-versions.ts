/** Only servers that were built for this schema version or a later one can use the database after this migration. */
export const compatibleFrom = 28;

/**
 * Adds, to each applied migration, its compatible schema version and the version of Vitrine that applied it. The SQL is
 * valid in SQLite and PostgreSQL.
 */
export const statements: readonly string[] = [
  "ALTER TABLE schema_versions ADD COLUMN compatible_from BIGINT",
  // Version of Vitrine that applied the migration.
  "ALTER TABLE schema_versions ADD COLUMN migrated_by TEXT",
];
