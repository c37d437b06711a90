import type { StockLevel } from "../../catalog/stock.ts";
import type { CheckoutSnapshot, Reservation } from "../../checkout/checkout-snapshot.ts";
import type { RefundReason } from "../../checkout/order.ts";
import { readCatalogState } from "../catalog/catalog-store.ts";
import { readCatalogStock } from "../catalog/lookups.ts";
import type { Database, SqlRow, Statement } from "../database.ts";
import {
  adjustStock,
  ensureStockRows,
  readStockLevels,
  releaseStock,
  reserveStock,
  sellStock,
  toStockLevel,
} from "../stock-store.ts";

/**
 * Available stock of the variants in reservations, read from the database, because a server's index may be a few
 * seconds old.
 */
export interface AvailableStock {
  readonly revision: number;
  /** Catalog stock by variant ID, for variants without a row in the stock table. Undefined if stock is not tracked. */
  readonly catalogStock: ReadonlyMap<string, number | undefined>;
  /** Returns the stock of one of these variants: units on hand, and reserved units. */
  level(variantId: string): Pick<StockLevel, "quantity" | "reserved">;
}

/**
 * Reads the stock that {@link createReserveStatements} needs. The transaction fails if the catalog changes before the
 * reservation.
 */
export async function readAvailableStock(
  database: Database,
  reservations: readonly Reservation[],
): Promise<AvailableStock> {
  const ids = listStockReservations(reservations).map(({ id }) => id);
  const [storedLevels, { revision }] = await Promise.all([readStockLevels(database, ids), readCatalogState(database)]);
  const levels = new Map(storedLevels.map((level) => [level.variantId, level]));
  const missingIds = ids.filter((id) => !levels.has(id));
  const catalogStock = missingIds.length === 0 ? new Map() : await readCatalogStock(database, revision, missingIds);
  return {
    revision,
    catalogStock,
    level: (id) => levels.get(id) ?? { quantity: catalogStock.get(id) ?? 0, reserved: 0 },
  };
}

/** Returns statements that reserve all items. The transaction fails if stock or a balance is too low. */
export function createReserveStatements(
  reservations: readonly Reservation[],
  availableStock: AvailableStock,
): readonly Statement[] {
  const stock = [...availableStock.catalogStock].flatMap(([variantId, quantity]) =>
    quantity === undefined ? [] : [{ variantId, quantity }],
  );
  return [
    ...ensureStockRows(stock, availableStock.revision),
    ...selectTrackedStock(reservations, availableStock).map(({ id, units, isUnbounded }) =>
      reserveStock(id, units, isUnbounded === true ? "continue" : "deny"),
    ),
    ...listBalanceReservations(reservations).flatMap(({ kind, id, units, loaded = 0 }) => [
      { sql: ensureBalanceSql, params: [kind, id] },
      { sql: reserveBalanceSql, params: [kind, id, units, loaded], requireRows: 1 },
    ]),
  ];
}

export function createReleaseStatements(reservations: readonly Reservation[]): readonly Statement[] {
  return [
    ...listStockReservations(reservations).map(({ id, units }) => releaseStock(id, units)),
    ...changeBalances(reservations, releaseBalanceSql),
  ];
}

/** Returns statements that record the reserved items as sold. */
export function createSaleStatements(reservations: readonly Reservation[]): readonly Statement[] {
  return [
    ...listStockReservations(reservations).map(({ id, units }) => sellStock(id, units)),
    ...changeBalances(reservations, spendBalanceSql).map((statement) => ({ ...statement, requireRows: 1 })),
  ];
}

/** Returns statements that restore the stock and balances of a canceled order. */
export function createRestoreStatements(reservations: readonly Reservation[]): readonly Statement[] {
  const stock = listStockReservations(reservations).map(({ id, units }) => ({ variantId: id, units }));
  return [
    // Allow missing rows: a variant that is no longer sold has no stock level.
    ...adjustStock(stock).map((statement) => ({ ...statement, requireRows: 0 })),
    ...changeBalances(reservations, refundBalanceSql),
  ];
}

function changeBalances(reservations: readonly Reservation[], sql: string): readonly Statement[] {
  return listBalanceReservations(reservations).map(({ kind, id, units }) => ({ sql, params: [kind, id, units] }));
}

/**
 * Receives the stock levels that a transaction has set, after its commit, so that this process shows them immediately.
 */
export type StockListener = (levels: readonly StockLevel[]) => void;

/**
 * Returns the stock levels from the result rows of a transaction. If a variant was released and reserved again, only
 * its last row is valid.
 */
