/** That an order was sent, as JSON; null while it was not. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = ["ALTER TABLE orders ADD COLUMN shipment TEXT"];
