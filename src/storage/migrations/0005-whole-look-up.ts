/** Puts variants back into the look-up that imports before this version took out: where one was stopped while it deleted what it had
 *  replaced, the next one deleted variants that the product has again. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // "variant_ids" is a list with an id a line; what is cut off from its end is a line each time.
  `INSERT INTO catalog_variants (variant_id, product_id)
    WITH RECURSIVE cut (product_id, list, before) AS (
      SELECT id, variant_ids, RTRIM(variant_ids, REPLACE(variant_ids, '\n', '')) FROM catalog_rows WHERE variant_ids <> ''
      UNION
      SELECT product_id, SUBSTR(before, 1, LENGTH(before) - 1),
          RTRIM(SUBSTR(before, 1, LENGTH(before) - 1), REPLACE(before, '\n', ''))
        FROM cut WHERE before <> ''
    )
    SELECT SUBSTR(list, LENGTH(before) + 1), product_id FROM cut WHERE list <> '' ON CONFLICT DO NOTHING`,
];
