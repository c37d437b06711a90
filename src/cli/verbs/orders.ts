import { resolve } from "node:path";
import type { Order } from "../../checkout/order.ts";
import { parseShipment, type Shipment } from "../../checkout/shipment.ts";
import { formatMoney } from "../../pricing/money.ts";
import { Problem } from "../../problem.ts";
import {
  cancelOrder,
  noteOrder,
  orderJson,
  readOrderByNumber,
  readOrders,
  readRefundsDue,
  shipOrder,
} from "../../storage/checkouts/order-store.ts";
import { payOrder } from "../../storage/checkouts/payments.ts";
import type { Database } from "../../storage/database.ts";
import { system } from "../../system.ts";
import { readArguments, wrongUsage } from "../arguments.ts";
import type { Io } from "../io.ts";
import { csvHeader, csvLines } from "../orders-csv.ts";
import { openStore } from "../store-database.ts";

const usage = `Usage: vitrine orders list        [--store DIR] [--since DATE]
       vitrine orders show        [--store DIR] <number>
       vitrine orders paid        [--store DIR] <number> --reference TEXT
       vitrine orders ship        [--store DIR] <number> [--carrier NAME] [--tracking NUMBER] [--tracking-url URL]
       vitrine orders cancel      [--store DIR] <number> [--note TEXT]
       vitrine orders refund-note [--store DIR] <number> --note TEXT
       vitrine orders refunds     [--store DIR]
       vitrine orders export      [--store DIR] [--since DATE] [--format csv|jsonl]

Orders, oldest first.
  paid         notes that an order by invoice was paid, once
  ship         notes that it was sent, once, and tells the shopper by mail, where mails are set up
  cancel       gives its stock, gift cards, store credit and uses of discounts back, once; a payment you give back yourself
  refund-note  writes to the order that you gave money back
  refunds      payments that came without an order, or twice, and have to be given back
  export       a line for each thing that was ordered (csv), or an order a line (jsonl, unless told)
  --store DIR  the store's folder (where you stand, unless told)
  --since DATE from this day on, like 2026-11-01
  --reference TEXT  what the bank calls the payment: another one for each
  --carrier NAME, --tracking NUMBER, --tracking-url URL  how the shopper can follow the parcel
  --note TEXT  a sentence that stays with the order`;

