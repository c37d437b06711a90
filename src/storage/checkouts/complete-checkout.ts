import type { Cart, Line } from "../../cart/cart.ts";
import type { SaveOutcome, StoredCart } from "../../cart/cart-store.ts";
import type { CartWriter } from "../../cart/writer/cart-writer.ts";
import type { CheckoutSnapshot } from "../../checkout/checkout-snapshot.ts";
import type { NewCheckout } from "../../checkout/checkouts.ts";
import type { CompletionResult, Order, Payment, RefundReason } from "../../checkout/order.ts";
import type { StoredCarts } from "../cart-store.ts";
import { type Database, DatabaseUnavailable, type Statement } from "../database.ts";
import { findUsedUpFor, takeUse } from "../discount-uses.ts";
import { emit } from "../events/outbox.ts";
import { readStockOf, takeStockNumber } from "../stock-store.ts";
import { writeWithRetry } from "../write-with-retry.ts";
import { readCartOrders } from "./cart-orders.ts";
import { close, insertViewed, readCheckout, readOne } from "./checkout-rows.ts";
import { insertOrder, nextOrderNumber, orderJson, readOrder } from "./order-store.ts";
import { findPayment, insertPayment, type PaymentParts, settleOrder, storeForRefund } from "./payments.ts";
import { findShortage, type OnStock, readSupply, reserve, type Supply, sell, withoutReserved } from "./reservations.ts";

/** Maximum attempts while other requests change the same rows. */
const MAX_TRIES = 12;

export interface CompletionParts extends PaymentParts {
  readonly carts: Pick<StoredCarts, "findStored">;
  readonly cartWriter: Pick<CartWriter<Statement>, "saveWithStatements">;
  readonly onStock: OnStock;
}

/**
 * Completes a checkout. Each attempt reads the current state, and writes on condition that the state is unchanged. If
 * the response to a commit is lost, the next attempt finds the stored payment.
 * @see Checkouts.complete
 */
export async function completeCheckout(
  parts: CompletionParts,
  given: string | NewCheckout,
  payment: Payment | undefined,
  now: number,
): Promise<CompletionResult> {
  const { database } = parts;
  const id = typeof given === "string" ? given : given.id;
  let number: number | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const reading = readCheckout(database, id);
    const about = typeof given === "string" ? await reading : given;
    if (about === undefined) return { outcome: "unknown" };
    const [stored, { cart, ordered, unchanged }, other, supply] = await Promise.all([
      reading,
      readCartOrders(database, about, parts.carts.findStored(about.cartId)),
      readOne(database, "cart_checkout_id = $1 AND state = 'open'", about.cartCheckoutId),
      readSupply(database, about.content.reservations),
    ]);
    const checkout: CheckoutSnapshot = stored ?? { ...about, state: "new", createdAt: now };
    const answered = payment === undefined ? undefined : await findPayment(database, checkout, payment);
    if (answered !== undefined) return answered;
    const orderId = checkout.orderId ?? ordered?.orderId;
    if (orderId !== undefined) {
      const settled = await settleOrder(parts, { checkoutId: id, orderId }, payment, now);
      if (settled !== undefined) return settled;
      continue;
    }
    const rival = other === undefined || other.id === id ? undefined : other;
    const at = { isStored: stored !== undefined, supply, rival, unchanged, now };
    const lacking = await findLacking(database, checkout, at);
    if (lacking !== undefined) {
      if (payment === undefined) return { outcome: "refund_due", reason: lacking };
      // An order of the same cart may have taken the stock in the meantime.
      if (await hasMoved(parts, checkout, stored)) continue;
      if (await storeForRefund(parts, checkout, payment, lacking, now))
        return { outcome: "refund_due", reason: lacking };
      continue;
    }
    number ??= await nextOrderNumber(database);
    const order = newOrder(checkout, { id: parts.newId(), number, now, payment });
    const outcome = await write(parts, cart, orderStatements(parts, checkout, order, payment, at), order);
    if (outcome === "saved") {
      await reportStock(parts, checkout);
      return { outcome: "ordered", order };
    }
    if (outcome === "too late") throw new DatabaseUnavailable("the completion could not start in time");
  }
  throw new DatabaseUnavailable("the checkout was changed repeatedly by other requests");
}

/** Returns whether a checkout changed since it was read, or its cart was ordered. */
async function hasMoved(
  { database, carts }: CompletionParts,
  checkout: CheckoutSnapshot,
  stored: CheckoutSnapshot | undefined,
): Promise<boolean> {
  if ((await readCheckout(database, checkout.id))?.state !== stored?.state) return true;
  return (await readCartOrders(database, checkout, carts.findStored(checkout.cartId))).ordered !== undefined;
}

/**
 * Reports the new stock levels to this process. Ignores errors, because the order is placed, and the server's next poll
 * reads the levels again.
 */
