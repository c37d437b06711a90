/** Which writes with an Idempotency-Key were applied, and what they were answered. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // "scope" is the cart, or the visitor who had none; "cart_id" is empty where the write made no cart.
  `CREATE TABLE applied_writes (
    scope TEXT NOT NULL,
    write_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    cart_id TEXT NOT NULL,
    answer TEXT NOT NULL,
    applied_at BIGINT NOT NULL,
    PRIMARY KEY (scope, write_key)
  )`,
  "CREATE INDEX applied_writes_applied_at ON applied_writes (applied_at)",
];
