/** Finds the answers that are kept of one cart's or visitor's writes, however many keys it has used. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // An empty answer is one that is not kept any more.
  "CREATE INDEX applied_writes_kept ON applied_writes (scope, applied_at) WHERE answer <> ''",
];
