import type { Cart, Line } from "../../cart/cart.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import type { CartWriter } from "../../cart/writer/cart-writer.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import type { StoredCarts } from "../cart-store.ts";
import { readOrder } from "../checkouts/order-rows.ts";
import { type Database, DatabaseUnavailableError, type SqlRow, type Statement } from "../database.ts";
import { purgeRows } from "../purging.ts";
import { formatIdPrefix, getDatabaseName } from "./distributed-carts.ts";
import type { CartDatabases } from "./open-cart-databases.ts";

export interface OrderedCartResources {
  readonly database: Database;
  readonly carts: Pick<StoredCarts, "findStoredCart" | "getSeparateDatabase">;
  readonly cartWriter: Pick<CartWriter<Statement>, "saveWithStatements">;
}

/** Maximum attempts while other requests change the cart. */
const MAX_ATTEMPTS = 12;
/** Orders of one cart database per run of the background job. */
const BATCH_SIZE = 500;
/** Days for which a cart database remembers orders. The job would have to repeat an order after this time. */
const RETENTION_DAYS = 60;

/**
 * Removes the ordered items from a cart. If the cart is then empty, also removes its note and codes.
 * @returns undefined if the cart contains no ordered item
 */
export function subtractOrderedItems(cart: StoredCart, orderedCart: Cart): StoredCart | undefined {
  const quantities = new Map(orderedCart.lines.map(({ key, quantity }) => [key, quantity]));
  const lines = cart.lines.flatMap((line): readonly Line[] => {
    const quantity = line.quantity - (quantities.get(line.key) ?? 0);
    return quantity <= 0 ? [] : [quantity === line.quantity ? line : { ...line, quantity }];
  });
  if (lines.every((line, index) => line === cart.lines[index]) && lines.length === cart.lines.length) return undefined;
  const { note: _, ...cartWithoutNote } = cart;
  const baseCart = lines.length > 0 ? cart : { ...cartWithoutNote, discountCodes: [], giftCards: [] };
  return { ...baseCart, lines, revision: cart.revision + 1 };
}

/**
 * Returns the statement that records, in the transaction of an order, that its items must be removed from a cart in
 * another database. After the commit, {@link removeOrderedItems} must follow.
 */
export function insertOrderedCart(orderId: string, cartId: string, now: number): Statement {
  return {
    sql: "INSERT INTO ordered_carts (order_id, cart_id, ordered_at) VALUES ($1, $2, $3) ON CONFLICT (order_id) DO NOTHING",
    params: [orderId, cartId, now],
    requireRows: 1,
  };
}

/** Removes the items of all recorded orders from their cart, which is in another database. */
export async function removeOrderedItems(parts: OrderedCartResources, cartId: string): Promise<void> {
  const rows = await parts.database.read(`${selectSql} WHERE cart_id = $1`, [cartId]);
  for (const row of rows) await removeOrder(parts, toOrderedCart(row));
}

/**
 * Removes the items of all recorded orders from their carts, also those of a crashed server. Skips carts in databases
 * that are unavailable.
 */
export async function removeAllOrderedItems(parts: OrderedCartResources, databases: CartDatabases): Promise<void> {
  const failures: unknown[] = [];
  for (const { name, isAvailable } of databases.values()) {
    const prefix = formatIdPrefix(name);
    const rows = isAvailable()
      ? await parts.database.read(
          `${selectSql} WHERE SUBSTR(cart_id, 1, ${prefix.length}) = $1 ORDER BY ordered_at LIMIT ${BATCH_SIZE}`,
          [prefix],
        )
      : [];
    for (const row of rows)
      if (isAvailable()) await removeOrder(parts, toOrderedCart(row)).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Deletes old records of orders from a cart database. */
export async function purgeRemovedOrders(database: Database, now: number): Promise<void> {
  await purgeRows(database, {
    table: "removed_orders",
    keyColumns: ["order_id"],
    conditionSql: "removed_at < $1",
    boundValue: now - RETENTION_DAYS * DAY_MS,
  });
}

interface OrderedCart {
  readonly orderId: string;
  readonly cartId: string;
  /** Milliseconds since 1970. */
  readonly orderedAt: number;
}

const selectSql = "SELECT order_id, cart_id, ordered_at FROM ordered_carts";

function toOrderedCart({ order_id, cart_id, ordered_at }: SqlRow): OrderedCart {
  return { orderId: String(order_id), cartId: String(cart_id), orderedAt: Number(ordered_at) };
}

/**
 * Removes the items of an order from its cart. The transaction of the cart also records the order, so that the items are
 * removed once, even if several servers do so at the same time.
 */
async function removeOrder(
  { database, carts, cartWriter }: OrderedCartResources,
  { orderId, cartId, orderedAt }: OrderedCart,
): Promise<void> {
  const cartDatabase = carts.getSeparateDatabase?.(cartId);
  if (cartDatabase === undefined)
    throw new DatabaseUnavailableError(`the cart of an order is in the database "${getDatabaseName(cartId)}"`);
  const order = await readOrder(database, orderId);
  for (let attempt = 0; order !== undefined; attempt += 1) {
    if (attempt === MAX_ATTEMPTS) throw new DatabaseUnavailableError("other requests changed the cart repeatedly");
    const [row] = await cartDatabase.read("SELECT 1 AS one FROM removed_orders WHERE order_id = $1", [orderId]);
    const cart = row === undefined ? await carts.findStoredCart(cartId) : undefined;
    if (cart === undefined) break;
    const remainingCart = subtractOrderedItems(cart, order.content.priced.cart);
    const recordOrder: Statement = {
      sql: "INSERT INTO removed_orders (order_id, removed_at) VALUES ($1, $2) ON CONFLICT (order_id) DO NOTHING",
      params: [orderId, orderedAt],
      requireRows: 1,
    };
    // If the shopper has removed the items, the new revision only records the order.
    const outcome = await cartWriter.saveWithStatements(
      cart,
      remainingCart ?? { ...cart, revision: cart.revision + 1 },
      {
        now: orderedAt,
        startDeadline: performance.now() + cartDatabase.maxStartDelayMs,
        additionalStatements: [recordOrder],
      },
    );
    if (outcome === "saved") break;
    if (outcome === "timed out")
      throw new DatabaseUnavailableError("the cart of an order could not be changed in time");
  }
  await database.write([{ sql: "DELETE FROM ordered_carts WHERE order_id = $1", params: [orderId] }]);
}
