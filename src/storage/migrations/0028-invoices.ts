/** Adds invoices and credit notes, and their number series. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // Last number of each series. A transaction that issues a document locks the row until its commit, so that numbers
  // have no gaps.
  "CREATE TABLE invoice_series (prefix TEXT PRIMARY KEY, last BIGINT NOT NULL)",
  // Rows are never changed or deleted. "kind" is "invoice" or "credit_note". "document" contains all data of the
  // document except its number, as JSON.
  `CREATE TABLE invoices (
    number TEXT PRIMARY KEY,
    order_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    issued_at BIGINT NOT NULL,
    document TEXT NOT NULL
  )`,
  "CREATE INDEX invoices_by_order ON invoices (order_id, issued_at)",
  "CREATE UNIQUE INDEX invoice_of_order ON invoices (order_id) WHERE kind = 'invoice'",
];
