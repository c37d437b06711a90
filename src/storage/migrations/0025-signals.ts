/** Creates one table for searches, clicks and sales. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // "day" is in days since 1970. Day 0 contains the total of all days, in which older days weigh less
  // (src/signals/decay.ts). "term" is empty for sales. "product" is set only for clicks and sales. "networks" contains
  // 48 bits, and each IP network sets one of them.
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
  // Signals that were counted on a day, so that each IP network counts once. "visitor" is a digest of the signal and
  // the network with a daily salt.
  "CREATE TABLE signal_visits (day BIGINT NOT NULL, visitor TEXT NOT NULL, PRIMARY KEY (day, visitor))",
  "CREATE TABLE signal_salts (day BIGINT PRIMARY KEY, salt TEXT NOT NULL)",
  // Servers lock this row while they add daily counts to totals, or count orders.
  "INSERT INTO sequences (name, last) VALUES ('signals', 0)",

  // Counts of earlier days are visible immediately. Counts of the last day become visible when that day is over.
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

  // "counted" is 0 if an order was not counted yet, 1 if it counts as sales of its products, and 2 if it no longer
  // counts. All orders are counted again.
  "DELETE FROM sequences WHERE name = 'purchases'",
  "ALTER TABLE orders ADD COLUMN counted BIGINT NOT NULL DEFAULT 0",
  "CREATE INDEX orders_to_count ON orders (created_at) WHERE counted = 0 AND payment = 'paid' AND state <> 'cancelled'",
  "CREATE INDEX orders_to_discount ON orders (created_at) WHERE counted = 1 AND state = 'cancelled'",
];
