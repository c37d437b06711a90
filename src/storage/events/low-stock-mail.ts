import type { Order } from "../../checkout/order.ts";
import type { Statement } from "../database.ts";
import { emitComputedEvent, FIRST_PAYLOAD_PARAMETER } from "./outbox.ts";

/** Payload of the event "mail.low_stock". */
export interface LowStockPayload {
  readonly order: { readonly id: string };
  /** Units on hand after the order by variant ID, of the variants that the order reduced to few units. */
  readonly quantities: Readonly<Record<string, number>>;
}

/**
 * Returns statements that ask for an email about the variants that an order reduced from more than `level` units to
 * `level` units or less. They must run in the transaction of the order, after its sale, so that exactly one order has
 * the email, on any number of servers. They add no event if there is no such variant.
 * @param id permanent ID of the event: at least 128 random bits
 * @param level units on hand; 0 for no email
 */
export function emitLowStockMail({ id, order, level }: LowStockInput): readonly Statement[] {
  const units = new Map<string, number>();
  for (const { kind, id: variantId, units: soldUnits } of order.content.reservations)
    if (kind === "stock") units.set(variantId, (units.get(variantId) ?? 0) + soldUnits);
  if (level === 0 || units.size === 0 || order.content.isTest === true) return [];
  const values = [...units].map((_, index) => {
    const [variantId, name, count] = [2, 3, 4].map((offset) => `$${FIRST_PAYLOAD_PARAMETER + offset + index * 3}`);
    return `(CAST(${variantId} AS TEXT), CAST(${name} AS TEXT), CAST(${count} AS BIGINT))`;
  });
  const [start, maxQuantity] = [0, 1].map((offset) => `$${FIRST_PAYLOAD_PARAMETER + offset}`);
  const payload: Pick<LowStockPayload, "order"> = { order: { id: order.id } };
  return emitComputedEvent(
    { id, type: "mail.low_stock", orderKey: order.id, createdAt: order.createdAt },
    {
      text: `CAST(${start} AS TEXT) || computed.quantities || '}}'`,
      query: `SELECT string_agg(v.column2 || ':' || s.quantity, ',') AS quantities
        FROM (VALUES ${values.join(", ")}) AS v JOIN stock_levels s ON s.variant_id = v.column1
        WHERE s.quantity <= CAST(${maxQuantity} AS BIGINT) AND s.quantity + v.column3 > CAST(${maxQuantity} AS BIGINT)
        HAVING COUNT(*) > 0`,
      params: [
        `${JSON.stringify(payload).slice(0, -1)},"quantities":{`,
        level,
        ...[...units].flatMap(([variantId, count]) => [variantId, JSON.stringify(variantId), count]),
      ],
    },
  );
}

interface LowStockInput {
  readonly id: string;
  readonly order: Order;
  readonly level: number;
}