export function findStockLevels(rows: readonly (readonly SqlRow[])[]): readonly StockLevel[] {
  const levels = rows.flat().flatMap((row) => (row.variant_id === undefined ? [] : [toStockLevel(row)]));
  return [...new Map(levels.map((level) => [level.variantId, level])).values()];
}

/** Subtracts the units that are already reserved for the same cart. */
export function subtractReservedUnits(
  requestedReservations: readonly Reservation[],
  openCheckout: Pick<CheckoutSnapshot, "content"> | undefined,
): readonly Reservation[] {
  const existingReservations = openCheckout?.content.reservations ?? [];
  return requestedReservations.map((reservation) => {
    const units =
      existingReservations.find(({ kind, id }) => kind === reservation.kind && id === reservation.id)?.units ?? 0;
    return { ...reservation, units: reservation.units - units };
  });
}

/** Returns the reason why these items cannot be reserved; undefined if they can. */
export async function findShortage(
  database: Database,
  reservations: readonly Reservation[],
  availableStock: AvailableStock,
): Promise<RefundReason | undefined> {
  const stock = selectTrackedStock(reservations, availableStock).filter(({ isUnbounded }) => isUnbounded !== true);
  const countAvailableUnits = ({ quantity, reserved }: Pick<StockLevel, "quantity" | "reserved">): number =>
    quantity - reserved;
  if (stock.some(({ id, units }) => countAvailableUnits(availableStock.level(id)) < units)) return "out_of_stock";
  const balances = listBalanceReservations(reservations);
  const usedAmounts = await readUsedBalances(database, balances);
  const isBalanceTooLow = balances.some(
    ({ kind, id, units, loaded = 0 }) => loaded - (usedAmounts.get(`${kind} ${id}`) ?? 0) < units,
  );
  return isBalanceTooLow ? "balance_used_up" : undefined;
}

/**
 * Reads the spent and reserved amounts of gift cards and store credit.  @returns minor units by kind and ID, such as
 * "gift_card 12"
 */
export async function readUsedBalances(
  database: Database,
  balances: readonly Pick<BalanceReservation, "kind" | "id">[],
): Promise<Map<string, number>> {
  if (balances.length === 0) return new Map();
  const placeholders = balances.map((_, index) => `($${index * 2 + 1}, $${index * 2 + 2})`).join(", ");
  const rows = await database.read(
    `SELECT kind, id, spent + held AS drawn FROM balances WHERE (kind, id) IN (VALUES ${placeholders})`,
    balances.flatMap(({ kind, id }) => [kind, id]),
  );
  return new Map(rows.map((row) => [`${row.kind} ${row.id}`, Number(row.drawn)]));
}

type BalanceReservation = Reservation & { readonly kind: "gift_card" | "store_credit" };

function listStockReservations(reservations: readonly Reservation[]): readonly Reservation[] {
  return reservations.filter(({ kind }) => kind === "stock");
}

/** Returns stock reservations, except those of variants whose stock is no longer tracked. */
function selectTrackedStock(
  reservations: readonly Reservation[],
  { catalogStock }: AvailableStock,
): readonly Reservation[] {
  return listStockReservations(reservations).filter(
    ({ id }) => !catalogStock.has(id) || catalogStock.get(id) !== undefined,
  );
}

/** Returns balance reservations in a fixed order, which prevents deadlocks. */
function listBalanceReservations(reservations: readonly Reservation[]): readonly BalanceReservation[] {
  const balances = reservations.filter(
    (reservation): reservation is BalanceReservation => reservation.kind !== "stock",
  );
  return balances.toSorted((a, b) => (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1));
}

const ensureBalanceSql = "INSERT INTO balances (kind, id, spent, held) VALUES ($1, $2, 0, 0) ON CONFLICT DO NOTHING";
const reserveBalanceSql = `UPDATE balances SET held = held + CAST($3 AS BIGINT)
  WHERE kind = $1 AND id = $2 AND spent + held + CAST($3 AS BIGINT) <= CAST($4 AS BIGINT)`;
const releaseBalanceSql = "UPDATE balances SET held = held - CAST($3 AS BIGINT) WHERE kind = $1 AND id = $2";
const spendBalanceSql = `UPDATE balances SET spent = spent + CAST($3 AS BIGINT), held = held - CAST($3 AS BIGINT)
  WHERE kind = $1 AND id = $2 AND held >= CAST($3 AS BIGINT)`;
const refundBalanceSql = "UPDATE balances SET spent = spent - CAST($3 AS BIGINT) WHERE kind = $1 AND id = $2";
