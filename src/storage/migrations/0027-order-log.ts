/**
 * Adds partial shipments, refunds, revisions, and search texts of orders, and a log of the changes of orders. The SQL is
 * valid in SQLite and PostgreSQL.
 */
export const statements: readonly string[] = [
  // The first two columns contain JSON lists; null means an empty list. The existing column "shipment" contains the
  // shipment that completes the order.
  "ALTER TABLE orders ADD COLUMN partial_shipments TEXT",
  "ALTER TABLE orders ADD COLUMN refunds TEXT",
  "ALTER TABLE orders ADD COLUMN revision BIGINT NOT NULL DEFAULT 1",
  // Email address and name of the customer, without case and accents. For orders that an earlier version of the
  // software stored, the value is null until the first search for orders.
  "ALTER TABLE orders ADD COLUMN search_text TEXT",
  "CREATE INDEX orders_by_search_text ON orders (search_text, number)",
  // "operation" is the name of the operation in the HTTP API, and "details" contains its fields as JSON. "source" is
  // "api", "console", "command_line", or "payment".
  `CREATE TABLE order_log (
    id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    source TEXT NOT NULL,
    token_id TEXT,
    token_name TEXT,
    operation TEXT NOT NULL,
    details TEXT NOT NULL
  )`,
  "CREATE INDEX order_log_by_order ON order_log (order_id, at)",
];
