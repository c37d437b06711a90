/** Uses of discounts lapse. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  "ALTER TABLE discount_uses ADD COLUMN expires_at BIGINT NOT NULL DEFAULT 0",
  // Half an hour, as for uses that are counted from now on.
  "UPDATE discount_uses SET expires_at = used_at + 1800000",
  "CREATE INDEX discount_uses_live ON discount_uses (discount_id, expires_at)",
  "CREATE INDEX discount_uses_expires_at ON discount_uses (expires_at)",
];
