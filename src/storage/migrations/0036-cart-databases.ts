/** Only servers that were built for this schema version or a later one can use the database after this migration. */
export const compatibleFrom = 28;

/** Adds the tables of carts in several databases. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // Names of the cart databases. A cart database contains its own names, and the main database contains all names.
  "CREATE TABLE cart_database_names (name TEXT PRIMARY KEY)",
  // In the main database: orders whose items are not yet removed from a cart in another database.
  "CREATE TABLE ordered_carts (order_id TEXT PRIMARY KEY, cart_id TEXT NOT NULL, ordered_at BIGINT NOT NULL)",
  // In a cart database: orders whose items were removed from their cart, so that they are removed only once.
  "CREATE TABLE removed_orders (order_id TEXT PRIMARY KEY, removed_at BIGINT NOT NULL)",
  "CREATE INDEX removed_orders_by_time ON removed_orders (removed_at)",
];
