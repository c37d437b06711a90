import type { DiscountUser, DiscountUses } from "../checkout/discount-uses.ts";
import type { Discount } from "../pricing/discount.ts";
import type { Database, Statement } from "./database.ts";
import { purgeRows } from "./purging.ts";

/** Milliseconds for which a use is reserved after the checkout page was last opened. */
const RESERVATION_LIFETIME_MS = 30 * 60_000;
/** Expiry time of a use that an order made permanent: in the year 9999, in milliseconds since 1970. */
const NO_EXPIRY_MS = 253_370_764_800_000;

/**
 * Stores uses of discounts as rows that expire. Uses of a discount are numbered, so that only one of two shoppers gets
 * the last use.
 * @see DiscountUses
 */
export function createDiscountUseStore(database: Database): DiscountUses {
  return {
    isUsedUp: (discount, user, now) => isUsedUp(database, discount, user, now),
    async reserve(discount, checkoutId, now) {
      for (;;) {
        const [renewedRows = [], , insertedRows = []] = await database.write(
          createReservationStatements(discount, checkoutId, now, now + RESERVATION_LIFETIME_MS),
        );
        if (renewedRows.length + insertedRows.length > 0) return true;
        // Nothing was inserted: either no use is left, or another checkout took this number, and the next number may be
        // available.
        const availability = await findAvailability(database, discount, checkoutId, now);
        if (availability !== "free") return availability === "own";
      }
    },
    async release(discount, checkoutId) {
      await database.write([{ sql: releaseSql, params: [discount.id, checkoutId] }]);
    },
  };
}

/**
 * Reserves a use for as long as the checkout reserves stock. The transaction fails if no use is available.
 * @param expiresAt end of the reservation in milliseconds since 1970, after `now`
 */
export function reserveDiscount(
  discount: Discount,
  checkoutId: string,
  now: number,
  expiresAt: number,
): readonly Statement[] {
  return [
    ...createReservationStatements(discount, checkoutId, now, expiresAt),
    { sql: requireUseSql, params: [discount.id, checkoutId, now], requireRows: 1 },
  ];
}

/**
 * Makes the reserved use of a checkout permanent for its order. An expired use is reserved again first. The transaction
 * fails if no use is available.
 */
export function confirmDiscountUse(
  discount: Discount,
  { checkoutId, customerId }: DiscountUser & { readonly checkoutId: string },
  orderId: string,
  now: number,
): readonly Statement[] {
  return [
    ...(discount.customerLimit === undefined
      ? []
      : [
          {
            sql: `SELECT 1 AS one WHERE (${customerUseCountSql}) < CAST($3 AS BIGINT)`,
            params: [discount.id, customerId ?? "", discount.customerLimit],
            requireRows: 1,
          },
        ]),
    ...createReservationStatements(discount, checkoutId, now, now + RESERVATION_LIFETIME_MS),
    {
      sql: `UPDATE discount_uses SET checkout_id = $3, expires_at = ${NO_EXPIRY_MS}
        WHERE discount_id = $1 AND checkout_id = $2 AND expires_at > $4`,
      params: [discount.id, checkoutId, orderId, now],
      requireRows: 1,
    },
    // A server whose clock is ahead may have given the use to another checkout.
    ...(discount.usageLimit === undefined
      ? []
      : [
          {
            sql: `SELECT 1 AS one WHERE ${orderCountSql} <= CAST($2 AS BIGINT)`,
            params: [discount.id, discount.usageLimit],
            requireRows: 1,
          },
        ]),
  ];
}

/** Returns whether other checkouts, or other orders of the customer, have used up one of these discounts. */
export async function hasUsedUpDiscount(
  database: Database,
  discounts: readonly Discount[],
  user: DiscountUser,
  now: number,
): Promise<boolean> {
  const results = await Promise.all(discounts.map((discount) => isUsedUp(database, discount, user, now)));
  return results.includes(true);
}

