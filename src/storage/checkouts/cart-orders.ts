import type { StoredCart } from "../../cart/cart-store.ts";
import type { CheckoutSnapshot } from "../../checkout/checkout-snapshot.ts";
import type { Database, Statement } from "../database.ts";
import { columns, toCheckout } from "./checkout-rows.ts";

/** A cart and its orders at one moment. */
export interface CartOrders {
  readonly cart: StoredCart | undefined;
  /** Completed checkout whose order already contains lines of the given checkout. */
  readonly ordered: CheckoutSnapshot | undefined;
  /**
   * Statement that fails the transaction if the cart was ordered again in the meantime. Requires `takeStockNumber`
   * before it.
   */
  readonly unchanged: Statement;
}

/**
 * Finds an order that already contains the content of a checkout. Either another checkout of the same revision is
 * completed, or an order of another revision removed a line of this checkout from the cart. A line that the shopper
 * removed is not ordered.
 * @param finding a read of the current cart, undefined if the cart no longer exists
 */
export async function readCartOrders(
  database: Database,
  { cartCheckoutId, revision, content }: Pick<CheckoutSnapshot, "cartCheckoutId" | "revision" | "content">,
  finding: Promise<StoredCart | undefined>,
): Promise<CartOrders> {
  const where = "cart_checkout_id = $1 AND state = 'completed'";
  const [rows, cart] = await Promise.all([
    database.read(`SELECT revision FROM checkouts WHERE ${where}`, [cartCheckoutId]),
    finding,
  ]);
  const unchanged = {
    sql: `SELECT 1 AS one WHERE (SELECT COUNT(*) FROM checkouts WHERE ${where}) = CAST($2 AS BIGINT)`,
    params: [cartCheckoutId, rows.length],
    requireRows: 1,
  };
  const left = new Map(cart?.lines.map(({ key, quantity }) => [key, quantity]));
  const lost = content.priced.cart.lines.filter(({ key, quantity }) => (left.get(key) ?? 0) < quantity);
  const hasSameRevision = rows.some((row) => Number(row.revision) === revision);
  if (rows.length === 0 || (lost.length === 0 && !hasSameRevision)) return { cart, ordered: undefined, unchanged };
  // Read separately, because the contents are large and seldom needed.
  const completed = (await database.read(`SELECT ${columns} FROM checkouts WHERE ${where}`, [cartCheckoutId])).map(
    toCheckout,
  );
  const keys = new Set(lost.map(({ key }) => key));
  const ordered =
    completed.find((one) => one.revision === revision) ??
    completed.find((one) => one.content.priced.cart.lines.some(({ key }) => keys.has(key)));
  return { cart, ordered, unchanged };
}
