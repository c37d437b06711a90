import type { CheckoutContent, CheckoutSnapshot, CheckoutState } from "../../checkout/checkout-snapshot.ts";
import type { NewCheckout } from "../../checkout/checkouts.ts";
import type { Database, SqlRow, Statement } from "../database.ts";
import { createReleaseStatements } from "./reservations.ts";

export async function readCheckout(database: Database, id: string): Promise<CheckoutSnapshot | undefined> {
  const [row] = await database.read(`SELECT ${checkoutColumns} FROM checkouts WHERE id = $1`, [id]);
  return row && toCheckout(row);
}

/** Reads the newest checkout of a cart in a state. */
export async function readCartCheckout(
  database: Database,
  cartCheckoutId: string,
  state: "open" | "completed",
): Promise<CheckoutSnapshot | undefined> {
  // The state is not a parameter, because a partial index depends on it.
  const [row] = await database.read(
    `SELECT ${checkoutColumns} FROM checkouts WHERE cart_checkout_id = $1 AND state = '${state}'
      ORDER BY created_at DESC, id LIMIT 1`,
    [cartCheckoutId],
  );
  return row && toCheckout(row);
}

export const checkoutColumns =
  "id, cart_id, cart_checkout_id, revision, state, held_until, created_at, content, order_id";

export function toCheckout(row: SqlRow): CheckoutSnapshot {
  return {
    id: String(row.id),
    cartId: String(row.cart_id),
    cartCheckoutId: String(row.cart_checkout_id),
    revision: Number(row.revision),
    state: String(row.state) as CheckoutState,
    reservedUntil: Number(row.held_until),
    createdAt: Number(row.created_at),
    content: JSON.parse(String(row.content)) as CheckoutContent,
    ...(row.order_id == null ? {} : { orderId: String(row.order_id) }),
  };
}

/** Stores a checkout without reservations, unless it is already stored. */
export function insertViewedCheckout(
  { id, cartId, cartCheckoutId, revision, content }: NewCheckout,
  now: number,
): Statement {
  return {
    sql: `INSERT INTO checkouts (id, cart_id, cart_checkout_id, revision, state, held_until, created_at, content)
      VALUES ($1, $2, $3, $4, 'new', $5, $5, $6) ON CONFLICT (id) DO NOTHING`,
    params: [id, cartId, cartCheckoutId, revision, now, JSON.stringify(content)],
  };
}

/** Closes an open checkout and releases its reservations. The transaction fails if the checkout is not open. */
export function closeCheckout({ id, content }: CheckoutSnapshot, state: "lapsed" | "superseded"): readonly Statement[] {
  return [
    {
      sql: "UPDATE checkouts SET state = $2, network = NULL WHERE id = $1 AND state = 'open'",
      params: [id, state],
      requireRows: 1,
    },
    ...createReleaseStatements(content.reservations),
  ];
}