async function isUsedUp(
  database: Database,
  discount: Discount,
  { checkoutId = "", customerId }: DiscountUser,
  now: number,
): Promise<boolean> {
  const { id, customerLimit } = discount;
  if (customerLimit !== undefined) {
    if (customerId === undefined) return true;
    const [row] = await database.read(customerUseCountSql, [id, customerId]);
    if (Number(row?.uses) >= customerLimit) return true;
  }
  // Counting all uses of a discount without a limit would take longer with each order.
  if (discount.usageLimit === undefined) return false;
  return (await findAvailability(database, discount, checkoutId, now)) === "none left";
}

/**
 * Counts the orders of a customer that use a discount. CROSS JOIN makes SQLite read the customer's few orders first,
 * instead of all uses of the discount.
 */
const customerUseCountSql = `SELECT COUNT(*) AS uses FROM orders o CROSS JOIN discount_uses u
    WHERE o.customer_id = $2 AND u.discount_id = $1 AND u.checkout_id = o.id`;

function createReservationStatements(
  { id, usageLimit }: Discount,
  checkoutId: string,
  now: number,
  expiresAt: number,
): Statement[] {
  return [
    { sql: renewSql, params: [id, checkoutId, now, expiresAt] },
    { sql: deleteExpiredSql, params: [id, checkoutId, now] },
    usageLimit === undefined
      ? { sql: formatInsertSql(""), params: [id, checkoutId, now, expiresAt] }
      : { sql: insertLimitedUseSql, params: [id, checkoutId, now, expiresAt, usageLimit] },
  ];
}

async function findAvailability(
  database: Database,
  { id, usageLimit }: Discount,
  checkoutId: string,
  now: number,
): Promise<DiscountUseState> {
  const [row] = await database.read(selectSql, [id, checkoutId, now]);
  if (usageLimit !== undefined && Number(row?.ordered) >= usageLimit) return "none left";
  if (row?.own === 1) return "own";
  return usageLimit !== undefined && Number(row?.held) >= usageLimit ? "none left" : "free";
}

/** Deletes expired uses.  @returns the number of deleted uses */
export function purgeDiscountUses(database: Database, now: number): Promise<number> {
  const keyColumns = ["discount_id", "number"];
  return purgeRows(database, { table: "discount_uses", keyColumns, conditionSql: "expires_at <= $1", boundValue: now });
}

type DiscountUseState = "own" | "free" | "none left";

/** Counts the orders that use a discount. */
const orderCountSql = `(SELECT COUNT(*) FROM discount_uses WHERE discount_id = $1 AND expires_at = ${NO_EXPIRY_MS})`;

const selectSql = `SELECT ${orderCountSql} AS ordered,
    (SELECT COUNT(*) FROM discount_uses WHERE discount_id = $1 AND expires_at > $3) AS held,
    (SELECT COUNT(*) FROM discount_uses WHERE discount_id = $1 AND checkout_id = $2 AND expires_at > $3) AS own`;

const renewSql = `UPDATE discount_uses SET expires_at = CASE WHEN expires_at > $4 THEN expires_at ELSE $4 END
    WHERE discount_id = $1 AND checkout_id = $2 AND expires_at > $3 RETURNING number`;

const requireUseSql = `UPDATE discount_uses SET expires_at = expires_at
    WHERE discount_id = $1 AND checkout_id = $2 AND expires_at > $3`;

const deleteExpiredSql = "DELETE FROM discount_uses WHERE discount_id = $1 AND checkout_id = $2 AND expires_at <= $3";

/**
 * Returns SQL that inserts a use of a discount with the next number.
 * @param conditionSql HAVING clause that limits the number of uses; "" for no limit
 */
const formatInsertSql = (
  conditionSql: string,
): string => `INSERT INTO discount_uses (discount_id, number, checkout_id, used_at, expires_at)
    SELECT CAST($1 AS TEXT), COALESCE(MAX(number), 0) + 1, CAST($2 AS TEXT), CAST($3 AS BIGINT), CAST($4 AS BIGINT)
    FROM discount_uses WHERE discount_id = $1 ${conditionSql}
    ON CONFLICT DO NOTHING RETURNING number`;

const insertLimitedUseSql = formatInsertSql(
  "HAVING (SELECT COUNT(*) FROM discount_uses WHERE discount_id = $1 AND expires_at > $3) < $5",
);

const releaseSql = "DELETE FROM discount_uses WHERE discount_id = $1 AND checkout_id = $2";
