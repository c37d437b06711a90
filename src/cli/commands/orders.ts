import { computeExpectedRefund, type DueRefund, type Order } from "../../checkout/order.ts";
import { type OrderOperation, parseOrderOperation } from "../../checkout/order-operations.ts";
import type { Orders } from "../../checkout/orders.ts";
import { formatOrderLines, ordersCsvHeader } from "../../checkout/orders-csv.ts";
import { formatMoney } from "../../pricing/money.ts";
import { Problem } from "../../problem.ts";
import { SetupError } from "../../setup-error.ts";
import { readInvoices } from "../../storage/checkouts/invoices.ts";
import { readOrder, readOrders } from "../../storage/checkouts/order-rows.ts";
import { createOrderStore } from "../../storage/checkouts/order-store.ts";
import { readRefundsDue, settleRefund } from "../../storage/checkouts/refunds.ts";
import type { Database } from "../../storage/database.ts";
import { system } from "../../system.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { type CommandIo, sanitize } from "../io.ts";
import { formatOrder, formatRefund, formatSummary, toJsonLine } from "../orders-text.ts";
import { createMinuteFormat, readStartTime } from "../shop-time.ts";
import { openCommandStore } from "../store-database.ts";

const usage = `Usage: vitrine orders list        [--store DIR] [--since DATE] [--json]
       vitrine orders show        [--store DIR] <number> [--json]
       vitrine orders paid        [--store DIR] <number> --reference TEXT
       vitrine orders ship        [--store DIR] <number> [--carrier NAME] [--tracking NUMBER] [--tracking-url URL]
       vitrine orders cancel      [--store DIR] <number> [--note TEXT]
       vitrine orders refund-note [--store DIR] <number> --note TEXT
       vitrine orders refund-note [--store DIR] --reference TEXT
       vitrine orders refunds     [--store DIR]
       vitrine orders export      [--store DIR] [--since DATE] [--format csv|jsonl]

Lists and changes orders, oldest first.
  paid         record the payment of an order by invoice, once
  ship         record the shipment, once, and send a message to the customer if email is set up
  cancel       return stock, gift cards, store credit, and discount uses, once; refund the payment yourself
  refund-note  record that you refunded the payments of an order, or one payment by its reference
  refunds      list payments to refund: without an order, paid twice, or of a canceled order
  export       print one row per line item (csv), or one order per line (jsonl, the default), without test orders
  --store DIR  folder of the store (default: the current folder)
  --json       print JSON objects, one per line; refunds are always JSON
  --since DATE from this day on, such as 2026-11-01
  --reference TEXT  reference of the payment, unique
  --carrier NAME, --tracking NUMBER, --tracking-url URL  tracking of the parcel
  --note TEXT  note stored with the order`;

const options = {
  ...{ store: text, since: text, note: text, format: text, json: flag },
  ...{ reference: text, carrier: text, tracking: text, "tracking-url": text },
};

