/** Searches are counted by networks, by the day. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // What was counted by address and agent could be forged: it is counted anew.
  "DELETE FROM search_terms",
  // One of 48 bits for each network that searched the term, so that a row says little of who did.
  "ALTER TABLE search_terms ADD COLUMN networks BIGINT NOT NULL DEFAULT 0",
  // Both counts as they were when "last_day" began.
  "ALTER TABLE search_terms ADD COLUMN settled_visitors BIGINT NOT NULL DEFAULT 0",
  "ALTER TABLE search_terms ADD COLUMN settled_networks BIGINT NOT NULL DEFAULT 0",
];