async function reportStock({ database, onStock }: CompletionParts, { content }: CheckoutSnapshot): Promise<void> {
  const sold = content.reservations.filter(({ kind }) => kind === "stock").map(({ id }) => id);
  await readStockOf(database, sold).then(onStock, () => undefined);
}

function newOrder(
  { id: checkoutId, content }: CheckoutSnapshot,
  of: { readonly id: string; readonly number: number; readonly now: number; readonly payment: Payment | undefined },
): Order {
  const { id, number, now, payment } = of;
  const isPaid = payment !== undefined || content.amount === 0;
  return {
    ...{ id, number, checkoutId, content, createdAt: now, updatedAt: now, state: "open", notes: [] },
    payment: isPaid ? "paid" : "unpaid",
    ...(payment === undefined ? {} : { reference: payment.reference }),
  };
}

interface CompletionTime {
  /** Whether the checkout has a row. */
  readonly isStored: boolean;
  readonly supply: Supply;
  /** Another open checkout of the same cart. Its reservations are released in the same transaction. */
  readonly rival: CheckoutSnapshot | undefined;
  /** See {@link CartOrders}. */
  readonly unchanged: Statement;
  readonly now: number;
}

/**
 * Returns the statements of an order, without the change of the cart. The transaction fails if the checkout changed, or
 * if an item is out of stock.
 */
function orderStatements(
  { newId }: CompletionParts,
  checkout: CheckoutSnapshot,
  order: Order,
  payment: Payment | undefined,
  { isStored, supply, rival, unchanged, now }: CompletionTime,
): readonly Statement[] {
  const { id, state, cartCheckoutId, content } = checkout;
  const { reservations, priced } = content;
  const eventParts = { orderKey: order.id, payload: { order: orderJson(order) }, createdAt: now };
  return [
    takeStockNumber,
    unchanged,
    ...(isStored ? [] : [insertViewed(checkout, now)]),
    {
      sql: "UPDATE checkouts SET state = 'completed', order_id = $2, network = NULL WHERE id = $1 AND state = $3",
      params: [id, order.id, state],
      requireRows: 1,
    },
    ...(rival === undefined ? [] : close(rival, "superseded")),
    ...(state === "open" ? [] : reserve(reservations, supply)),
    ...sell(reservations),
    ...priced.limitedDiscounts.flatMap((discount) => takeUse(discount, cartCheckoutId, order.id, now)),
    insertOrder(order),
    ...(payment === undefined ? [] : [insertPayment(payment, { checkoutId: id, orderId: order.id, now })]),
    ...emit({ ...eventParts, id: newId(), type: "order.created" }),
    ...(order.payment === "paid" ? emit({ ...eventParts, id: newId(), type: "order.paid" }) : []),
  ];
}

/** Stores the order and removes the ordered items from the cart, in one transaction. */
async function write(
  { database, cartWriter }: CompletionParts,
  cart: StoredCart | undefined,
  statements: readonly Statement[],
  order: Order,
): Promise<SaveOutcome> {
  const beginBy = performance.now() + database.beginMs;
  const isSaved = async (): Promise<boolean> => (await readOrder(database, order.id)) !== undefined;
  const left = cart === undefined ? undefined : withoutOrdered(cart, order.content.priced.cart);
  if (cart === undefined || left === undefined) return writeWithRetry(database, statements, { beginBy, isSaved });
  return cartWriter.saveWithStatements(cart, left, { now: order.createdAt, beginBy, additionalStatements: statements });
}

/**
 * Removes the ordered items from a cart. An empty cart also loses its note and codes.
 * @returns undefined if the cart contains no ordered item
 */
function withoutOrdered(cart: StoredCart, ordered: Cart): StoredCart | undefined {
  const quantities = new Map(ordered.lines.map(({ key, quantity }) => [key, quantity]));
  const lines = cart.lines.flatMap((line): readonly Line[] => {
    const quantity = line.quantity - (quantities.get(line.key) ?? 0);
    return quantity <= 0 ? [] : [quantity === line.quantity ? line : { ...line, quantity }];
  });
  if (lines.every((line, index) => line === cart.lines[index]) && lines.length === cart.lines.length) return undefined;
  const { note: _, ...unnoted } = cart;
  const rest = lines.length > 0 ? cart : { ...unnoted, discountCodes: [], giftCards: [] };
  return { ...rest, lines, revision: cart.revision + 1 };
}

/** Returns the reason why a checkout cannot become an order; undefined if it can. */
async function findLacking(
  database: Database,
  { state, cartCheckoutId, content }: CheckoutSnapshot,
  { supply, rival, now }: Pick<CompletionTime, "supply" | "rival" | "now">,
): Promise<RefundReason | undefined> {
  const used = await findUsedUpFor(database, content.priced.limitedDiscounts, cartCheckoutId, now);
  if (used) return "discount_used_up";
  if (state === "open") return undefined;
  return findShortage(database, withoutReserved(content.reservations, rival), supply);
}
