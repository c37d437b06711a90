import { DAY_MS } from "../../runtime/durations.ts";
import { CommitInDoubtError, type Database, WriteConflict } from "../database.ts";
import { purgeRows } from "../purging.ts";
import { stockNumberStatement } from "../stock-store.ts";
import { checkoutColumns, closeCheckout, toCheckout } from "./checkout-rows.ts";
import { findStockLevels, type StockListener } from "./reservations.ts";

/** Maximum number of expired checkouts per query. */
const BATCH_SIZE = 100;
/**
 * Days for which checkouts without an order are stored. A payment after that time gets the response 404. Checkouts that
 * were only viewed cannot have a payment, so they are stored for a shorter time.
 */
const RETENTION_DAYS = { viewed: 7, opened: 60 };

/**
 * Releases the reservations of expired checkouts, regardless of which server opened them.
 * @returns the number of released checkouts
 */
export async function expireCheckouts(
  { database, onStock }: { readonly database: Database; readonly onStock: StockListener },
  now: number,
): Promise<number> {
  const rows = await database.read(
    `SELECT ${checkoutColumns} FROM checkouts WHERE state = 'open' AND held_until <= $1 ORDER BY held_until LIMIT ${BATCH_SIZE}`,
    [now],
  );
  let expiredCount = 0;
  for (const checkout of rows.map(toCheckout)) {
    try {
      const rows = await database.write([
        stockNumberStatement,
        {
          sql: "UPDATE checkouts SET held_until = held_until WHERE id = $1 AND held_until <= $2",
          params: [checkout.id, now],
          requireRows: 1,
        },
        ...closeCheckout(checkout, "lapsed"),
      ]);
      onStock(findStockLevels(rows));
      expiredCount += 1;
    } catch (error) {
      // Another server has already released the reservations, or the checkout was extended or completed. If the commit
      // is in doubt, the next run reads the checkout again.
      if (!(error instanceof WriteConflict || error instanceof CommitInDoubtError)) throw error;
    }
  }
  return expiredCount;
}

/** Deletes old checkouts without an order.  @returns the number of deleted checkouts */
export function purgeCheckouts(database: Database, now: number): Promise<number> {
  return purgeRows(database, {
    table: "checkouts",
    keyColumns: ["id"],
    conditionSql: `state IN ('new', 'lapsed', 'superseded') AND created_at < $1
      AND (state = 'new' OR created_at < CAST($1 AS BIGINT) - ${(RETENTION_DAYS.opened - RETENTION_DAYS.viewed) * DAY_MS})`,
    boundValue: now - RETENTION_DAYS.viewed * DAY_MS,
  });
}
