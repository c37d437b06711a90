/** Recorded refunds, reservations by network, and purchases by order. Valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = [
  // When the merchant recorded the refund of a payment, in milliseconds since 1970.
  "ALTER TABLE payments ADD COLUMN refunded_at BIGINT",
  "CREATE INDEX payments_by_order ON payments (order_id)",
  // A keyed digest of the network that reserves stock, while "state" is "open".
  "ALTER TABLE checkouts ADD COLUMN network TEXT",
  "CREATE INDEX checkouts_by_network ON checkouts (network) WHERE state = 'open'",
  // Purchases name their order, so that a canceled order removes only its own. All are counted again from the orders.
  "DROP TABLE purchases",
  // "buyer" is a keyed digest; "day" is that of the order, in days since 1970; "weight" is that of an order of this day.
  `CREATE TABLE purchases (
    product TEXT NOT NULL,
    buyer TEXT NOT NULL,
    order_number BIGINT NOT NULL,
    day BIGINT NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (product, order_number)
  )`,
  "CREATE INDEX purchases_by_day ON purchases (day)",
  "UPDATE sequences SET last = 0 WHERE name = 'purchases'",
];
