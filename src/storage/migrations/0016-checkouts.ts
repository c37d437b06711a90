/** Checkouts, what they draw from, their orders, and what other systems are told. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // "content" never changes; what it reserves is held while "state" is "open".
  `CREATE TABLE checkouts (
    id TEXT PRIMARY KEY,
    cart_id TEXT NOT NULL,
    cart_checkout_id TEXT NOT NULL,
    revision BIGINT NOT NULL,
    state TEXT NOT NULL,
    held_until BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    content TEXT NOT NULL,
    order_id TEXT
  )`,
  "CREATE UNIQUE INDEX checkouts_open ON checkouts (cart_checkout_id) WHERE state = 'open'",
  "CREATE INDEX checkouts_by_cart ON checkouts (cart_checkout_id, created_at)",
  "CREATE INDEX checkouts_held ON checkouts (held_until) WHERE state = 'open'",
  "CREATE INDEX checkouts_left ON checkouts (created_at) WHERE state IN ('new', 'lapsed', 'superseded')",

  // What orders drew from gift cards and from customers' credit, and what open checkouts hold of them; the catalogue says what was
  // loaded. In minor units.
  `CREATE TABLE balances (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    spent BIGINT NOT NULL,
    held BIGINT NOT NULL,
    PRIMARY KEY (kind, id)
  )`,

  `CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    checkout_id TEXT NOT NULL UNIQUE,
    customer_id TEXT,
    state TEXT NOT NULL,
    payment TEXT NOT NULL,
    reference TEXT,
    content TEXT NOT NULL,
    notes TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`,
  "CREATE INDEX orders_by_customer ON orders (customer_id, number)",

  // Each payment that a provider told of, once. "order_id" is null where there is no order for it: then "refund" says why it has to go back.
  `CREATE TABLE payments (
    reference TEXT PRIMARY KEY,
    checkout_id TEXT NOT NULL,
    order_id TEXT,
    amount BIGINT NOT NULL,
    currency TEXT NOT NULL,
    refund TEXT,
    received_at BIGINT NOT NULL
  )`,
  "CREATE INDEX payments_refund ON payments (received_at) WHERE refund IS NOT NULL",

  // The outbox: written in the transaction of what it tells of. Positions are committed in their order.
  `CREATE TABLE events (
    id TEXT PRIMARY KEY,
    position BIGINT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    order_key TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`,

  "CREATE TABLE sequences (name TEXT PRIMARY KEY, last BIGINT NOT NULL)",
  "INSERT INTO sequences (name, last) VALUES ('orders', 1000), ('events', 0)",
];
