import type { CheckoutSnapshot, Reservation } from "../../checkout/checkout-snapshot.ts";
import type { Database, Statement } from "../database.ts";
import type { Supply } from "./reservations.ts";

/** Maximum units that one cart may reserve, and that all carts of one network may reserve together. */
const MAX_UNITS_OF_CART = 20;
const MAX_UNITS_OF_NETWORK = 100;
/** Maximum share of a variant's stock that one network may reserve, rounded up to whole units. */
const MAX_SHARE = 0.5;

/**
 * Checks whether a checkout may reserve its items in addition to the other carts of its network.
 * @returns `unchanged`: statement that fails the transaction if the network's reservations changed in the meantime;
 * requires `takeStockNumber` before it
 */
export async function checkReservationLimits(
  database: Database,
  { cartCheckoutId, content }: Pick<CheckoutSnapshot, "cartCheckoutId" | "content">,
  network: string,
  supply: Supply,
): Promise<{ readonly isAllowed: boolean; readonly unchanged: Statement }> {
  const where = "network = $1 AND state = 'open'";
  const rows = await database.read(`SELECT cart_checkout_id, content FROM checkouts WHERE ${where}`, [network]);
  const requested = limited(content.reservations);
  const otherReservations = rows
    .filter((row) => row.cart_checkout_id !== cartCheckoutId)
    .flatMap((row) => limited((JSON.parse(String(row.content)) as CheckoutSnapshot["content"]).reservations));
  const units = sum(requested);
  const isAllowed =
    units <= MAX_UNITS_OF_CART &&
    units + sum(otherReservations) <= MAX_UNITS_OF_NETWORK &&
    requested.every((one) => {
      const reserved = one.units + sum(otherReservations.filter(({ id }) => id === one.id));
      return reserved <= Math.ceil(supply.level(one.id).quantity * MAX_SHARE);
    });
  const unchanged = {
    sql: `SELECT 1 AS one WHERE (SELECT COUNT(*) FROM checkouts WHERE ${where}) = CAST($2 AS BIGINT)`,
    params: [network, rows.length],
    requireRows: 1,
  };
  return { isAllowed, unchanged };
}

/** Returns the reservations that take stock from other shoppers. */
function limited(reservations: readonly Reservation[]): readonly Reservation[] {
  return reservations.filter(({ kind, isUnbounded }) => kind === "stock" && isUnbounded !== true);
}

function sum(reservations: readonly Reservation[]): number {
  return reservations.reduce((total, { units }) => total + units, 0);
}
