/** One table for searches, clicks and sales. Valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // "day" is in days since 1970. Day 0 contains the decayed total of a row, weighted for the landmark day
  // (src/signals/decay.ts). Other days contain plain counts. "term" is empty for "bought". "product" is empty except
  // for "chosen" and "bought". Each network sets one of the 48 bits of "networks".
  `CREATE TABLE signal_counts (
    kind TEXT NOT NULL,
    locale TEXT NOT NULL,
    term TEXT NOT NULL,
    product TEXT NOT NULL,
    day BIGINT NOT NULL,
    networks BIGINT NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (kind, locale, term, product, day)
  )`,
  // Counted signals of a day, so that each network counts once. "visitor" is a digest of signal and network, with a
  // daily salt.
  "CREATE TABLE signal_visits (day BIGINT NOT NULL, visitor TEXT NOT NULL, PRIMARY KEY (day, visitor))",
  "CREATE TABLE signal_salts (day BIGINT PRIMARY KEY, salt TEXT NOT NULL)",
  // Row that servers lock while they move counts or count orders.
  "INSERT INTO sequences (name, last) VALUES ('signals', 0)",

  // Counts from before the last day of a row are visible immediately, and the others after that day.
  `INSERT INTO signal_counts SELECT 'found', locale, term, '', last_day - 1, settled_networks, settled_visitors
    FROM search_terms WHERE settled_visitors > 0`,
  `INSERT INTO signal_counts SELECT 'found', locale, term, '', last_day, networks, visitors - settled_visitors
    FROM search_terms WHERE visitors > settled_visitors`,
  "INSERT INTO signal_counts SELECT 'chosen', locale, term, product, 0, networks, weight FROM search_choices",
  ...[
    ["searched", "visitors"],
    ["not_found", "not_found"],
    ["clicked", "chosen"],
    ["added", "added"],
  ].map(
    ([kind, column]) =>
      `INSERT INTO signal_counts SELECT '${kind}', locale, term, '', day, networks, ${column} FROM search_days WHERE ${column} > 0`,
  ),
  "CREATE INDEX signal_counts_by_day ON signal_counts (kind, day, weight)",
  ..."search_terms search_visits search_choices search_choice_visits search_days search_day_visits search_salts purchases"
    .split(" ")
    .map((table) => `DROP TABLE ${table}`),

  // Whether an order counts as sales of its products: 0 not yet, 1 yes, 2 no longer. All orders are counted again.
  "DELETE FROM sequences WHERE name = 'purchases'",
  "ALTER TABLE orders ADD COLUMN counted BIGINT NOT NULL DEFAULT 0",
  "CREATE INDEX orders_to_count ON orders (created_at) WHERE counted = 0 AND payment = 'paid' AND state <> 'cancelled'",
  "CREATE INDEX orders_to_discount ON orders (created_at) WHERE counted = 1 AND state = 'cancelled'",
];
