/** Tokens with which the merchant's other systems come. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // "hash" is SHA-256 of the token in hex, "id" its first twelve digits; "scopes" are separated by blanks. A token that was revoked
  // stays, so that lists tell of it.
  `CREATE TABLE api_tokens (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
  )`,
];
