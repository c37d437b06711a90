/** What shoppers sent by forms: messages, comments, addresses for a newsletter. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  `CREATE TABLE contacts (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    email TEXT NOT NULL,
    locale TEXT NOT NULL,
    page TEXT NOT NULL,
    fields TEXT NOT NULL,
    sent_at BIGINT NOT NULL
  )`,
  "CREATE INDEX contacts_by_time ON contacts (sent_at, id)",
];
