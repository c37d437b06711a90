import type { Cart } from "../../src/cart/cart.ts";
import type { CheckoutContent } from "../../src/checkout/checkout-snapshot.ts";
import type { MemoryDatabase } from "./memory-database.ts";
import type { CountedWrite, Model, Outcome } from "./model.ts";
import { catalogStock, discount, giftCard } from "./shop-content.ts";

interface OrderRow {
  readonly id: string;
  readonly state: string;
  readonly payment: string;
  readonly checkoutId: string;
  readonly notes: readonly { readonly text: string }[];
  readonly content: CheckoutContent;
}

type Report = (violation: string) => void;

/** Checks what must hold after every commit: reserved units belong to open checkouts, and nothing is oversold. */
export function checkReservations(memory: MemoryDatabase, report: Report): void {
  const rows = memory.read(`
    WITH reserved AS (
      SELECT r.value ->> 'kind' AS kind, r.value ->> 'id' AS id, r.value ->> 'units' AS units
      FROM checkouts c, json_each(c.content, '$.reservations') r WHERE c.state = 'open')
    SELECT 'stock' AS kind, variant_id AS id, held, quantity - held AS remaining,
      (SELECT COALESCE(SUM(units), 0) FROM reserved WHERE kind = 'stock' AND id = variant_id) AS expected FROM stock_levels
    UNION ALL
    SELECT b.kind, b.id, b.held, ${giftCard.loaded} - b.spent - b.held,
      (SELECT COALESCE(SUM(units), 0) FROM reserved r WHERE r.kind = b.kind AND r.id = b.id) FROM balances b`);
  for (const { kind, id, held, remaining, expected } of rows) {
    if (held !== expected) report(`${kind} ${id}: ${held} units are reserved, open checkouts reserve ${expected}`);
    if (Number(remaining) < 0) report(`${kind} ${id} is oversold by ${-Number(remaining)} units`);
  }
  const [uses] = memory.read("SELECT COUNT(*) AS count FROM discount_uses WHERE expires_at > 250000000000000");
  if (Number(uses?.count) > (discount.usageLimit ?? 0)) report(`${uses?.count} orders use the limited discount`);
}

/**
 * Checks the final state of the databases against the answers that clients received.
 * @param databases the main database, and those of carts
 */
export function checkFinalState(
  databases: readonly [MemoryDatabase, ...MemoryDatabase[]],
  model: Model,
  report: Report,
): void {
  const [memory] = databases;
  const orders = readOrders(memory);
  checkItems(databases, model, orders, report);
  checkStock(memory, model, orders, report);
  checkOrders(memory, model, orders, report);
  checkPayments(memory, model, orders, report);
  checkInvoices(memory, orders, report);
}

function checkItems(
  databases: readonly MemoryDatabase[],
  model: Model,
  orders: readonly OrderRow[],
  report: Report,
): void {
  // Units by cart and item. A shopper who loses the first response may leave a cart without a cookie, with a copy.
  const unitsInCarts = new Map<string, number>();
  const unitsInOrders = new Map<string, number>();
  const add = (units: Map<string, number>, { lines }: Pick<Cart, "lines">, cartId: unknown): void => {
    for (const { key, quantity } of lines) {
      units.set(`${cartId} ${key}`, (units.get(`${cartId} ${key}`) ?? 0) + quantity);
      if (model.items.get(key)?.outcome === "rejected") report("an edit was applied after it was rejected");
    }
  };
  for (const { id, data } of databases.flatMap((one) => one.read("SELECT id, data FROM carts")))
    add(unitsInCarts, JSON.parse(String(data)) as Pick<Cart, "lines">, id);
  for (const { content } of orders) add(unitsInOrders, content.priced.cart, content.priced.cart.id);
  for (const [item, count] of unitsInOrders) {
    if (count > 1) report(`an item is in ${count} orders`);
    else if (unitsInCarts.has(item)) report("an ordered item is still in the cart");
  }
  for (const count of unitsInCarts.values()) if (count > 1) report(`an item was added ${count} times`);
  for (const { key, cartId, outcome, removal = "rejected" } of model.items.values()) {
    const item = `${cartId} ${key}`;
    const isStored = unitsInCarts.has(item) || unitsInOrders.has(item);
    if (outcome === "applied" && removal === "rejected" && !isStored) report("an acknowledged item is lost");
    if (removal === "applied" && unitsInCarts.has(item)) report("a removed item is still in the cart");
  }
}

