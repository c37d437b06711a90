/** Keys of the catalogue's tables as indexes of their own, so that a first import can make them when its rows are there. Valid in SQLite and
 *  PostgreSQL alike. */
export const statements: readonly string[] = [
  "ALTER TABLE catalog_rows RENAME TO catalog_rows_before",
  `CREATE TABLE catalog_rows (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    revision BIGINT NOT NULL,
    position BIGINT NOT NULL,
    deleted BIGINT NOT NULL,
    handle TEXT NOT NULL,
    variant_ids TEXT NOT NULL,
    data TEXT NOT NULL
  )`,
  `INSERT INTO catalog_rows (kind, id, revision, position, deleted, handle, variant_ids, data)
    SELECT kind, id, revision, position, deleted, handle, variant_ids, data FROM catalog_rows_before ORDER BY revision, position`,
  // With it go its indexes, whose names are used again.
  "DROP TABLE catalog_rows_before",
  "CREATE UNIQUE INDEX catalog_rows_key ON catalog_rows (kind, id, revision)",
  "CREATE INDEX catalog_rows_position ON catalog_rows (position)",
  "CREATE INDEX catalog_rows_revision ON catalog_rows (revision, position)",
  "CREATE INDEX catalog_rows_handle ON catalog_rows (kind, handle)",
  "CREATE INDEX catalog_rows_deleted ON catalog_rows (kind, id) WHERE deleted = 1",

  "ALTER TABLE catalog_variants RENAME TO catalog_variants_before",
  "CREATE TABLE catalog_variants (variant_id TEXT NOT NULL, product_id TEXT NOT NULL)",
  "INSERT INTO catalog_variants (variant_id, product_id) SELECT variant_id, product_id FROM catalog_variants_before",
  "DROP TABLE catalog_variants_before",
  "CREATE UNIQUE INDEX catalog_variants_key ON catalog_variants (variant_id, product_id)",
];
