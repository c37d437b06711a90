import type { SaveOutcome, StoredCart } from "../../cart/cart-store.ts";
import type { CheckoutSnapshot } from "../../checkout/checkout-snapshot.ts";
import type { NewCheckout } from "../../checkout/checkouts.ts";
import type { NewInvoice } from "../../checkout/invoice.ts";
import type { CompletionResult, Order, Payment, RefundReason } from "../../checkout/order.ts";
import { insertOrderedCart, type OrderedCartResources, subtractOrderedItems } from "../cart-databases/ordered-carts.ts";
import { type Database, DatabaseUnavailableError, type Statement } from "../database.ts";
import { confirmDiscountUse, hasUsedUpDiscount } from "../discount-uses.ts";
import { emitLowStockMail } from "../events/low-stock-mail.ts";
import { emitEvent } from "../events/outbox.ts";
import { readStockLevels, stockNumberStatement } from "../stock-store.ts";
import { writeWithRetry } from "../write-with-retry.ts";
import { readCartOrders } from "./cart-orders.ts";
import { closeCheckout, insertViewedCheckout, readCartCheckout, readCheckout } from "./checkout-rows.ts";
import { issueInvoice } from "./invoices.ts";
import { serializeOrder } from "./order-json.ts";
import { findNextOrderNumber, insertOrder, readOrder } from "./order-rows.ts";
import { findPayment, insertPayment, type PaymentResources, saveRefundDue, settleOrder } from "./payments.ts";
import {
  type AvailableStock,
  createReserveStatements,
  createSaleStatements,
  findShortage,
  readAvailableStock,
  type StockListener,
  subtractReservedUnits,
} from "./reservations.ts";

/** Maximum attempts while other requests change the same rows. */
const MAX_ATTEMPTS = 12;

export interface CompletionResources extends PaymentResources, OrderedCartResources {
  readonly onStock: StockListener;
  /** Receives the ID of a cart in another database, from which the items of the new order must be removed. */
  readonly onSeparateCart: (cartId: string) => void;
  /** Returns the invoice of a new order. Undefined if the shop issues no invoices. */
  readonly createInvoice?: ((order: Order) => NewInvoice | undefined) | undefined;
  /** Returns the stock level at or below which the merchant gets an email; 0 for no email. */
  readonly getLowStockLevel?: (() => number) | undefined;
}

/**
 * Completes a checkout. Each attempt reads the current state, and writes on condition that the state is unchanged. If
 * the response to a commit is lost, the next attempt finds the stored payment.
 * @see Checkouts.complete
 */
export async function completeCheckout(
  parts: CompletionResources,
  checkoutOrId: string | NewCheckout,
  payment: Payment | undefined,
  now: number,
): Promise<CompletionResult> {
  const { database } = parts;
  const id = typeof checkoutOrId === "string" ? checkoutOrId : checkoutOrId.id;
  let number: number | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const checkoutPromise = readCheckout(database, id);
    const requestedCheckout = typeof checkoutOrId === "string" ? await checkoutPromise : checkoutOrId;
    if (requestedCheckout === undefined) return { outcome: "unknown" };
    const [storedCheckout, { cart, orderedCheckout, unchangedCondition }, openCheckout, supply] = await Promise.all([
      checkoutPromise,
      readCartOrders(parts, requestedCheckout),
      readCartCheckout(database, requestedCheckout.cartCheckoutId, "open"),
      readAvailableStock(database, requestedCheckout.content.reservations),
    ]);
    const checkout: CheckoutSnapshot = storedCheckout ?? { ...requestedCheckout, state: "new", createdAt: now };
    const earlierResult = payment === undefined ? undefined : await findPayment(database, checkout, payment);
    if (earlierResult !== undefined) return earlierResult;
    const orderId = checkout.orderId ?? orderedCheckout?.orderId;
    if (orderId !== undefined) {
      const settlement = await settleOrder(parts, { checkoutId: id, orderId }, payment, now);
      if (settlement !== undefined) return settlement;
      continue;
    }
    const supersededCheckout = openCheckout === undefined || openCheckout.id === id ? undefined : openCheckout;
    const state = { isStored: storedCheckout !== undefined, supply, supersededCheckout, unchangedCondition, now };
    const refundReason = await findRefundReason(database, checkout, state);
    if (refundReason !== undefined) {
      if (payment === undefined) return { outcome: "refund_due", reason: refundReason };
      // An order of the same cart may have taken the stock in the meantime.
      if (await isStaleCheckout(parts, checkout, storedCheckout)) continue;
      if (await saveRefundDue(parts, checkout, payment, refundReason, now))
        return { outcome: "refund_due", reason: refundReason };
      continue;
    }
    number ??= await findNextOrderNumber(database);
    const order = createOrder(checkout, { id: parts.newId(), number, now, payment });
    const outcome = await writeOrder(parts, cart, createOrderStatements(parts, checkout, order, payment, state), order);
    if (outcome === "saved") {
      await reportSoldStock(parts, checkout);
      return { outcome: "ordered", order };
    }
    if (outcome === "timed out") throw new DatabaseUnavailableError("the completion could not start in time");
  }
  throw new DatabaseUnavailableError("the checkout was changed repeatedly by other requests");
}

/** Returns whether a checkout changed since it was read, or its cart was ordered. */
async function isStaleCheckout(
  parts: CompletionResources,
  checkout: CheckoutSnapshot,
  previousCheckout: CheckoutSnapshot | undefined,
): Promise<boolean> {
  if ((await readCheckout(parts.database, checkout.id))?.state !== previousCheckout?.state) return true;
  return (await readCartOrders(parts, checkout)).orderedCheckout !== undefined;
}

