/** When an order last changed, and when it was cancelled. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  "ALTER TABLE orders ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0",
  // Of orders that were cancelled before, it is not known.
  "ALTER TABLE orders ADD COLUMN cancelled_at BIGINT",
  "UPDATE orders SET updated_at = created_at",
  "CREATE INDEX orders_by_change ON orders (updated_at, number)",
];
