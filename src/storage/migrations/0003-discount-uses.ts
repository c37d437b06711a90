/** Uses of discounts that have a limit. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // The uses of a discount are numbered from 1, so that of two who want the last one, one gets it.
  `CREATE TABLE discount_uses (
    discount_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    checkout_id TEXT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (discount_id, number),
    UNIQUE (discount_id, checkout_id)
  )`,
];