/** Runs `vitrine orders`. */
export const run = defineCommand(usage, options, async ({ values, positionals }, io) => {
  const { since, note, reference, json = false, format = "jsonl" } = values;
  const [action = "", number, ...words] = positionals;
  const usesReference = action === "refund-note" && number === undefined && reference !== undefined;
  const usesOrderNumber = !usesReference && ["show", "paid", "ship", "cancel", "refund-note"].includes(action);
  if (!usesOrderNumber && !usesReference && !["list", "refunds", "export"].includes(action))
    throw new UsageError("use list, show, paid, ship, cancel, refund-note, refunds or export.");
  if (words.length > 0 || (usesOrderNumber ? !/^#?\d{1,15}$/.test(number ?? "") : number !== undefined))
    throw new UsageError(usesOrderNumber ? "name one order by number, like 1001." : `${action} takes no arguments.`);
  if (action === "refund-note" && usesOrderNumber && note === undefined)
    throw new UsageError("describe the refund with --note.");
  if (action === "paid" && reference === undefined)
    throw new UsageError("give the bank's reference of the payment with --reference, at most 255 characters.");
  if (json && (!["list", "show", "refunds", "export"].includes(action) || format === "csv"))
    throw new UsageError("--json is for list, show, refunds and export, without --format csv.");
  if (format !== "csv" && format !== "jsonl") throw new UsageError("--format is csv or jsonl.");
  const operation = parseOperation(action, values);
  await using store = await openCommandStore(io, values.store);
  const { config, database } = store;
  const startTime = readStartTime(since, config.timezone);
  const formatTime = createMinuteFormat(config.timezone);
  try {
    if (usesReference) return await addRefund(database, reference, note, io);
    const formatLine =
      action === "list" && !json
        ? (order: Order) => formatSummary(order, formatTime)
        : format === "csv"
          ? async (order: Order) => formatOrderLines(order, await readInvoices(database, order.id))
          : toJsonLine;
    const header = action === "export" && format === "csv" ? ordersCsvHeader : "";
    if (!usesOrderNumber) return await listOrders(action, database, { startTime, header, formatLine }, io);
    const order = await readOrder(database, Number(number?.replace("#", "")));
    if (order === undefined) throw new SetupError(`there is no order ${number}; "vitrine orders list" shows them.`);
    if (action === "show") {
      const refunds = await readRefundsDue(database, order.id);
      io.stdout.write(json ? toJsonLine(order) : formatOrder(order, refunds, formatTime));
      return 0;
    }
    return operation === undefined
      ? await markRefunded(database, order, String(note), await readRefundsDue(database, order.id), io)
      : await applyOperation(database, order, operation, io);
  } catch (error) {
    throw error instanceof Problem ? new SetupError(sanitize(error.message)) : error;
  }
});

const operationTypes = { paid: "pay", ship: "ship", cancel: "cancel" } as const;

/**
 * Converts an action of the command line to an order operation. Returns undefined for actions that do not change an
 * order.
 * @throws UsageError for invalid options
 */
function parseOperation(
  action: string,
  { note, reference, carrier, tracking, "tracking-url": url }: Readonly<Record<string, unknown>>,
): OrderOperation | undefined {
  if (action !== "paid" && action !== "ship" && action !== "cancel") return undefined;
  try {
    const fields = { note, reference, carrier, tracking_number: tracking, tracking_url: url };
    return parseOrderOperation(operationTypes[action], fields);
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.message) : error;
  }
}

/** Applies an operation to an order. The order's log states the command line as the source of the change. */
function changeOrder(database: Database, id: string, operation: OrderOperation): ReturnType<Orders["change"]> {
  const orders = createOrderStore({ database, newId: system.newId, sendsEmail: () => false });
  return orders.change(id, operation, { by: { source: "command_line" }, now: database.now() });
}

async function applyOperation(
  database: Database,
  { id }: Order,
  operation: OrderOperation,
  io: CommandIo,
): Promise<number> {
  const { order, isChanged } = await changeOrder(database, id, operation);
  if (!isChanged && operation.type !== "pay")
    throw new SetupError(`order ${order.number} was ${operation.type === "ship" ? "sent" : "cancelled"} before.`);
  const outcomes = { pay: "Paid", ship: "Shipped", cancel: "Cancelled" } as const;
  const outcome = outcomes[operation.type as keyof typeof outcomes];
  io.stdout.write(`${outcome}: #${order.number}${formatNextSteps(order, operation)}\n`);
  return 0;
}

/** Returns text to append to the report of an operation, such as "; its stock was returned." */
function formatNextSteps(order: Order, { type }: OrderOperation): string {
  const { amount, delivery, priced } = order.content;
  switch (type) {
    case "ship": {
      const email = delivery?.email;
      const paymentText = order.payment === "unpaid" && amount > 0 ? " It is not paid yet." : "";
      return `${email === undefined ? "" : `, to ${sanitize(email)}`}.${paymentText}`;
    }
    case "cancel": {
      const refundAmount = computeExpectedRefund(order);
      const refundText = ` ${formatMoney(refundAmount, priced.currency, "en")} were paid (${sanitize(order.reference ?? "")}): refund the payment.`;
      return `; its stock was returned.${refundAmount > 0 ? refundText : ""}`;
    }
    default:
      return ".";
  }
}

async function listOrders(
  action: string,
  database: Database,
  {
    startTime,
    header,
    formatLine,
  }: {
    readonly startTime: number;
    readonly header: string;
    readonly formatLine: (order: Order) => string | Promise<string>;
  },
  io: CommandIo,
): Promise<number> {
  if (action === "refunds") {
    const refunds = await readRefundsDue(database);
    if (refunds.length === 0) io.stderr.write("No refunds are due.\n");
    io.stdout.write(refunds.map(formatRefund).join(""));
    return 0;
  }
  let count = 0;
  io.stdout.write(header);
  for await (const page of readOrders(database, startTime)) {
    // Exports are for accounting, so they omit test orders.
    const listedOrders = action === "export" ? page.filter(({ content }) => content.isTest !== true) : page;
    count += listedOrders.length;
    for (const order of listedOrders) io.stdout.write(await formatLine(order));
  }
  if (count === 0) io.stderr.write("No orders found.\n");
  return 0;
}

async function markRefunded(
  database: Database,
  { id, number }: Pick<Order, "id" | "number">,
  note: string,
  refunds: readonly DueRefund[],
  io: CommandIo,
): Promise<number> {
  const operations = refunds.map(({ reference }) => parseOrderOperation("refund", { reason: note, reference }));
  if (operations.length === 0)
    await changeOrder(database, id, parseOrderOperation("note", { text: `refund: ${note}` }));
  for (const operation of operations) await changeOrder(database, id, operation);
  const refundTexts = refunds.map(({ amount, currency }) => ` ${formatMoney(amount, currency, "en")} refunded.`);
  io.stdout.write(`Recorded: #${number}.${refundTexts.join("")}\n`);
  return 0;
}

async function addRefund(database: Database, reference: string, note: unknown, io: CommandIo): Promise<number> {
  const refund = (await readRefundsDue(database)).find((dueRefund) => dueRefund.reference === reference.trim());
  if (refund === undefined)
    throw new SetupError(`no payment ${sanitize(reference)} is to be refunded; see "vitrine orders refunds".`);
  const { orderId, orderNumber = 0, amount, currency } = refund;
  if (orderId !== undefined) {
    const order = { id: orderId, number: orderNumber };
    return markRefunded(database, order, String(note ?? `payment ${reference.trim()}`), [refund], io);
  }
  if (note !== undefined)
    throw new SetupError(`the payment ${sanitize(reference)} has no order for a note: leave --note out.`);
  await database.write([settleRefund(refund, database.now())]);
  io.stdout.write(`Recorded: ${formatMoney(amount, currency, "en")} refunded.\n`);
  return 0;
}
