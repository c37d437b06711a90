/** What is left of variants whose stock moved since the catalogue told it. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // "quantity" is on hand: what the catalogue said, less what was sold, with corrections; "held" of it is set apart for checkouts under
  // way. "changed" is the number of the change. Of a variant without a row the catalogue's "inventory_quantity" counts.
  `CREATE TABLE stock_levels (
    variant_id TEXT PRIMARY KEY,
    quantity BIGINT NOT NULL,
    held BIGINT NOT NULL DEFAULT 0,
    changed BIGINT NOT NULL
  )`,
  "CREATE INDEX stock_levels_changed ON stock_levels (changed)",

  // One row. Who changes stock moves it first, and so waits for whoever did before: numbers are committed in their order.
  "CREATE TABLE stock_sequence (id BIGINT PRIMARY KEY CHECK (id = 1), number BIGINT NOT NULL)",
  "INSERT INTO stock_sequence (id, number) VALUES (1, 0)",

  // What an import under way will set when it is published.
  "CREATE TABLE stock_staged (variant_id TEXT PRIMARY KEY, quantity BIGINT NOT NULL)",
];
