/** What shoppers searched, and what became of it, counted by networks and day. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // "visitors" is how many networks searched the term on the day, the others how many of these found nothing, chose something, took something;
  // "networks" has one of 48 bits for each network.
  `CREATE TABLE search_days (
    day BIGINT NOT NULL,
    locale TEXT NOT NULL,
    term TEXT NOT NULL,
    visitors BIGINT NOT NULL,
    not_found BIGINT NOT NULL,
    chosen BIGINT NOT NULL,
    added BIGINT NOT NULL,
    networks BIGINT NOT NULL,
    PRIMARY KEY (day, locale, term)
  )`,
  `CREATE TABLE search_day_visits (
    day BIGINT NOT NULL,
    locale TEXT NOT NULL,
    term TEXT NOT NULL,
    outcome TEXT NOT NULL,
    visitor TEXT NOT NULL,
    PRIMARY KEY (day, locale, term, outcome, visitor)
  )`,
];
