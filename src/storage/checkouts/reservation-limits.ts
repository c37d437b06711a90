import type { CheckoutSnapshot, Reservation } from "../../checkout/checkout-snapshot.ts";
import type { Database, Statement } from "../database.ts";
import type { AvailableStock } from "./reservations.ts";

/** Maximum units of stock that one cart may reserve. */
const MAX_UNITS_PER_CART = 20;
const MAX_UNITS_PER_NETWORK = 100;
/** Maximum share of a variant's stock that one IP network may reserve, rounded up to whole units. */
const MAX_STOCK_SHARE = 0.5;

/**
 * Checks whether a checkout may reserve its items, given the reservations of other carts from the same IP network.
 * @returns `unchangedCondition`: statement that fails the transaction if the network's reservations changed in the
 * meantime; must run after `takeStockNumberStatement`
 */
export async function checkReservationLimits(
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
