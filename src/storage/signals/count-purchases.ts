import type { Order } from "../../checkout/order.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { dayOf } from "../../signals/decay.ts";
import { hashToNetworkBit } from "../../signals/privacy.ts";
import { selectOrdersSql, toOrder } from "../checkouts/order-rows.ts";
import { type Database, type Statement, tryWrite } from "../database.ts";
import { formatCountSql, signalsLockStatement } from "./count-signals.ts";

/** Maximum age in days of orders that count. After this time only 1/64 of the weight would remain. */
const MAX_AGE_DAYS = 180;
/** Number of orders counted in one transaction. */
const PAGE_SIZE = 100;
/** Maximum number of products in an order whose pairs are counted. Eight products have 28 pairs. */
const MAX_PAIRED_PRODUCTS = 8;

/**
 * Counts the sales of new paid orders, by product and by pair of products, and subtracts the sales of canceled orders.
 * Each order counts once, even if several servers count. Unpaid orders and free lines do not count.
 * @param digest keyed digest; only digests of buyers are stored
 * @returns whether sales before today have changed
 */
export async function countPurchases(
  database: Database,
  { now, digest }: { readonly now: number; readonly digest: (text: string) => string },
): Promise<boolean> {
  const startTime = now - MAX_AGE_DAYS * DAY_MS;
  for (let hasChanged = false; ; ) {
    const [newRows = [], canceledRows = []] = await Promise.all(
      [
        "counted = 0 AND payment = 'paid' AND state <> 'cancelled' AND created_at >= $1",
        "counted = 1 AND state = 'cancelled' AND created_at >= $1",
      ].map((condition) =>
        database.read(`${selectOrdersSql} WHERE ${condition} ORDER BY created_at, number LIMIT ${PAGE_SIZE}`, [
          startTime,
        ]),
      ),
    );
    const orders = [
      ...newRows.map((row) => ({ order: toOrder(row), count: 1 as const })),
      ...canceledRows.map((row) => ({ order: toOrder(row), count: -1 as const })),
    ];
    if (orders.length === 0) return hasChanged;
    const results = await tryWrite(database, [
      signalsLockStatement,
      ...orders.flatMap(({ order, count }) => createOrderStatements(order, count, digest)),
    ]);
    // Another server counted some of these orders first.
    if (results === undefined) continue;
    hasChanged ||= orders.some(({ order }) => dayOf(order.createdAt) < dayOf(now));
  }
}

/** Returns the statements that count an order.  @param count 1 to count the order, -1 to subtract it */
function createOrderStatements(order: Order, count: 1 | -1, digest: (text: string) => string): readonly Statement[] {
  const products = [
    ...new Set(order.content.priced.lines.flatMap((line) => (isFreeLine(line) ? [] : [line.product.id]))),
  ];
  const pairs = listIdPairs(products.slice(0, MAX_PAIRED_PRODUCTS));
  const sales = [
    ...products.map((product) => ["bought", product] as const),
    ...pairs.map((pair) => ["bought_together", JSON.stringify(pair)] as const),
  ];
  return [
    {
      sql: "UPDATE orders SET counted = $2 WHERE id = $1 AND counted = $3",
      params: count > 0 ? [order.id, 1, 0] : [order.id, 2, 1],
      requireRows: 1,
    },
    ...sales.map(([kind, product]) => ({
      sql: formatCountSql("VALUES ($1, $5, '', '', $2, $3, $4)"),
      params: [
        dayOf(order.createdAt),
        product,
        count > 0 ? hashToNetworkBit(digest(JSON.stringify([product, getBuyerKey(order)]))) : 0,
        count,
        kind,
      ],
    })),
  ];
}

/** Returns whether discounts take off the entire price of a line. A code can make a cheap order free. */
function isFreeLine({ finalLinePrice, cartShares }: Order["content"]["priced"]["lines"][number]): boolean {
  return cartShares.reduce((price, { amount }) => price - amount, finalLinePrice) <= 0;
}

/** Returns all pairs of the ids. The two ids of a pair are sorted. */
function listIdPairs(ids: readonly string[]): readonly (readonly string[])[] {
  const sortedIds = ids.toSorted();
  return sortedIds.flatMap((id, index) => sortedIds.slice(index + 1).map((otherId) => [id, otherId]));
}

/**
 * Identifies the buyer by email address. If only the payment provider knows the address, identifies the buyer by
 * account, or else by order.
 */
function getBuyerKey({ id, content: { delivery, customerId } }: Order): string {
  if (delivery !== undefined) return `mail ${delivery.email.trim().toLowerCase()}`;
  return customerId === undefined ? `order ${id}` : `customer ${customerId}`;
}
