import type { CheckoutSnapshot, CheckoutState } from "../../checkout/checkout-snapshot.ts";
import type { NewCheckout, OpenResult, ReservationRequester } from "../../checkout/checkouts.ts";
import type { RefundReason } from "../../checkout/order.ts";
import { CommitInDoubt, type Database, DatabaseUnavailable, type Statement, WriteConflict } from "../database.ts";
import { findUsedUpFor, reserveUse } from "../discount-uses.ts";
import { takeStockNumber } from "../stock-store.ts";
import { readCartOrders } from "./cart-orders.ts";
import { close, insertViewed, readOne } from "./checkout-rows.ts";
import type { CompletionParts } from "./complete-checkout.ts";
import { checkReservationLimits } from "./reservation-limits.ts";
import { findShortage, levelsIn, readSupply, reserve, type Supply, withoutReserved } from "./reservations.ts";

/** Maximum attempts while another request changes the same rows. */
const MAX_TRIES = 8;

/** Opens a checkout and reserves its items.  @see Checkouts.open */
export async function openCheckout(
  { database, carts, onStock }: Pick<CompletionParts, "database" | "carts" | "onStock">,
  checkout: NewCheckout,
  { network, canReserve }: ReservationRequester,
  now: number,
): Promise<OpenResult> {
  const { id, cartId, cartCheckoutId, content, reservedUntil: heldUntil } = checkout;
  const { reservations } = content;
  const discounts = content.priced.limitedDiscounts;
  let isReserved: boolean | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const [orders, before, supply] = await Promise.all([
      readCartOrders(database, checkout, carts.findStored(cartId)),
      readOpen(),
      readSupply(database, reservations),
    ]);
    if (orders.ordered !== undefined) return { outcome: "ordered", checkout: orders.ordered };
    if (before?.id === id && before.reservedUntil > now) return { outcome: "open" };
    const reason = await findReason(supply, before);
    if (reason !== undefined) {
      // The missing items may have been reserved for the same cart in the meantime.
      if ((await readOpen())?.id !== before?.id) continue;
      return { outcome: "short", reason };
    }
    const limits = await checkReservationLimits(database, checkout, network, supply);
    isReserved = limits.isAllowed && (isReserved ?? canReserve());
    const statements = isReserved
      ? [
          insert(checkout, { state: "open", network, now }),
          ...reserve(reservations, supply),
          ...discounts.flatMap((discount) => reserveUse(discount, cartCheckoutId, now, heldUntil)),
        ]
      : [insert(checkout, { state: "lapsed", network: null, now })];
    try {
      const rows = await database.write(
        [
          takeStockNumber,
          orders.unchanged,
          limits.unchanged,
          ...(before === undefined ? [] : close(before, "superseded")),
          ...statements,
        ],
        performance.now() + database.beginMs,
      );
      onStock(levelsIn(rows));
      return { outcome: "open" };
    } catch (error) {
      // If the write was committed after all, the next attempt finds the open checkout.
      if (error instanceof CommitInDoubt) continue;
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
  throw new DatabaseUnavailable("the checkout was changed repeatedly by other requests");

  function readOpen(): Promise<CheckoutSnapshot | undefined> {
    return readOne(database, "cart_checkout_id = $1 AND state = 'open'", cartCheckoutId);
  }

  async function findReason(supply: Supply, before: CheckoutSnapshot | undefined): Promise<RefundReason | undefined> {
    if (await findUsedUpFor(database, discounts, cartCheckoutId, now)) return "discount_used_up";
    return findShortage(database, withoutReserved(reservations, before), supply);
  }
}

/**
 * Stores a viewed checkout, and deletes earlier views of the same cart, which may be large. The first checkout of the
 * cart stays, because its ID is used again.
 * @see Checkouts.store
 */
export async function keepCheckout(database: Database, checkout: NewCheckout, now: number): Promise<void> {
  const { id, cartCheckoutId } = checkout;
  const statements = [
    insertViewed(checkout, now),
    {
      sql: "DELETE FROM checkouts WHERE cart_checkout_id = $1 AND state = 'new' AND id <> $1 AND id <> $2",
      params: [cartCheckoutId, id],
    },
  ];
  const beginBy = performance.now() + database.beginMs;
  try {
    await database.write(statements, beginBy);
  } catch (error) {
    if (!(error instanceof CommitInDoubt)) throw error;
    await database.write(statements, beginBy);
  }
}

/**
 * Stores a checkout with a state. The transaction fails if the cart has another open checkout, or if this checkout is
 * open or completed.
 */
function insert(
  { id, cartId, cartCheckoutId, revision, reservedUntil: heldUntil, content }: NewCheckout,
  { state, network, now }: { readonly state: CheckoutState; readonly network: string | null; readonly now: number },
): Statement {
  return {
    sql: `INSERT INTO checkouts (id, cart_id, cart_checkout_id, revision, state, held_until, created_at, content, network)
      SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($8 AS TEXT), CAST($5 AS BIGINT),
        CAST($6 AS BIGINT), CAST($7 AS TEXT), CAST($9 AS TEXT)
      WHERE NOT EXISTS (SELECT 1 FROM checkouts WHERE cart_checkout_id = $3 AND state = 'open')
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, held_until = excluded.held_until, network = excluded.network
        WHERE checkouts.state IN ('new', 'lapsed', 'superseded')`,
    params: [id, cartId, cartCheckoutId, revision, heldUntil, now, JSON.stringify(content), state, network],
    requireRows: 1,
  };
}
