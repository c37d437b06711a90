import type { CheckoutSnapshot, CheckoutState, Reservation } from "../../checkout/checkout-snapshot.ts";
import type { NewCheckout, OpeningResult, ReservationRequester } from "../../checkout/checkouts.ts";
import type { RefundReason } from "../../checkout/order.ts";
import {
  CommitInDoubtError,
  type Database,
  DatabaseUnavailableError,
  type Statement,
  WriteConflict,
} from "../database.ts";
import { hasUsedUpDiscount, reserveDiscount } from "../discount-uses.ts";
import { stockNumberStatement } from "../stock-store.ts";
import { repeatWhileInDoubt } from "../write-with-retry.ts";
import { readCartOrders } from "./cart-orders.ts";
import { closeCheckout, insertViewedCheckout, readCartCheckout, readCheckout } from "./checkout-rows.ts";
import type { CompletionResources } from "./complete-checkout.ts";
import {
  type AvailableStock,
  createReserveStatements,
  findShortage,
  findStockLevels,
  readAvailableStock,
  subtractReservedUnits,
} from "./reservations.ts";

/** Maximum attempts while another request changes the same rows. */
const MAX_ATTEMPTS = 8;

/** Opens a checkout and reserves its items.  @see Checkouts.open */
export async function openCheckout(
  parts: Pick<CompletionResources, "database" | "carts" | "cartWriter" | "onStock">,
  checkout: NewCheckout,
  { network, canReserve }: ReservationRequester,
  now: number,
): Promise<OpeningResult> {
  const { database, onStock } = parts;
  const { id, cartCheckoutId, content, reservedUntil: expiryTime } = checkout;
  const { reservations } = content;
  const discounts = content.priced.limitedDiscounts;
  let isReserved: boolean | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const [orders, previousCheckout, supply] = await Promise.all([
      readCartOrders(parts, checkout),
      readCartCheckout(database, cartCheckoutId, "open"),
      readAvailableStock(database, reservations),
    ]);
    if (orders.orderedCheckout !== undefined) return { outcome: "ordered", checkout: orders.orderedCheckout };
    if (previousCheckout?.id === id && previousCheckout.reservedUntil > now) return { outcome: "open" };
    const reason = await findRefundReason(supply, previousCheckout);
    if (reason !== undefined) {
      // Another request may have reserved the missing items for the same cart in the meantime.
      if ((await readCartCheckout(database, cartCheckoutId, "open"))?.id !== previousCheckout?.id) continue;
      return { outcome: "short", reason };
    }
    const limits = await checkReservationLimits(database, checkout, network, supply);
    isReserved = limits.isAllowed && (isReserved ?? canReserve());
    const statements = isReserved
      ? [
          insertCheckout(checkout, { state: "open", network, now }),
          ...createReserveStatements(reservations, supply),
          ...discounts.flatMap((discount) => reserveDiscount(discount, cartCheckoutId, now, expiryTime)),
        ]
      : [insertCheckout(checkout, { state: "lapsed", network: null, now })];
    try {
      const rows = await database.write(
        [
          stockNumberStatement,
          orders.unchangedCondition,
          limits.unchangedCondition,
          ...(previousCheckout === undefined ? [] : closeCheckout(previousCheckout, "superseded")),
          ...statements,
        ],
        performance.now() + database.maxStartDelayMs,
      );
      onStock(findStockLevels(rows));
      return { outcome: "open" };
    } catch (error) {
      // If the write was committed after all, the next attempt finds the open checkout.
      if (error instanceof CommitInDoubtError) continue;
      if (!(error instanceof WriteConflict)) throw error;
      if (await isOtherContentStored()) throw new DatabaseUnavailableError("another request changed the checkout");
    }
  }
  throw new DatabaseUnavailableError("the checkout was changed repeatedly by other requests");

  /** Returns whether another request stored other items or prices under the same checkout ID. */
  async function isOtherContentStored(): Promise<boolean> {
    const storedCheckout = await readCheckout(database, id);
    return storedCheckout !== undefined && JSON.stringify(storedCheckout.content) !== JSON.stringify(content);
  }

  async function findRefundReason(
    availableStock: AvailableStock,
    previousCheckout: CheckoutSnapshot | undefined,
  ): Promise<RefundReason | undefined> {
    const user = { checkoutId: cartCheckoutId, customerId: content.customerId };
    if (await hasUsedUpDiscount(database, discounts, user, now)) return "discount_used_up";
    return findShortage(database, subtractReservedUnits(reservations, previousCheckout), availableStock);
  }
}

