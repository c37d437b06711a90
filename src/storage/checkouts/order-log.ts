import type { ChangeActor } from "../../catalog/catalog-log.ts";
import type { OrderOperationType } from "../../checkout/order-operations.ts";
import type { OrderLogEntry } from "../../checkout/orders.ts";
import { readActor } from "../catalog/catalog-log-store.ts";
import type { Database, Statement } from "../database.ts";

/** Adds an entry to the log.  @param id unique ID; the transaction fails if the log contains it */
export function insertLogEntry(id: string, orderId: string, { at, by, operation, details }: OrderLogEntry): Statement {
  return {
    sql: `INSERT INTO order_log (id, order_id, at, source, token_id, token_name, operation, details)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`,
    params: [
      ...[id, orderId, at, by.source, by.token?.id ?? null, by.token?.name ?? null],
      ...[operation, JSON.stringify(details)],
    ],
    requireRows: 1,
  };
}

/** Returns the source of a logged change; undefined if the log does not contain it. */
export async function readLogSource(database: Database, id: string): Promise<ChangeActor["source"] | undefined> {
  const [row] = await database.read("SELECT source FROM order_log WHERE id = $1", [id]);
  return row?.source as ChangeActor["source"] | undefined;
}

/** Reads the log of an order, oldest first. */
export async function readOrderLog(database: Database, orderId: string): Promise<readonly OrderLogEntry[]> {
  const rows = await database.read(
    `SELECT at, source, token_id, token_name, operation, details FROM order_log WHERE order_id = $1 ORDER BY at, id`,
    [orderId],
  );
  return rows.map(({ at, operation, details, ...actor }) => ({
    at: Number(at),
    by: readActor(actor),
    operation: String(operation) as OrderOperationType,
    details: JSON.parse(String(details)) as OrderLogEntry["details"],
  }));
}
