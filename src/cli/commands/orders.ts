import { resolve } from "node:path";
import { type Offer, variantTitle } from "../../catalog/catalog.ts";
import { createZonedDay } from "../../catalog/rows/zoned-dates.ts";
import { nonEmptyProperties, type Order, type RefundDue } from "../../checkout/order.ts";
import { parseShipment, type Shipment } from "../../checkout/shipment.ts";
import { formatMoney } from "../../pricing/money.ts";
import { Problem } from "../../problem.ts";
import {
  addOrderNote,
  cancelOrder,
  orderJson,
  readOrderByNumber,
  readOrders,
  shipOrder,
} from "../../storage/checkouts/order-store.ts";
import { payOrder } from "../../storage/checkouts/payments.ts";
import { readRefundsDue, recordRefund } from "../../storage/checkouts/refunds.ts";
import type { Database } from "../../storage/database.ts";
import { system } from "../../system.ts";
import { readArguments, wrongUsage } from "../arguments.ts";
import { type Io, sanitize } from "../io.ts";
import { csvHeader, formatCsvLines } from "../orders-csv.ts";
import { openStore } from "../store-database.ts";

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
  export       print one row per line item (csv), or one order per line (jsonl, the default)
  --store DIR  folder of the store (default: the current folder)
  --json       print JSON objects, one per line; refunds are always JSON
  --since DATE from this day on, such as 2026-11-01
  --reference TEXT  reference of the payment, unique
  --carrier NAME, --tracking NUMBER, --tracking-url URL  tracking of the parcel
  --note TEXT  note stored with the order`;

/** Runs `vitrine orders`. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const text = { type: "string" } as const;
  const jsonOption = { json: { type: "boolean" } } as const;
  const parcelOptions = { reference: text, carrier: text, tracking: text, "tracking-url": text };
  const input = readArguments(
    args,
    { store: text, since: text, note: text, format: text, ...jsonOption, ...parcelOptions },
    usage,
    io,
  );
  if (typeof input === "number") return input;
  const { store = ".", since, note, reference, json = false, format = "jsonl" } = input.values;
  const [action = "", number, ...words] = input.positionals;
  const usesReference = action === "refund-note" && number === undefined && reference !== undefined;
  const usesNumber = !usesReference && ["show", "paid", "ship", "cancel", "refund-note"].includes(action);
  if (!usesNumber && !usesReference && !["list", "refunds", "export"].includes(action))
    return wrongUsage("use list, show, paid, ship, cancel, refund-note, refunds or export.", usage, io);
  if (usesNumber !== (number !== undefined) || words.length > 0 || (usesNumber && !/^#?\d{1,15}$/.test(number ?? "")))
    return wrongUsage(usesNumber ? "name one order by number, like 1001." : `${action} takes no arguments.`, usage, io);
  if (action === "refund-note" && usesNumber && note === undefined)
    return wrongUsage("describe the refund with --note.", usage, io);
  if (action === "paid" && !isReference(reference))
    return wrongUsage("give the bank's reference of the payment with --reference, at most 255 characters.", usage, io);
  if (String(note ?? "").length > MAX_NOTE_LENGTH)
    return wrongUsage(`--note has ${MAX_NOTE_LENGTH} characters at most.`, usage, io);
  if (json === true && (!["list", "show", "refunds", "export"].includes(action) || format === "csv"))
    return wrongUsage("--json is for list, show, refunds and export, without --format csv.", usage, io);
  if (format !== "csv" && format !== "jsonl") return wrongUsage("--format is csv or jsonl.", usage, io);
  if (since !== undefined && Number.isNaN(Date.parse(String(since))))
    return wrongUsage(`"${since}" is not a date: use the format 2026-11-01.`, usage, io);
  const shipment = readShipment(input.values);
  if (typeof shipment === "string") return wrongUsage(shipment, usage, io);
  const { config, database } = await openStore(resolve(io.cwd, String(store)), io.env.DATABASE_URL);
  const startTime = since === undefined ? 0 : Date.parse(createZonedDay(config.timezone)(String(since)));
  try {
    if (usesReference) return await addRefund(database, String(reference), note, io);
    const formatLine = action === "list" && json !== true ? toSummary : format === "csv" ? formatCsvLines : toJsonLine;
    if (!usesNumber) return await listOrders(action, database, { startTime, formatLine }, io);
    const order = await readOrderByNumber(database, Number(number?.replace("#", "")));
    if (order === undefined) {
      io.stderr.write(`vitrine: there is no order ${number}; "vitrine orders list" shows them.\n`);
      return 1;
    }
    if (action === "show") {
      const refunds = await readRefundsDue(database, order.id);
      io.stdout.write(json === true ? toJsonLine(order) : formatOrder(order, refunds));
      return 0;
    }
    if (action === "paid") return await recordPayment(database, order, String(reference).trim(), io);
    if (action === "ship") return await markSent(database, order, shipment, io);
    return action === "cancel"
      ? await recordCancellation(database, order, String(note ?? ""), io)
      : await noteRefund(database, order, String(note), await readRefundsDue(database, order.id), io);
  } finally {
    await database.close();
  }
}

const MAX_NOTE_LENGTH = 1_000;
const MAX_REFERENCE_LENGTH = 255;

function isReference(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= MAX_REFERENCE_LENGTH;
}

/** Returns the shipment, or an error message. */
function readShipment(values: Readonly<Record<string, unknown>>): Omit<Shipment, "at"> | string {
  const { carrier, tracking, "tracking-url": url } = values;
  try {
    return parseShipment({ carrier, tracking_number: tracking, tracking_url: url }, 0);
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

async function listOrders(
  action: string,
  database: Database,
  { startTime, formatLine }: { readonly startTime: number; readonly formatLine: (order: Order) => string },
  io: Io,
): Promise<number> {
  if (action === "refunds") {
    const refunds = await readRefundsDue(database);
    if (refunds.length === 0) io.stderr.write("No refunds are due.\n");
    io.stdout.write(refunds.map(formatRefund).join(""));
    return 0;
  }
  let count = 0;
  if (formatLine === formatCsvLines) io.stdout.write(csvHeader);
  for await (const page of readOrders(database, startTime)) {
    count += page.length;
    io.stdout.write(page.map(formatLine).join(""));
  }
  if (count === 0) io.stderr.write("No orders found.\n");
  return 0;
}

function toJsonLine(order: Order): string {
  return `${JSON.stringify(orderJson(order))}\n`;
}

function formatRefund(refund: RefundDue): string {
  const { reference, checkoutId, orderId = null, orderNumber = null, amount, currency, reason, receivedAt } = refund;
  const order = { checkout_id: checkoutId, order_id: orderId, order_number: orderNumber };
  const received_at = new Date(receivedAt).toISOString();
  return `${JSON.stringify({ reference, ...order, amount, currency, reason, received_at })}\n`;
}

function toSummary({ number, createdAt, state, payment, shipment, content }: Order): string {
  const { priced, amount, delivery } = content;
  const createdTime = new Date(createdAt).toISOString().slice(0, 16).replace("T", " ");
  const amountText = formatMoney(amount, priced.currency, "en");
  const stateText = `${state === "cancelled" ? state : payment}${shipment === undefined ? "" : ", shipped"}`;
  const itemCountText = `${priced.itemCount} ${priced.itemCount === 1 ? "piece" : "pieces"}`;
  return `#${number}  ${createdTime}  ${stateText}  ${amountText}  ${itemCountText}  ${sanitize(delivery?.email ?? "-")}\n`;
}

