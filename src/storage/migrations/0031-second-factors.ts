/** Only servers that were built for this schema version or a later one can use the database after this migration. */
export const compatibleFrom = 28;

/** Adds the second factors of the console's users. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // "secret" is in base32. "recovery_codes" contains the SHA-256 of each unused code, separated by spaces. "last_step"
  // is the time step of the last accepted code.
  `CREATE TABLE second_factors (
    token_id TEXT PRIMARY KEY,
    secret TEXT NOT NULL,
    recovery_codes TEXT NOT NULL,
    last_step BIGINT NOT NULL,
    created_at BIGINT NOT NULL
  )`,
];