/** `vitrine orders` */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const text = { type: "string" } as const;
  const parcel = { reference: text, carrier: text, tracking: text, "tracking-url": text };
  const given = readArguments(args, { store: text, since: text, note: text, format: text, ...parcel }, usage, io);
  if (typeof given === "number") return given;
  const { store = ".", since, note, reference, format = "jsonl" } = given.values;
  const [verb = "", number, ...more] = given.positionals;
  const byNumber = ["show", "paid", "ship", "cancel", "refund-note"].includes(verb);
  if (!byNumber && !["list", "refunds", "export"].includes(verb))
    return wrongUsage("say list, show, paid, ship, cancel, refund-note, refunds or export.", usage, io);
  if (byNumber !== (number !== undefined) || more.length > 0 || (byNumber && !/^#?\d{1,15}$/.test(number ?? "")))
    return wrongUsage(byNumber ? "name one order by its number, like 1001." : `${verb} takes no words.`, usage, io);
  if (verb === "refund-note" && note === undefined) return wrongUsage("say what you did with --note.", usage, io);
  if (verb === "paid" && !isReference(reference))
    return wrongUsage("say by --reference what the bank calls the payment, in at most 255 characters.", usage, io);
  if (String(note ?? "").length > MAX_NOTE) return wrongUsage(`--note has ${MAX_NOTE} characters at most.`, usage, io);
  if (format !== "csv" && format !== "jsonl") return wrongUsage("--format is csv or jsonl.", usage, io);
  const from = since === undefined ? 0 : Date.parse(String(since));
  if (Number.isNaN(from)) return wrongUsage(`"${since}" is no day; write it like 2026-11-01.`, usage, io);
  const shipment = readShipment(given.values);
  if (typeof shipment === "string") return wrongUsage(shipment, usage, io);
  const { database } = await openStore(resolve(io.cwd, String(store)), io.env.DATABASE_URL);
  try {
    if (!byNumber) return await listAll(verb, database, { from, isCsv: format === "csv" }, io);
    const order = await readOrderByNumber(database, Number(number?.replace("#", "")));
    if (order === undefined) {
      io.stderr.write(`vitrine: there is no order ${number}; "vitrine orders list" shows them.\n`);
      return 1;
    }
    if (verb === "show") return show(order, io);
    if (verb === "paid") return await pay(database, order, String(reference).trim(), io);
    if (verb === "ship") return await ship(database, order, shipment, io);
    return verb === "cancel"
      ? await cancel(database, order, String(note ?? ""), io)
      : await addNote(database, order, `refund: ${note}`, io);
  } finally {
    await database.close();
  }
}

const MAX_NOTE = 1_000;
const MAX_REFERENCE = 255;

function isReference(given: unknown): given is string {
  return typeof given === "string" && given.trim() !== "" && given.length <= MAX_REFERENCE;
}

/** @returns a sentence where it means nothing */
function readShipment(values: Readonly<Record<string, unknown>>): Omit<Shipment, "at"> | string {
  const { carrier, tracking, "tracking-url": url } = values;
  try {
    return parseShipment({ carrier, tracking_number: tracking, tracking_url: url }, 0);
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

async function listAll(
  verb: string,
  database: Database,
  { from, isCsv }: { readonly from: number; readonly isCsv: boolean },
  io: Io,
): Promise<number> {
  if (verb === "refunds") {
    const refunds = await readRefundsDue(database);
    if (refunds.length === 0) io.stderr.write("No payment has to be given back.\n");
    io.stdout.write(refunds.map((one) => `${JSON.stringify(one)}\n`).join(""));
    return 0;
  }
  let count = 0;
  if (verb === "export" && isCsv) io.stdout.write(csvHeader);
  for await (const page of readOrders(database, from)) {
    count += page.length;
    const write = verb === "list" ? inWords : isCsv ? csvLines : toLine;
    io.stdout.write(page.map(write).join(""));
  }
  if (count === 0) io.stderr.write("There is no order.\n");
  return 0;
}

function toLine(order: Order): string {
  return `${JSON.stringify(orderJson(order))}\n`;
}

function inWords({ number, createdAt, state, payment, shipment, content }: Order): string {
  const { priced, amount, delivery } = content;
  const when = new Date(createdAt).toISOString().slice(0, 16).replace("T", " ");
  const money = formatMoney(amount, priced.currency, "en");
  const standing = `${state === "cancelled" ? state : payment}${shipment === undefined ? "" : ", sent"}`;
  return `#${number}  ${when}  ${standing}  ${money}  ${priced.itemCount} pieces  ${printable(delivery?.email ?? "-")}\n`;
}

function show(order: Order, io: Io): number {
  const { content, notes, reference } = order;
  const { priced, delivery, taxes, amount } = content;
  const money = (units: number): string => formatMoney(units, priced.currency, "en");
  const lines = [
    inWords(order).trimEnd(),
    ...priced.lines.map(
      ({ line, product, variant, finalLinePrice }) =>
        `  ${line.quantity} x ${printable(product.title)} (${printable(variant.title)}${variant.sku === undefined ? "" : `, ${printable(variant.sku)}`})  ${money(finalLinePrice)}`,
    ),
    ...priced.discountApplications.map(({ title, total }) => `  discount ${printable(title)}  -${money(total)}`),
    ...(delivery?.rate === undefined
      ? []
      : [`  delivery ${printable(delivery.rate.code)}  ${money(delivery.rate.price)}`]),
    ...(taxes?.rates ?? []).map(
      ({ percent, amount: tax }) => `  ${taxes?.isIncluded === true ? "with " : ""}tax ${percent} %  ${money(tax)}`,
    ),
    ...content.reservations
      .filter(({ kind }) => kind !== "stock")
      .map(({ kind, units }) => `  ${kind === "gift_card" ? "gift card" : "store credit"}  -${money(units)}`),
    `  to pay  ${money(amount)}${reference === undefined ? "" : `, paid as ${printable(reference)}`}`,
    ...(priced.cart.note === undefined ? [] : [`  note: ${printable(priced.cart.note)}`]),
    ...(delivery === undefined
      ? []
      : [`  to: ${printable([delivery.name, ...Object.values(delivery.address ?? {})].filter(Boolean).join(", "))}`]),
    ...(order.shipment === undefined ? [] : [parcelLine(order.shipment)]),
    ...notes.map(({ at, text }) => `  ${new Date(at).toISOString().slice(0, 10)}  ${printable(text)}`),
  ];
  io.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

async function pay(database: Database, order: Order, reference: string, io: Io): Promise<number> {
  if (order.state === "cancelled" || (order.payment === "paid" && order.reference !== reference)) {
    const before = order.state === "cancelled" ? "cancelled" : `paid before, as ${printable(order.reference ?? "-")}`;
    io.stderr.write(`vitrine: order ${order.number} was ${before}: nothing was noted. Give the money back.\n`);
    return 1;
  }
  const parts = { database, newId: system.newId };
  const { outcome } = await payOrder(parts, order, reference, database.now?.() ?? system.now());
  if (outcome === "ordered") {
    io.stdout.write(`Paid: #${order.number}.\n`);
    return 0;
  }
  const why =
    outcome === "refund_due"
      ? `order ${order.number} was paid or cancelled meanwhile: give the money back; "vitrine orders refunds" has it`
      : `${printable(reference)} is the reference of another payment: nothing was noted`;
  io.stderr.write(`vitrine: ${why}.\n`);
  return 1;
}

function parcelLine({ at, carrier, trackingNumber, trackingUrl }: Shipment): string {
  const parcel = [carrier, trackingNumber, trackingUrl].filter((part) => part !== undefined);
  return `  ${new Date(at).toISOString().slice(0, 10)}  sent${parcel.length === 0 ? "" : `: ${printable(parcel.join(", "))}`}`;
}

async function ship(database: Database, order: Order, shipment: Omit<Shipment, "at">, io: Io): Promise<number> {
  const at = database.now?.() ?? system.now();
  if ((await shipOrder(database, order, { ...shipment, at }, system.newId())) === undefined) {
    const { state } = (await readOrderByNumber(database, order.number)) ?? order;
    io.stderr.write(`vitrine: order ${order.number} was ${state === "cancelled" ? "cancelled" : "sent before"}.\n`);
    return 1;
  }
  const mail = order.content.delivery?.email;
  const owed = order.payment === "unpaid" && order.content.amount > 0 ? " It is not paid yet." : "";
  io.stdout.write(`Sent: #${order.number}${mail === undefined ? "" : `, to ${printable(mail)}`}.${owed}\n`);
  return 0;
}

async function cancel(database: Database, order: Order, note: string, io: Io): Promise<number> {
  const now = database.now?.() ?? system.now();
  const text = note === "" ? "cancelled" : `cancelled: ${note}`;
  if ((await cancelOrder(database, order, { now, eventId: system.newId(), note: text })) === undefined) {
    io.stderr.write(`vitrine: order ${order.number} was cancelled before.\n`);
    return 1;
  }
  const owed = order.payment === "paid" && order.content.amount > 0;
  const money = formatMoney(order.content.amount, order.content.priced.currency, "en");
  io.stdout.write(
    `Cancelled: #${order.number}; its stock is back.${owed ? ` ${money} were paid (${printable(order.reference ?? "")}): give them back.` : ""}\n`,
  );
  return 0;
}

async function addNote(database: Database, { id, number }: Order, text: string, io: Io): Promise<number> {
  await noteOrder(database, id, { at: database.now?.() ?? system.now(), text });
  io.stdout.write(`Noted: #${number}.\n`);
  return 0;
}

/** What strangers wrote must not steer a terminal. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}
