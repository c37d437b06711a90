/** Variants of which it was told that few are on hand, for as long as that is so. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = ["CREATE TABLE IF NOT EXISTS stock_low (variant_id TEXT PRIMARY KEY)"];
