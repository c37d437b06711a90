/** What tells that a database can be trusted and written. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // "revision:checksum". Carts written before have none; nor does it count for another revision than the row's, which a
  // server of an older version has written.
  "ALTER TABLE carts ADD COLUMN checksum TEXT",

  // One row, written to learn whether writes go through.
  "CREATE TABLE write_probe (id BIGINT PRIMARY KEY CHECK (id = 1), probed_at BIGINT NOT NULL)",
  "INSERT INTO write_probe (id, probed_at) VALUES (1, 0)",
];
