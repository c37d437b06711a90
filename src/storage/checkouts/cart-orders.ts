import type { StoredCart } from "../../cart/cart-store.ts";
import type { CheckoutSnapshot } from "../../checkout/checkout-snapshot.ts";
import { type OrderedCartResources, removeOrderedItems } from "../cart-databases/ordered-carts.ts";
import type { Statement } from "../database.ts";
import { checkoutColumns, toCheckout } from "./checkout-rows.ts";

/** A consistent snapshot of a cart and its orders. */
export interface CartOrders {
  readonly cart: StoredCart | undefined;
  /** Completed checkout whose order already contains items of the given checkout; undefined if there is none. */
  readonly orderedCheckout: CheckoutSnapshot | undefined;
  /**
   * Statement that fails the transaction if the cart was ordered again in the meantime. Must run after
   * `stockNumberStatement`.
   */
  readonly unchangedCondition: Statement;
}

/**
 * Finds an order that already contains items of a checkout. Such an order exists if another checkout of the same cart
 * revision is completed, or if an order of another revision removed a line of this checkout from the cart. Lines that
 * the shopper removed do not count as ordered.
 */
export async function readCartOrders(
  parts: OrderedCartResources,
  {
    cartId,
    cartCheckoutId,
    revision,
    content,
  }: Pick<CheckoutSnapshot, "cartId" | "cartCheckoutId" | "revision" | "content">,
): Promise<CartOrders> {
  const { database, carts } = parts;
  const completedFilterSql = "cart_checkout_id = $1 AND state = 'completed'";
  const rowsPromise = database.read(`SELECT revision FROM checkouts WHERE ${completedFilterSql}`, [cartCheckoutId]);
  // A cart in another database may still contain the items of these orders, so it is read after their removal. If a
  // later order commits meanwhile, the condition fails.
  const readCart = async (): Promise<StoredCart | undefined> => {
    if (carts.getSeparateDatabase?.(cartId) !== undefined && (await rowsPromise).length > 0)
      await removeOrderedItems(parts, cartId);
    return carts.findStoredCart(cartId);
  };
  const [rows, cart] = await Promise.all([rowsPromise, readCart()]);
  const unchangedCondition = {
    sql: `SELECT 1 AS one WHERE (SELECT COUNT(*) FROM checkouts WHERE ${completedFilterSql}) = CAST($2 AS BIGINT)`,
    params: [cartCheckoutId, rows.length],
    requireRows: 1,
  };
  const remainingQuantities = new Map(cart?.lines.map(({ key, quantity }) => [key, quantity]));
  const missingLines = content.priced.cart.lines.filter(
    ({ key, quantity }) => (remainingQuantities.get(key) ?? 0) < quantity,
  );
  const hasSameRevision = rows.some((row) => Number(row.revision) === revision);
  if (rows.length === 0 || (missingLines.length === 0 && !hasSameRevision))
    return { cart, orderedCheckout: undefined, unchangedCondition };
  // The contents of checkouts are read separately, because they are large and seldom needed.
  const completedCheckouts = (
    await database.read(`SELECT ${checkoutColumns} FROM checkouts WHERE ${completedFilterSql}`, [cartCheckoutId])
  ).map(toCheckout);
  const missingKeys = new Set(missingLines.map(({ key }) => key));
  const orderedCheckout =
    completedCheckouts.find((candidate) => candidate.revision === revision) ??
    completedCheckouts.find((candidate) => candidate.content.priced.cart.lines.some(({ key }) => missingKeys.has(key)));
  return { cart, orderedCheckout, unchangedCondition };
}
