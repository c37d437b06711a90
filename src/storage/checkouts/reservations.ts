import type { StockLevel } from "../../catalog/stock.ts";
import type { CheckoutSnapshot, Reservation } from "../../checkout/checkout-snapshot.ts";
import type { RefundReason } from "../../checkout/order.ts";
import { readCatalogState } from "../catalog/catalog-store.ts";
import { readCatalogStock } from "../catalog/lookups.ts";
import type { Database, SqlRow, Statement } from "../database.ts";
import {
  adjustStock,
  ensureLevels,
  readStockOf,
  releaseStock,
  reserveStock,
  sellStock,
  toStockLevel,
} from "../stock-store.ts";

/**
 * Available stock of the variants in reservations, read from the database, because a server's index may be a few
 * seconds old.
 */
export interface Supply {
  readonly revision: number;
  /** Catalog stock of variants without a stock level, by variant ID. A value is undefined if stock is not tracked. */
  readonly stated: ReadonlyMap<string, number | undefined>;
  /** Returns the stock of one of these variants: units on hand, and reserved units. */
  level(variantId: string): Pick<StockLevel, "quantity" | "reserved">;
}

/** Reads the stock that {@link reserve} needs. The transaction fails if the catalog changes before the reservation. */
export async function readSupply(database: Database, reservations: readonly Reservation[]): Promise<Supply> {
  const ids = ofStock(reservations).map(({ id }) => id);
  const [known, { revision }] = await Promise.all([readStockOf(database, ids), readCatalogState(database)]);
  const levels = new Map(known.map((level) => [level.variantId, level]));
  const missing = ids.filter((id) => !levels.has(id));
  const stated = missing.length === 0 ? new Map() : await readCatalogStock(database, revision, missing);
  return { revision, stated, level: (id) => levels.get(id) ?? { quantity: stated.get(id) ?? 0, reserved: 0 } };
}

/** Returns statements that reserve everything. The transaction fails if stock or a balance is too low. */
export function reserve(reservations: readonly Reservation[], supply: Supply): readonly Statement[] {
  const stock = [...supply.stated].flatMap(([variantId, quantity]) =>
    quantity === undefined ? [] : [{ variantId, quantity }],
  );
  return [
    ...ensureLevels(stock, supply.revision),
    ...trackedStock(reservations, supply).map(({ id, units, isUnbounded }) =>
      reserveStock(id, units, isUnbounded === true ? "continue" : "deny"),
    ),
    ...ofBalances(reservations).flatMap(({ kind, id, units, loaded = 0 }) => [
      { sql: ensureBalance, params: [kind, id] },
      { sql: holdBalance, params: [kind, id, units, loaded], requireRows: 1 },
    ]),
  ];
}

/** Returns statements that release reservations. */
export function release(reservations: readonly Reservation[]): readonly Statement[] {
  return [
    ...ofStock(reservations).map(({ id, units }) => releaseStock(id, units)),
    ...ofBalances(reservations).map(({ kind, id, units }) => ({ sql: releaseBalance, params: [kind, id, units] })),
  ];
}

/** Returns statements that turn reservations into sales. */
export function sell(reservations: readonly Reservation[]): readonly Statement[] {
  return [
    ...ofStock(reservations).map(({ id, units }) => sellStock(id, units)),
    ...ofBalances(reservations).map(({ kind, id, units }) => ({
      sql: takeBalance,
      params: [kind, id, units],
      requireRows: 1,
    })),
  ];
}

/** Returns statements that restore the stock and balances of a canceled order. */
export function restore(reservations: readonly Reservation[]): readonly Statement[] {
  const stock = ofStock(reservations).map(({ id, units }) => ({ variantId: id, units }));
  return [
    // A variant that is no longer sold has no stock level.
    ...adjustStock(stock).map((statement) => ({ ...statement, requireRows: 0 })),
    ...ofBalances(reservations).map(({ kind, id, units }) => ({ sql: giveBackBalance, params: [kind, id, units] })),
  ];
}

/**
 * Receives the stock levels that a transaction has set, after its commit, so that this process shows them immediately.
 */
export type OnStock = (levels: readonly StockLevel[]) => void;

/**
 * Returns the stock levels among the rows of a transaction. If a variant was released and reserved again, both rows
 * have the same change number, and only the last was committed.
 */
export function levelsIn(rows: readonly (readonly SqlRow[])[]): readonly StockLevel[] {
  const levels = rows.flat().flatMap((row) => (row.variant_id === undefined ? [] : [toStockLevel(row)]));
  return [...new Map(levels.map((level) => [level.variantId, level])).values()];
}

/** Subtracts the units that are already reserved for the same cart. */
export function withoutReserved(
  requested: readonly Reservation[],
  open: Pick<CheckoutSnapshot, "content"> | undefined,
): readonly Reservation[] {
  const reserved = open?.content.reservations ?? [];
  return requested.map((one) => {
    const units = reserved.find(({ kind, id }) => kind === one.kind && id === one.id)?.units ?? 0;
    return { ...one, units: one.units - units };
  });
}

/** Returns the reason why these items cannot be reserved; undefined if they can. */
export async function findShortage(
  database: Database,
  reservations: readonly Reservation[],
  supply: Supply,
): Promise<RefundReason | undefined> {
  const stock = trackedStock(reservations, supply).filter(({ isUnbounded }) => isUnbounded !== true);
  const left = ({ quantity, reserved }: Pick<StockLevel, "quantity" | "reserved">): number => quantity - reserved;
  if (stock.some(({ id, units }) => left(supply.level(id)) < units)) return "out_of_stock";
  const balances = ofBalances(reservations);
  const used = await readUsedBalances(database, balances);
  const isShort = balances.some(({ kind, id, units, loaded = 0 }) => loaded - (used.get(`${kind} ${id}`) ?? 0) < units);
  return isShort ? "balance_used_up" : undefined;
}

/** Reads spent and reserved amounts.  @returns "gift_card <id>" -> minor units */
export async function readUsedBalances(
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

/** Returns stock reservations, except those of variants whose stock is no longer tracked. */
function trackedStock(reservations: readonly Reservation[], { stated }: Supply): readonly Reservation[] {
  return ofStock(reservations).filter(({ id }) => !stated.has(id) || stated.get(id) !== undefined);
}

/** Returns balance reservations in a fixed order, which prevents deadlocks. */
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