/**
 * Reports the new stock levels to this process. Ignores errors, because the order is already placed, and the server's
 * next poll reads the levels again.
 */
async function reportSoldStock(
  { database, onStock }: CompletionResources,
  { content }: CheckoutSnapshot,
): Promise<void> {
  const soldVariantIds = content.reservations.filter(({ kind }) => kind === "stock").map(({ id }) => id);
  await readStockLevels(database, soldVariantIds).then(onStock, () => undefined);
}

function createOrder(
  { id: checkoutId, content }: CheckoutSnapshot,
  input: { readonly id: string; readonly number: number; readonly now: number; readonly payment: Payment | undefined },
): Order {
  const { id, number, now, payment } = input;
  const isPaid = payment !== undefined || content.amount === 0;
  return {
    ...{ id, number, checkoutId, content, createdAt: now, updatedAt: now, state: "open", notes: [] },
    ...{ shipments: [], refunds: [], revision: 1 },
    payment: isPaid ? "paid" : "unpaid",
    ...(payment === undefined ? {} : { reference: payment.reference }),
  };
}

interface CompletionState {
  /** Whether the checkout is stored in the database. */
  readonly isStored: boolean;
  readonly supply: AvailableStock;
  /** Another open checkout of the same cart. Its reservations are released in the same transaction. */
  readonly supersededCheckout: CheckoutSnapshot | undefined;
  /** Statement that fails the transaction if the cart was ordered again in the meantime. */
  readonly unchangedCondition: Statement;
  readonly now: number;
}

/**
 * Returns the statements that store an order but do not change its cart. The transaction fails if the checkout changed,
 * or if an item is out of stock.
 */
function createOrderStatements(
  { newId, createInvoice, getLowStockLevel }: CompletionResources,
  checkout: CheckoutSnapshot,
  order: Order,
  payment: Payment | undefined,
  { isStored, supply, supersededCheckout, unchangedCondition, now }: CompletionState,
): readonly Statement[] {
  const { id, state, cartCheckoutId, content } = checkout;
  const { reservations, priced } = content;
  const user = { checkoutId: cartCheckoutId, customerId: content.customerId };
  const orderEvent = { orderKey: order.id, payload: { order: serializeOrder(order) }, createdAt: now };
  return [
    stockNumberStatement,
    unchangedCondition,
    ...(isStored ? [] : [insertViewedCheckout(checkout, now)]),
    {
      sql: "UPDATE checkouts SET state = 'completed', order_id = $2, network = NULL WHERE id = $1 AND state = $3",
      params: [id, order.id, state],
      requireRows: 1,
    },
    ...(supersededCheckout === undefined ? [] : closeCheckout(supersededCheckout, "superseded")),
    ...(state === "open" ? [] : createReserveStatements(reservations, supply)),
    ...createSaleStatements(reservations),
    ...priced.limitedDiscounts.flatMap((discount) => confirmDiscountUse(discount, user, order.id, now)),
    insertOrder(order),
    ...(payment === undefined ? [] : [insertPayment(payment, { checkoutId: id, orderId: order.id, now })]),
    ...emitEvent({ ...orderEvent, id: newId(), type: "order.created" }),
    ...(order.payment === "paid" ? emitEvent({ ...orderEvent, id: newId(), type: "order.paid" }) : []),
    ...emitLowStockMail({ id: newId(), order, level: getLowStockLevel?.() ?? 0 }),
    ...issueInvoice(order.id, createInvoice?.(order)),
  ];
}

/**
 * Stores the order and removes the ordered items from the cart: in one transaction, or in two if the cart is in another
 * database. Between the two, the cart contains the items, and {@link readCartOrders} prevents a second order.
 */
async function writeOrder(
  parts: CompletionResources,
  cart: StoredCart | undefined,
  statements: readonly Statement[],
  order: Order,
): Promise<SaveOutcome> {
  const { database, carts, cartWriter } = parts;
  const startDeadline = performance.now() + database.maxStartDelayMs;
  const isSaved = async (): Promise<boolean> => (await readOrder(database, order.id)) !== undefined;
  const remainingCart = cart === undefined ? undefined : subtractOrderedItems(cart, order.content.priced.cart);
  if (cart === undefined || remainingCart === undefined)
    return writeWithRetry(database, statements, { startDeadline, isSaved });
  if (carts.getSeparateDatabase?.(cart.id) !== undefined) {
    const recordCart = insertOrderedCart(order.id, cart.id, order.createdAt);
    parts.onSeparateCart(cart.id);
    return writeWithRetry(database, [recordCart, ...statements], { startDeadline, isSaved });
  }
  return cartWriter.saveWithStatements(cart, remainingCart, {
    now: order.createdAt,
    startDeadline,
    additionalStatements: statements,
  });
}

/** Returns the reason why a checkout cannot become an order; undefined if it can. */
async function findRefundReason(
  database: Database,
  { state, cartCheckoutId, content }: CheckoutSnapshot,
  { supply, supersededCheckout, now }: Pick<CompletionState, "supply" | "supersededCheckout" | "now">,
): Promise<RefundReason | undefined> {
  const user = { checkoutId: cartCheckoutId, customerId: content.customerId };
  const isUsedUp = await hasUsedUpDiscount(database, content.priced.limitedDiscounts, user, now);
  if (isUsedUp) return "discount_used_up";
  if (state === "open") return undefined;
  return findShortage(database, subtractReservedUnits(content.reservations, supersededCheckout), supply);
}
