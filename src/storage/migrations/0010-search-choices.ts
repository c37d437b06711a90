/** What shoppers chose after a search, counted by networks, by the day. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // "networks" has one of 48 bits for each network that chose the product; "weight" is in units of a choice on the landmark day (see
  // choice-store.ts). Of both there is the value that they had when "last_day" began.
  `CREATE TABLE search_choices (
    locale TEXT NOT NULL,
    term TEXT NOT NULL,
    product TEXT NOT NULL,
    visitors BIGINT NOT NULL,
    networks BIGINT NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    settled_networks BIGINT NOT NULL DEFAULT 0,
    settled_weight DOUBLE PRECISION NOT NULL DEFAULT 0,
    last_day BIGINT NOT NULL,
    PRIMARY KEY (locale, term, product)
  )`,
  "CREATE INDEX search_choices_by_day ON search_choices (last_day)",
  // Those that are read every minute are few among many.
  "CREATE INDEX search_choices_by_many ON search_choices (last_day) WHERE visitors >= 20",
  `CREATE TABLE search_choice_visits (
    day BIGINT NOT NULL,
    locale TEXT NOT NULL,
    term TEXT NOT NULL,
    product TEXT NOT NULL,
    step TEXT NOT NULL,
    visitor TEXT NOT NULL,
    PRIMARY KEY (day, locale, term, product, step, visitor)
  )`,
];
