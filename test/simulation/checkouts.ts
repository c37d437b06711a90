import { crc32 } from "node:zlib";
import type { StoredCart } from "../../src/cart/cart-store.ts";
import type { CheckoutSnapshot } from "../../src/checkout/checkout-snapshot.ts";
import type { NewCheckout } from "../../src/checkout/checkouts.ts";
import type { CompletionResult } from "../../src/checkout/order.ts";
import type { SentPayment } from "./model.ts";
import type { Server } from "./servers.ts";
import { CURRENCY, createContent } from "./shop-content.ts";
import { type Answer, getTime, type HistoryParts, MAX_ATTEMPTS, type Shopper, send } from "./shoppers.ts";

/** Milliseconds for which a checkout reserves its items. Some reservations expire while the history runs. */
const reservationTimesMs = [10, 100, 30 * 60_000];

/** Opens the checkout of a cart, and orders by invoice or starts a payment. */
export async function checkOut(parts: HistoryParts, shopper: Shopper): Promise<void> {
  const { scheduler, cluster } = parts;
  const { cartId } = shopper;
  if (cartId === undefined) return;
  // A store with another checkout reserves the items when the checkout is opened.
  const reserves = scheduler.random.below(3) === 0;
  const hasOtherAddress = !reserves && scheduler.random.below(2) === 0;
  const { value: checkout } = await send(parts, cluster.pick(), async (server) => {
    const cart = await server.carts.find(cartId);
    if (cart === undefined || cart.lines.length === 0) return undefined;
    const opened = await openForCart(parts, server, { cart, shopper, reserves });
    return opened === undefined || !hasOtherAddress
      ? opened
      : { ...opened, id: `${opened.id} other address`, revision: cart.revision };
  });
  if (checkout === undefined) return;
  if (reserves) await pay(parts, checkout);
  else if (scheduler.random.below(2) === 0) await orderByInvoice(parts, checkout);
  else {
    const opened = await send(parts, cluster.pick(), (server) => reserve(parts, server, checkout));
    if (opened.value?.outcome === "open") await pay(parts, checkout);
  }
}

/** Opens a checkout as `openForCart` in `src/http/checkout/` does. */
async function openForCart(
  parts: HistoryParts,
  server: Server,
  of: { readonly cart: StoredCart; readonly shopper: Shopper; readonly reserves: boolean },
): Promise<CheckoutSnapshot | undefined> {
  const { cart, shopper, reserves } = of;
  const { checkouts, discountUses } = server;
  const now = getTime(server);
  const openCheckout = await checkouts.findOpenCheckout(cart.checkoutId);
  if (openCheckout?.revision === cart.revision && openCheckout.reservedUntil > now) return openCheckout;
  const content = await createContent(server, cart, { card: shopper.usesCard, discount: shopper.usesDiscount }, now);
  for (const discount of content.priced.limitedDiscounts) await discountUses.reserve(discount, cart.checkoutId, now);
  const contentJson = JSON.stringify(content);
  const firstCheckout = await checkouts.find(cart.checkoutId);
  const isFirst =
    firstCheckout === undefined ||
    (firstCheckout.state !== "completed" && JSON.stringify(firstCheckout.content) === contentJson);
  const id = isFirst ? cart.checkoutId : `${cart.checkoutId} ${crc32(contentJson)}`;
  const newCheckout = {
    ...{ id, cartId: cart.id, cartCheckoutId: cart.checkoutId, revision: cart.revision, content },
    reservedUntil: now + parts.scheduler.random.pick(reservationTimesMs),
  };
  if (reserves && (await reserve(parts, server, newCheckout)).outcome !== "open") return undefined;
  const storedCheckout = await checkouts.find(id);
  if (storedCheckout !== undefined) return storedCheckout;
  await checkouts.saveCheckout(newCheckout, now);
  return checkouts.find(id);
}

function reserve({ scheduler }: HistoryParts, server: Server, checkout: NewCheckout) {
  const now = getTime(server);
  const requester = { network: `network ${scheduler.random.below(2)}`, canReserve: () => true };
  return server.checkouts.open(
    { ...checkout, reservedUntil: now + scheduler.random.pick(reservationTimesMs) },
    requester,
    now,
  );
}

async function orderByInvoice(parts: HistoryParts, checkout: NewCheckout): Promise<void> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const { value, outcome } = await complete(parts, checkout, undefined);
    if (value?.outcome === "ordered") parts.model.orders.add(value.order.id);
    if (outcome === "applied") return;
  }
}

async function pay(parts: HistoryParts, { id, content }: NewCheckout): Promise<void> {
  const { scheduler, model } = parts;
  if (content.amount === 0) return;
  const reference = `payment ${model.payments.length + 1}`;
  const payment: SentPayment = { reference, checkoutId: id, amount: content.amount, answers: [] };
  model.payments.push(payment);
  // Some reservations expire before the payment arrives.
  for (let delay = scheduler.random.pick([1, 1, 12]); delay > 0; delay -= 1) await scheduler.wait();
  const notifications = scheduler.random.below(3) === 0 ? [payment, payment] : [payment];
  await Promise.all(notifications.map((one) => notifyPayment(parts, one)));
}

/** Reports a payment, as a provider does, until a server answers or the provider pauses. */
export async function notifyPayment(
  parts: HistoryParts,
  payment: SentPayment,
  maxAttempts = MAX_ATTEMPTS,
): Promise<void> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const { value } = await complete(parts, payment.checkoutId, payment);
    if (value !== undefined) {
      payment.answers.push(value);
      if (value.outcome === "ordered") parts.model.orders.add(value.order.id);
      return;
    }
    await parts.scheduler.wait();
  }
}

function complete(
  parts: HistoryParts,
  checkout: NewCheckout | string,
  payment: SentPayment | undefined,
): Promise<Answer<CompletionResult>> {
  const paid = payment && { amount: payment.amount, currency: CURRENCY, reference: payment.reference };
  return send(parts, parts.cluster.pick(), (server) => server.checkouts.complete(checkout, paid, getTime(server)));
}