function checkStock(memory: MemoryDatabase, model: Model, orders: readonly OrderRow[], report: Report): void {
  const sold = orders.filter(({ state }) => state !== "cancelled").flatMap(({ content }) => content.reservations);
  const sumUnits = (kind: string, id: string): number =>
    sold.reduce((sum, one) => (one.kind === kind && one.id === id ? sum + one.units : sum), 0);
  for (const { variant_id: id, quantity, held } of memory.read("SELECT variant_id, quantity, held FROM stock_levels")) {
    const variantId = String(id);
    const restocked = Number(quantity) + sumUnits("stock", variantId) - (catalogStock.get(variantId) ?? 0);
    if (!isSumOf(restocked, model.restocks.get(variantId) ?? []))
      report(`stock of ${variantId} is ${quantity}, which is ${restocked} units more than the orders explain`);
    if (held !== 0) report(`${held} units of ${variantId} are reserved after all checkouts expired`);
  }
  for (const { spent, held } of memory.read("SELECT spent, held FROM balances")) {
    const expected = sumUnits(giftCard.kind, giftCard.id);
    if (spent !== expected || held !== 0)
      report(`the gift card spent ${spent} and reserves ${held}, orders ${expected}`);
  }
  const uses = memory.read("SELECT checkout_id FROM discount_uses WHERE expires_at > 250000000000000");
  const discounted = orders.filter(
    ({ state, content }) => state !== "cancelled" && content.priced.limitedDiscounts.length > 0,
  );
  const expectedUses = discounted.map(({ id }) => id).toSorted();
  if (
    uses
      .map((row) => String(row.checkout_id))
      .toSorted()
      .join() !== expectedUses.join()
  )
    report(`${uses.length} uses of the limited discount are stored for ${expectedUses.length} orders`);
}

/** Returns whether writes with a known outcome, and some of those without, add up to a number. */
function isSumOf(units: number, writes: readonly CountedWrite[]): boolean {
  const remaining = writes.reduce((sum, write) => (write.outcome === "applied" ? sum - write.units : sum), units);
  const unknown = writes.reduce((bits, write) => (write.outcome === "unknown" ? bits | write.units : bits), 0);
  return remaining >= 0 && (remaining & ~unknown) === 0;
}

function checkOrders(memory: MemoryDatabase, model: Model, orders: readonly OrderRow[], report: Report): void {
  const states = new Map(orders.map(({ id, state }) => [id, state]));
  for (const id of model.orders) if (!states.has(id)) report("an acknowledged order is lost");
  for (const id of model.canceledOrders)
    if (states.get(id) !== "cancelled") report("an acknowledged cancellation is lost");
  const events = new Map<string, number>();
  for (const { type, order_key: key } of memory.read("SELECT type, order_key FROM events"))
    events.set(`${type} ${key}`, (events.get(`${type} ${key}`) ?? 0) + 1);
  const countEvents = (type: string, id: string): number => events.get(`${type} ${id}`) ?? 0;
  for (const { id, state, payment } of orders) {
    const expected = {
      "order.created": 1,
      "order.paid": payment === "paid" ? 1 : 0,
      "order.cancelled": state === "cancelled" ? 1 : 0,
    };
    for (const [type, count] of Object.entries(expected))
      if (countEvents(type, id) !== count) report(`an order has ${countEvents(type, id)} events ${type}, not ${count}`);
  }
  const completed = memory.read("SELECT cart_checkout_id, revision FROM checkouts WHERE state = 'completed'");
  if (completed.length !== orders.length)
    report(`${completed.length} completed checkouts have ${orders.length} orders`);
  const texts = orders.flatMap(({ notes }) => notes.map(({ text }) => text)).filter((text) => text !== "");
  for (const [text, outcome] of model.notes) {
    const count = texts.filter((one) => one === text).length;
    if (!isPossible(count, outcome)) report(`a note is stored ${count} times, its outcome was ${outcome}`);
  }
}

