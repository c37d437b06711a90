import type { Order } from "../checkout/order.ts";
import { selectOrders, toOrder } from "./checkouts/order-store.ts";
import type { Database, Statement } from "./database.ts";
import { scaleOf } from "./forward-decay.ts";
import { dayOf } from "./searches/visit-log.ts";
import { sweepRows } from "./sweeping.ts";

/** What was bought before is forgotten: a 64th of its weight is left then. */
const KEPT_DAYS = 180;
/** A product counts once so many have bought it: a few may be the merchant's friends. */
const MIN_BUYERS = 5;
/** Products that are shown at most, the heaviest of them. */
const MAX_PRODUCTS = 5_000;
/** Orders read at once. */
const PAGE_SIZE = 100;
/** Milliseconds by which an order may be seen later than it says that it changed: a commit takes its time, and clocks differ. */
const OVERLAP_MS = 20_000;
const DAY_MS = 86_400_000;

/** A product that enough buyers bought. */
export interface BoughtProduct {
  /** The product's. */
  readonly id: string;
  /** Buyers, those of long ago counting less. */
  readonly weight: number;
}

/** Counts what was bought in orders that changed since it was counted last, by any server. An order that is read again changes nothing, so several servers
 *  may count at once. What was not paid for, and what was given away, does not count; what is cancelled counts no more.
 *  @param isFirst this server has not counted yet: some of the last orders are read again, as another may have stopped before it saw all of them
 *  @param digest keyed; buyers are kept as what it gives  @returns whether what was bought before today is otherwise now */
export async function countPurchases(
  database: Database,
  parts: { readonly now: number; readonly isFirst: boolean; readonly digest: (text: string) => string },
): Promise<boolean> {
  const { now, isFirst, digest } = parts;
  const [row] = await database.read("SELECT last FROM sequences WHERE name = 'purchases'");
  const next = Number(row?.last) + 1;
  const from = Math.min(isFirst ? next - OVERLAP_MS : next, now - OVERLAP_MS);
  let after = { at: Math.max(from, now - KEPT_DAYS * DAY_MS), number: 0 };
  for (let hasChanged = false; ; ) {
    const rows = await database.read(
      `${selectOrders} WHERE updated_at >= $1 AND (updated_at > $1 OR number > $2) ORDER BY updated_at, number LIMIT ${PAGE_SIZE}`,
      [after.at, after.number],
    );
    const orders = rows.map(toOrder);
    const last = orders.at(-1);
    if (last === undefined) return hasChanged;
    after = { at: last.updatedAt, number: last.number };
    const changed = await database.write([
      ...orders.flatMap((order) => statementsOf(order, digest)),
      countedTo(last.updatedAt),
    ]);
    hasChanged ||= changed.flat().some(({ day }) => Number(day) < dayOf(now));
  }
}

/** What enough buyers bought before today, the heaviest first. It changes as a day begins, so that nobody sees what one purchase does. A buyer counts once,
 *  by the last purchase. */
export async function boughtProducts(database: Database, now: number): Promise<readonly BoughtProduct[]> {
  const day = dayOf(now);
  const rows = await database.read(
    `SELECT product, SUM(weight) AS weight FROM
        (SELECT product, buyer, MAX(weight) AS weight FROM purchases WHERE day >= $1 AND day < $2 GROUP BY product, buyer) AS last
      GROUP BY product HAVING COUNT(*) >= ${MIN_BUYERS} ORDER BY SUM(weight) DESC, product LIMIT ${MAX_PRODUCTS}`,
    [day - KEPT_DAYS, day],
  );
  return rows.map(({ product, weight }) => ({ id: String(product), weight: Number(weight) / scaleOf(day) }));
}

/** Deletes purchases of long ago. */
export async function sweepPurchases(database: Database, now: number): Promise<void> {
  const key = ["product", "order_number"];
  await sweepRows(database, { table: "purchases", key, where: "day < $1", bound: dayOf(now) - KEPT_DAYS });
}

function statementsOf(order: Order, digest: (text: string) => string): readonly Statement[] {
  if (order.payment !== "paid") return [];
  const { priced } = order.content;
  const products = new Set(priced.lines.flatMap((line) => (line.finalLinePrice > 0 ? [line.product.id] : [])));
  const buyer = digest(buyerOf(order));
  const day = dayOf(order.createdAt);
  return Array.from(products, (product) =>
    order.state === "cancelled"
      ? {
          sql: "DELETE FROM purchases WHERE product = $1 AND order_number = $2 RETURNING day",
          params: [product, order.number],
        }
      : {
          sql: `INSERT INTO purchases (product, buyer, order_number, day, weight) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT DO NOTHING RETURNING day`,
          params: [product, buyer, order.number, day, scaleOf(day)],
        },
  );
}

/** Who bought: known by the address of the order's mails. Where whoever took the payment asked for it, by the account; without one each order has a buyer of its own. */
function buyerOf({ id, content: { delivery, customerId } }: Order): string {
  if (delivery !== undefined) return `mail ${delivery.email.trim().toLowerCase()}`;
  return customerId === undefined ? `order ${id}` : `customer ${customerId}`;
}

function countedTo(at: number): Statement {
  return { sql: "UPDATE sequences SET last = $1 WHERE name = 'purchases' AND last < $1", params: [at] };
}
