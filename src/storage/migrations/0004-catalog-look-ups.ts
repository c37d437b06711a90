/** What makes a small change of a large catalogue cheap: finding rows by handle and variant, and telling revisions apart.
 *  Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // A revision's number comes again where a backup was restored; its token does not. What is kept beside the database is known by it.
  "CREATE TABLE catalog_revisions (revision BIGINT PRIMARY KEY, token TEXT NOT NULL)",

  "CREATE INDEX catalog_rows_handle ON catalog_rows (kind, handle)",
  // Removals are few: counting them must not read all rows.
  "CREATE INDEX catalog_rows_deleted ON catalog_rows (kind, id) WHERE deleted = 1",

  // Which products have had a variant: more than have it now, so the product's row is asked before it is believed.
  "CREATE TABLE catalog_variants (variant_id TEXT NOT NULL, product_id TEXT NOT NULL, PRIMARY KEY (variant_id, product_id))",
  // "variant_ids" is a list with an id a line; what is cut off from its end is a line each time.
  `INSERT INTO catalog_variants (variant_id, product_id)
    WITH RECURSIVE cut (product_id, list, before) AS (
      SELECT id, variant_ids, RTRIM(variant_ids, REPLACE(variant_ids, '\n', '')) FROM catalog_rows WHERE variant_ids <> ''
      UNION
      SELECT product_id, SUBSTR(before, 1, LENGTH(before) - 1),
          RTRIM(SUBSTR(before, 1, LENGTH(before) - 1), REPLACE(before, '\n', ''))
        FROM cut WHERE before <> ''
    )
    SELECT DISTINCT SUBSTR(list, LENGTH(before) + 1), product_id FROM cut`,
];