function isPossible(count: number, outcome: Outcome): boolean {
  if (outcome === "unknown") return count <= 1;
  return count === (outcome === "applied" ? 1 : 0);
}

function checkPayments(memory: MemoryDatabase, model: Model, orders: readonly OrderRow[], report: Report): void {
  const rows = new Map(
    memory
      .read("SELECT reference, checkout_id, order_id, refund FROM payments")
      .map((row) => [String(row.reference), row]),
  );
  for (const { reference, answers } of model.payments) {
    const texts = new Set(
      answers.map((answer) =>
        answer.outcome === "ordered"
          ? `ordered ${answer.order.id}`
          : `${answer.outcome} ${"reason" in answer ? answer.reason : ""}`,
      ),
    );
    if (texts.size !== 1) report(`a payment was answered with ${[...texts].join(" and ")}`);
    const row = rows.get(reference);
    const [answer] = answers;
    if (answer?.outcome === "ordered" && (row?.order_id !== answer.order.id || row.refund !== null))
      report("a payment was acknowledged for an order that has another payment");
    if (answer?.outcome === "refund_due" && row?.refund !== answer.reason) report("a refund that is due is not stored");
    if (answer?.outcome !== "ordered" && answer?.outcome !== "refund_due")
      report(`a payment was answered with ${answer?.outcome}`);
  }
  const orderPayments = [...rows.values()].filter(({ refund }) => refund === null);
  for (const { id, payment, content } of orders) {
    const count = orderPayments.filter((row) => row.order_id === id).length;
    if (count !== (payment === "paid" && content.amount > 0 ? 1 : 0))
      report(`a ${payment} order has ${count} payments`);
  }
  const refunds = memory.read("SELECT COUNT(*) AS count FROM events WHERE type = 'payment.refund_due'");
  if (Number(refunds[0]?.count) !== rows.size - orderPayments.length)
    report(`${rows.size - orderPayments.length} refunds have ${refunds[0]?.count} events`);
}

/** Checks that invoices and credit notes are numbered without gaps, each order once. */
function checkInvoices(memory: MemoryDatabase, orders: readonly OrderRow[], report: Report): void {
  const numbers = memory.read("SELECT number FROM invoices").map((row) => String(row.number));
  const canceled = orders.filter(({ state }) => state === "cancelled");
  for (const [prefix, count] of [
    ["I", orders.length],
    ["C", canceled.length],
  ] as const) {
    const expected = Array.from({ length: count }, (_, index) => `${prefix}${String(index + 1).padStart(4, "0")}`);
    const issued = numbers.filter((number) => number.startsWith(prefix)).toSorted();
    if (issued.join() !== expected.join()) report(`the documents ${issued.join(", ")} belong to ${count} orders`);
  }
}

function readOrders(memory: MemoryDatabase): readonly OrderRow[] {
  return memory
    .read("SELECT id, state, payment, checkout_id, notes, content FROM orders")
    .map(({ id, state, payment, checkout_id: checkoutId, notes, content }) => ({
      ...{ id: String(id), state: String(state), payment: String(payment), checkoutId: String(checkoutId) },
      notes: JSON.parse(String(notes)) as OrderRow["notes"],
      content: JSON.parse(String(content)) as CheckoutContent,
    }));
}
