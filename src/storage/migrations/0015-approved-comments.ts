/** Which comments the merchant lets be shown, and on which article's page. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  "ALTER TABLE contacts ADD COLUMN approved_at BIGINT",
  "ALTER TABLE contacts ADD COLUMN shown_on TEXT",
  "CREATE INDEX comments_by_article ON contacts (shown_on, sent_at, id)",
];
