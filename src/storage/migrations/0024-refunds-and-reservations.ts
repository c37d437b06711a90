/**
 * Adds columns for refunds and for the IP networks of reservations, and the order number of purchases. The SQL is valid
 * in SQLite and PostgreSQL.
 */
export const statements: readonly string[] = [
  // Time when the merchant recorded the refund of a payment, in milliseconds since 1970.
  "ALTER TABLE payments ADD COLUMN refunded_at BIGINT",
  "CREATE INDEX payments_by_order ON payments (order_id)",
  // Keyed digest of the IP network that reserves stock. Used only while "state" is "open".
  "ALTER TABLE checkouts ADD COLUMN network TEXT",
  "CREATE INDEX checkouts_by_network ON checkouts (network) WHERE state = 'open'",
  // Store the order number with each purchase, so that a canceled order removes only its own purchases. All orders are
  // counted again.
  "DROP TABLE purchases",
  // "buyer" is a keyed digest. "day" is the day of the order in days since 1970. "weight" is higher for later days.
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