/**
 * Stores a viewed checkout, and deletes earlier views of the same cart, because they may be large. Keeps the first
 * checkout of the cart, because its ID is used again.
 * @see Checkouts.store
 */
export async function saveViewedCheckout(database: Database, checkout: NewCheckout, now: number): Promise<void> {
  const { id, cartCheckoutId } = checkout;
  const statements = [
    insertViewedCheckout(checkout, now),
    {
      sql: "DELETE FROM checkouts WHERE cart_checkout_id = $1 AND state = 'new' AND id <> $1 AND id <> $2",
      params: [cartCheckoutId, id],
    },
  ];
  await repeatWhileInDoubt(database, (startDeadline) => database.write(statements, startDeadline));
}

/**
 * Stores a checkout with a state. The transaction fails if the cart has another open checkout, or if this checkout is
 * open, completed, or stored with other content. Stored content must not change, because it lists the reservations to
 * release.
 */
function insertCheckout(
  { id, cartId, cartCheckoutId, revision, reservedUntil: expiryTime, content }: NewCheckout,
  { state, network, now }: { readonly state: CheckoutState; readonly network: string | null; readonly now: number },
): Statement {
  return {
    sql: `INSERT INTO checkouts (id, cart_id, cart_checkout_id, revision, state, held_until, created_at, content, network)
      SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($8 AS TEXT), CAST($5 AS BIGINT),
        CAST($6 AS BIGINT), CAST($7 AS TEXT), CAST($9 AS TEXT)
      WHERE NOT EXISTS (SELECT 1 FROM checkouts WHERE cart_checkout_id = $3 AND state = 'open')
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, held_until = excluded.held_until, network = excluded.network
        WHERE checkouts.state IN ('new', 'lapsed', 'superseded') AND checkouts.content = excluded.content`,
    params: [id, cartId, cartCheckoutId, revision, expiryTime, now, JSON.stringify(content), state, network],
    requireRows: 1,
  };
}

/** Maximum units of stock that one cart may reserve. */
const MAX_UNITS_PER_CART = 20;
const MAX_UNITS_PER_NETWORK = 100;
/** Maximum share of a variant's stock that one IP network may reserve, rounded up to whole units. */
const MAX_STOCK_SHARE = 0.5;

/**
 * Checks whether a checkout may reserve its items, given the reservations of other carts from the same IP network.
 * @returns `unchangedCondition`: statement that fails the transaction if the network's reservations changed in the
 * meantime; must run after `stockNumberStatement`
 */
async function checkReservationLimits(
  database: Database,
  { cartCheckoutId, content }: Pick<CheckoutSnapshot, "cartCheckoutId" | "content">,
  network: string,
  availableStock: AvailableStock,
): Promise<{ readonly isAllowed: boolean; readonly unchangedCondition: Statement }> {
  const openRowsSql = "network = $1 AND state = 'open'";
  const rows = await database.read(`SELECT cart_checkout_id, content FROM checkouts WHERE ${openRowsSql}`, [network]);
  const limitedReservations = selectLimitedStock(content.reservations);
  const otherReservations = rows
    .filter((row) => row.cart_checkout_id !== cartCheckoutId)
    .flatMap((row) =>
      selectLimitedStock((JSON.parse(String(row.content)) as CheckoutSnapshot["content"]).reservations),
    );
  const units = sumUnits(limitedReservations);
  const isAllowed =
    units <= MAX_UNITS_PER_CART &&
    units + sumUnits(otherReservations) <= MAX_UNITS_PER_NETWORK &&
    limitedReservations.every((reservation) => {
      const reservedUnits = reservation.units + sumUnits(otherReservations.filter(({ id }) => id === reservation.id));
      return reservedUnits <= Math.ceil(availableStock.level(reservation.id).quantity * MAX_STOCK_SHARE);
    });
  const unchangedCondition = {
    sql: `SELECT 1 AS one WHERE (SELECT COUNT(*) FROM checkouts WHERE ${openRowsSql}) = CAST($2 AS BIGINT)`,
    params: [network, rows.length],
    requireRows: 1,
  };
  return { isAllowed, unchangedCondition };
}

/** Returns the stock reservations, except for variants that may be oversold. */
function selectLimitedStock(reservations: readonly Reservation[]): readonly Reservation[] {
  return reservations.filter(({ kind, isUnbounded }) => kind === "stock" && isUnbounded !== true);
}

function sumUnits(reservations: readonly Reservation[]): number {
  return reservations.reduce((total, { units }) => total + units, 0);
}
