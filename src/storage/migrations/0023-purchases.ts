/** Who bought what on which day, for the popularity of products. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // "buyer" is a keyed digest; "day" that of the order, in days since 1970; "weight" what an order of that day weighs.
  `CREATE TABLE purchases (
    product TEXT NOT NULL,
    buyer TEXT NOT NULL,
    day BIGINT NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (product, buyer, day)
  )`,
  "CREATE INDEX purchases_by_day ON purchases (day)",
  // Up to when changes of orders were counted, in milliseconds since 1970.
  "INSERT INTO sequences (name, last) VALUES ('purchases', 0)",
];
