/** Rules for searches that were made in the console: those that hold ("live") and those that are being made ("draft"). Valid in SQLite and PostgreSQL
 *  alike. */
export const statements: readonly string[] = [
  // "content" is as a file of the folder search/ would say it.
  `CREATE TABLE console_rules (
    state TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (state, name)
  )`,
  // Rise whenever the rules of their state change.
  "INSERT INTO sequences (name, last) VALUES ('console_rules_live', 0), ('console_rules_draft', 0)",
];
