import type { StockLevel } from "../../catalog/stock.ts";
import type { Supply } from "../../checkout/checkouts.ts";
import type { RefundReason } from "../../checkout/order.ts";
import type { Reservation } from "../../checkout/sealed-checkout.ts";
import type { Database, SqlRow, Statement } from "../database.ts";
import {
  adjustStock,
  ensureLevels,
  holdStock,
  readStockOf,
  releaseStock,
  sellStock,
  toStockLevel,
} from "../stock-store.ts";

/** Holds all of these, or the transaction fails. @param supply for those of which nothing was ever held */
export function hold(reservations: readonly Reservation[], supply: Supply): readonly Statement[] {
  const stock = ofStock(reservations).flatMap(({ id }) => {
    const quantity = supply.quantity(id);
    return quantity === undefined ? [] : [{ variantId: id, quantity }];
  });
  return [
    ...ensureLevels(stock, supply.revision),
    ...ofStock(reservations).map(({ id, units, isUnbounded }) =>
      holdStock(id, units, isUnbounded === true ? "continue" : "deny"),
    ),
    ...ofBalances(reservations).flatMap(({ kind, id, units, loaded = 0 }) => [
      { sql: ensureBalance, params: [kind, id] },
      { sql: holdBalance, params: [kind, id, units, loaded], requireRows: 1 },
    ]),
  ];
}

/** Lets go what is held. */
export function release(reservations: readonly Reservation[]): readonly Statement[] {
  return [
    ...ofStock(reservations).map(({ id, units }) => releaseStock(id, units)),
    ...ofBalances(reservations).map(({ kind, id, units }) => ({ sql: releaseBalance, params: [kind, id, units] })),
  ];
}

/** Takes for good what is held. */
export function take(reservations: readonly Reservation[]): readonly Statement[] {
  return [
    ...ofStock(reservations).map(({ id, units }) => sellStock(id, units)),
    ...ofBalances(reservations).map(({ kind, id, units }) => ({
      sql: takeBalance,
      params: [kind, id, units],
      requireRows: 1,
    })),
  ];
}

/** Gives back what was taken, as an order is cancelled. */
export function giveBack(reservations: readonly Reservation[]): readonly Statement[] {
  const stock = ofStock(reservations).map(({ id, units }) => ({ variantId: id, units }));
  return [
    // A variant that is no longer sold has no stock to give back to.
    ...adjustStock(stock).map((statement) => ({ ...statement, requireRows: 0 })),
    ...ofBalances(reservations).map(({ kind, id, units }) => ({ sql: giveBackBalance, params: [kind, id, units] })),
  ];
}

/** Told of levels that a transaction has set, once it is committed, so that what is left shows at once where it was done. */
export type OnStock = (levels: readonly StockLevel[]) => void;

/** The levels among the rows that a transaction returned. */
export function levelsIn(rows: readonly (readonly SqlRow[])[]): readonly StockLevel[] {
  return rows.flat().flatMap((row) => (row.variant_id === undefined ? [] : [toStockLevel(row)]));
}

/** Why these cannot be held now; undefined where they can. */
export async function findShortage(
  database: Database,
  reservations: readonly Reservation[],
  supply: Supply,
): Promise<RefundReason | undefined> {
  const stock = ofStock(reservations).filter(({ isUnbounded }) => isUnbounded !== true);
  const levels = await readStockOf(
    database,
    stock.map(({ id }) => id),
  );
  const left = new Map(levels.map(({ variantId, quantity, held }) => [variantId, quantity - held]));
  if (stock.some(({ id, units }) => (left.get(id) ?? supply.quantity(id) ?? 0) < units)) return "out_of_stock";
  const balances = ofBalances(reservations);
  const drawn = await readDrawn(database, balances);
  const isShort = balances.some(
    ({ kind, id, units, loaded = 0 }) => loaded - (drawn.get(`${kind} ${id}`) ?? 0) < units,
  );
  return isShort ? "balance_used_up" : undefined;
}

/** What is spent and held. @returns "gift_card <id>" -> minor units */
export async function readDrawn(
  database: Database,
  balances: readonly Pick<BalanceReservation, "kind" | "id">[],
): Promise<Map<string, number>> {
  if (balances.length === 0) return new Map();
  const places = balances.map((_, index) => `($${index * 2 + 1}, $${index * 2 + 2})`).join(", ");
  const rows = await database.read(
    `SELECT kind, id, spent + held AS drawn FROM balances WHERE (kind, id) IN (VALUES ${places})`,
    balances.flatMap(({ kind, id }) => [kind, id]),
  );
  return new Map(rows.map((row) => [`${row.kind} ${row.id}`, Number(row.drawn)]));
}

type BalanceReservation = Reservation & { readonly kind: "gift_card" | "store_credit" };

function ofStock(reservations: readonly Reservation[]): readonly Reservation[] {
  return reservations.filter(({ kind }) => kind === "stock");
}

/** In one order for all, so that nobody waits for another's rows crosswise. */
export function ofBalances(reservations: readonly Reservation[]): readonly BalanceReservation[] {
  const balances = reservations.filter((one): one is BalanceReservation => one.kind !== "stock");
  return balances.toSorted((a, b) => (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1));
}

const ensureBalance = "INSERT INTO balances (kind, id, spent, held) VALUES ($1, $2, 0, 0) ON CONFLICT DO NOTHING";
const holdBalance = `UPDATE balances SET held = held + CAST($3 AS BIGINT)
  WHERE kind = $1 AND id = $2 AND spent + held + CAST($3 AS BIGINT) <= CAST($4 AS BIGINT)`;
const releaseBalance = "UPDATE balances SET held = held - CAST($3 AS BIGINT) WHERE kind = $1 AND id = $2";
const takeBalance = `UPDATE balances SET spent = spent + CAST($3 AS BIGINT), held = held - CAST($3 AS BIGINT)
  WHERE kind = $1 AND id = $2 AND held >= CAST($3 AS BIGINT)`;
const giveBackBalance = "UPDATE balances SET spent = spent - CAST($3 AS BIGINT) WHERE kind = $1 AND id = $2";