function formatOrder(order: Order, refunds: readonly RefundDue[]): string {
  const { content, notes, reference } = order;
  const { priced, delivery, taxes, amount } = content;
  const toMoney = (units: number): string => formatMoney(units, priced.currency, "en");
  const lines = [
    toSummary(order).trimEnd(),
    ...priced.lines.flatMap(({ line, product, variant, finalLinePrice, discounts }) => [
      `  ${line.quantity} x ${sanitize(formatItemName({ product, variant }))}  ${toMoney(finalLinePrice)}`,
      ...nonEmptyProperties(line).map((property) => `      ${sanitize(property)}`),
      ...discounts.map(
        ({ title, amount: discount }) => `      includes discount ${sanitize(title)}  -${toMoney(discount)}`,
      ),
    ]),
    ...priced.discounts.map(({ title, amount: discount }) => `  discount ${sanitize(title)}  -${toMoney(discount)}`),
    ...(delivery?.rate === undefined
      ? []
      : [`  delivery ${sanitize(delivery.rate.code)}  ${toMoney(delivery.rate.price)}`]),
    ...(taxes?.rates ?? []).map(
      ({ percent, amount: tax }) => `  ${taxes?.isIncluded === true ? "with " : ""}tax ${percent} %  ${toMoney(tax)}`,
    ),
    ...content.reservations
      .filter(({ kind }) => kind !== "stock")
      .map(({ kind, units }) => `  ${kind === "gift_card" ? "gift card" : "store credit"}  -${toMoney(units)}`),
    order.payment === "paid"
      ? `  paid  ${toMoney(amount)}${reference === undefined ? "" : ` as ${sanitize(reference)}`}`
      : `  to pay  ${toMoney(amount)}`,
    ...refunds.map(
      ({ amount: refund, reference: payment }) => `  to refund  ${toMoney(refund)}, paid as ${sanitize(payment)}`,
    ),
    ...(priced.cart.note === undefined ? [] : [`  note: ${sanitize(priced.cart.note)}`]),
    ...(delivery === undefined
      ? []
      : [`  to: ${sanitize([delivery.name, ...Object.values(delivery.address ?? {})].filter(Boolean).join(", "))}`]),
    ...(order.shipment === undefined ? [] : [formatParcel(order.shipment)]),
    ...notes.map(({ at, text }) => `  ${new Date(at).toISOString().slice(0, 10)}  ${sanitize(text)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the name of an item, such as "Raincoat (M, NOR.0707-61)". */
function formatItemName({ product, variant }: Offer): string {
  const details = [variantTitle({ product, variant }), variant.sku].filter((detail) => detail !== undefined);
  return details.length === 0 ? product.title : `${product.title} (${details.join(", ")})`;
}

async function recordPayment(database: Database, order: Order, reference: string, io: Io): Promise<number> {
  if (order.state === "cancelled" || (order.payment === "paid" && order.reference !== reference)) {
    const stateReason =
      order.state === "cancelled" ? "cancelled" : `paid before, as ${sanitize(order.reference ?? "-")}`;
    io.stderr.write(
      `vitrine: order ${order.number} was ${stateReason}: no payment was recorded. Refund the payment.\n`,
    );
    return 1;
  }
  const parts = { database, newId: system.newId };
  const { outcome } = await payOrder(parts, order, reference, database.now?.() ?? system.now());
  if (outcome === "ordered") {
    io.stdout.write(`Paid: #${order.number}.\n`);
    return 0;
  }
  const failureText =
    outcome === "refund_due"
      ? `order ${order.number} was paid or cancelled in the meantime: refund the payment, which "vitrine orders refunds" lists`
      : `${sanitize(reference)} is the reference of another payment: no payment was recorded`;
  io.stderr.write(`vitrine: ${failureText}.\n`);
  return 1;
}

function formatParcel({ at, carrier, trackingNumber, trackingUrl }: Shipment): string {
  const trackingParts = [carrier, trackingNumber, trackingUrl].filter((part) => part !== undefined);
  return `  ${new Date(at).toISOString().slice(0, 10)}  sent${trackingParts.length === 0 ? "" : `: ${sanitize(trackingParts.join(", "))}`}`;
}

async function markSent(database: Database, order: Order, shipment: Omit<Shipment, "at">, io: Io): Promise<number> {
  const at = database.now?.() ?? system.now();
  if ((await shipOrder(database, order.id, { ...shipment, at }, system.newId())) === undefined) {
    const { state } = (await readOrderByNumber(database, order.number)) ?? order;
    io.stderr.write(`vitrine: order ${order.number} was ${state === "cancelled" ? "cancelled" : "sent before"}.\n`);
    return 1;
  }
  const email = order.content.delivery?.email;
  const paymentText = order.payment === "unpaid" && order.content.amount > 0 ? " It is not paid yet." : "";
  io.stdout.write(`Shipped: #${order.number}${email === undefined ? "" : `, to ${sanitize(email)}`}.${paymentText}\n`);
  return 0;
}

async function recordCancellation(database: Database, order: Order, note: string, io: Io): Promise<number> {
  const now = database.now?.() ?? system.now();
  const text = note === "" ? "cancelled" : `cancelled: ${note}`;
  if ((await cancelOrder(database, order.id, { now, eventId: system.newId(), note: text })) === undefined) {
    io.stderr.write(`vitrine: order ${order.number} was cancelled before.\n`);
    return 1;
  }
  const needsRefund = order.payment === "paid" && order.content.amount > 0;
  const amountText = formatMoney(order.content.amount, order.content.priced.currency, "en");
  io.stdout.write(
    `Cancelled: #${order.number}; its stock was returned.${needsRefund ? ` ${amountText} were paid (${sanitize(order.reference ?? "")}): refund the payment.` : ""}\n`,
  );
  return 0;
}

async function noteRefund(
  database: Database,
  { id, number }: Pick<Order, "id" | "number">,
  note: string,
  refunds: readonly RefundDue[],
  io: Io,
): Promise<number> {
  await addOrderNote(database, id, { at: database.now?.() ?? system.now(), text: `refund: ${note}` }, refunds);
  const refundTexts = refunds.map(({ amount, currency }) => ` ${formatMoney(amount, currency, "en")} refunded.`);
  io.stdout.write(`Recorded: #${number}.${refundTexts.join("")}\n`);
  return 0;
}

async function addRefund(database: Database, reference: string, note: unknown, io: Io): Promise<number> {
  const refund = (await readRefundsDue(database)).find((due) => due.reference === reference.trim());
  if (refund === undefined) {
    io.stderr.write(`vitrine: no payment ${sanitize(reference)} is to be refunded; see "vitrine orders refunds".\n`);
    return 1;
  }
  const { orderId, orderNumber = 0, amount, currency } = refund;
  if (orderId !== undefined) {
    const order = { id: orderId, number: orderNumber };
    return noteRefund(database, order, String(note ?? `payment ${reference.trim()}`), [refund], io);
  }
  if (note !== undefined) {
    io.stderr.write(`vitrine: the payment ${sanitize(reference)} has no order for a note: leave --note out.\n`);
    return 1;
  }
  await database.write([recordRefund(refund, database.now?.() ?? system.now())]);
  io.stdout.write(`Recorded: ${formatMoney(amount, currency, "en")} refunded.\n`);
  return 0;
}
