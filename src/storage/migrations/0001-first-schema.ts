/** Carts, the catalogue by revision, and what shoppers searched. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  `CREATE TABLE carts (
    id TEXT PRIMARY KEY,
    checkout_id TEXT NOT NULL UNIQUE,
    revision BIGINT NOT NULL CHECK (revision > 0),
    data TEXT NOT NULL,
    updated_at BIGINT NOT NULL
  )`,
  "CREATE INDEX carts_updated_at ON carts (updated_at)",

  // Which cart the first writes with one token share.
  "CREATE TABLE first_carts (token_hash TEXT PRIMARY KEY, cart_id TEXT NOT NULL, claimed_at BIGINT NOT NULL)",
  "CREATE INDEX first_carts_claimed_at ON first_carts (claimed_at)",

  // One row. Shoppers see "revision"; rows of a later one are an import under way. Rows removed up to "complete_since" have
  // left no trace, so a change can be told from the rows alone only since then. Rows are tidied up to "tidied".
  `CREATE TABLE catalog_state (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    revision BIGINT NOT NULL,
    complete_since BIGINT NOT NULL,
    tidied BIGINT NOT NULL
  )`,
  "INSERT INTO catalog_state (id, revision, complete_since, tidied) VALUES (1, 0, 0, 0)",

  // A row of the catalogue at a revision is the newest of its kind and id up to that revision, unless that one is deleted.
  // "position" is its place in the static order, kept for as long as the row lives.
  `CREATE TABLE catalog_rows (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    revision BIGINT NOT NULL,
    position BIGINT NOT NULL,
    deleted BIGINT NOT NULL,
    handle TEXT NOT NULL,
    variant_ids TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (kind, id, revision)
  )`,
  "CREATE INDEX catalog_rows_position ON catalog_rows (position)",
  "CREATE INDEX catalog_rows_revision ON catalog_rows (revision, position)",

  // At most one row: who imports now.
  "CREATE TABLE catalog_lease (id BIGINT PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, expires_at BIGINT NOT NULL)",

  "CREATE TABLE search_salts (day BIGINT PRIMARY KEY, salt TEXT NOT NULL)",
  `CREATE TABLE search_visits (
    day BIGINT NOT NULL,
    locale TEXT NOT NULL,
    term TEXT NOT NULL,
    visitor TEXT NOT NULL,
    PRIMARY KEY (day, locale, term, visitor)
  )`,
  `CREATE TABLE search_terms (
    locale TEXT NOT NULL,
    term TEXT NOT NULL,
    visitors BIGINT NOT NULL,
    last_day BIGINT NOT NULL,
    PRIMARY KEY (locale, term)
  )`,
];
