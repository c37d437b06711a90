import { TEST_ORDER_DAYS } from "../../checkout/order.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { deleteCheckoutCart } from "../cart-store.ts";
import { CommitInDoubtError, type Database, type Statement, WriteConflict } from "../database.ts";

/** Maximum number of test orders per query. */
const BATCH_SIZE = 100;

/**
 * Returns the statements that delete a test order with its payments, checkout, and cart. A payment that must be
 * refunded remains, and so does the order's log. The transaction fails if the order has another revision, or is not a
 * test order.
 */
export function deleteTestOrder({
  id,
  checkoutId,
  revision,
}: {
  readonly id: string;
  readonly checkoutId: string;
  readonly revision: number;
}): readonly Statement[] {
  return [
    {
      sql: "DELETE FROM orders WHERE id = $1 AND revision = $2 AND is_test = 1",
      params: [id, revision],
      requireRows: 1,
    },
    { sql: "DELETE FROM payments WHERE order_id = $1 AND refund IS NULL", params: [id] },
    deleteCheckoutCart(checkoutId),
    {
      sql: `DELETE FROM checkouts WHERE (id = $1 OR state = 'new')
        AND cart_checkout_id = (SELECT cart_checkout_id FROM checkouts WHERE id = $1)`,
      params: [checkoutId],
    },
  ];
}

/** Deletes old test orders, except those with a payment that must be refunded. */
export async function purgeTestOrders(database: Database, now: number): Promise<void> {
  const rows = await database.read(
    `SELECT id, checkout_id, revision FROM orders WHERE is_test = 1 AND created_at < $1 AND NOT EXISTS
      (SELECT 1 FROM payments p WHERE p.order_id = orders.id AND p.refund IS NOT NULL AND p.refunded_at IS NULL)
      LIMIT ${BATCH_SIZE}`,
    [now - TEST_ORDER_DAYS * DAY_MS],
  );
  for (const { id, checkout_id, revision } of rows) {
    try {
      await database.write(
        deleteTestOrder({ id: String(id), checkoutId: String(checkout_id), revision: Number(revision) }),
      );
    } catch (error) {
      // Another server deleted or changed the order. The next run reads it again.
      if (!(error instanceof WriteConflict || error instanceof CommitInDoubtError)) throw error;
    }
  }
}
