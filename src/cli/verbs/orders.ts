import { resolve } from "node:path";
import type { Order } from "../../checkout/order.ts";
import { formatMoney } from "../../pricing/money.ts";
import {
  cancelOrder,
  noteOrder,
  orderJson,
  readOrderByNumber,
  readOrders,
  readRefundsDue,
} from "../../storage/checkouts/order-store.ts";
import type { Database } from "../../storage/database.ts";
import { system } from "../../system.ts";
import { readArguments, wrongUsage } from "../arguments.ts";
import type { Io } from "../io.ts";
import { csvHeader, csvLines } from "../orders-csv.ts";
import { openStore } from "../store-database.ts";

const usage = `Usage: vitrine orders list        [--store DIR] [--since DATE]
       vitrine orders show        [--store DIR] <number>
       vitrine orders cancel      [--store DIR] <number> [--note TEXT]
       vitrine orders refund-note [--store DIR] <number> --note TEXT
       vitrine orders refunds     [--store DIR]
       vitrine orders export      [--store DIR] [--since DATE] [--format csv|jsonl]

Orders, oldest first.
  cancel       gives its stock, gift cards, store credit and uses of discounts back, once; a payment you give back yourself
  refund-note  writes to the order that you gave money back
  refunds      payments that came without an order, or twice, and have to be given back
  export       a line for each thing that was ordered (csv), or an order a line (jsonl, unless told)
  --store DIR  the store's folder (where you stand, unless told)
  --since DATE from this day on, like 2026-11-01
  --note TEXT  a sentence that stays with the order`;

/** `vitrine orders` */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const text = { type: "string" } as const;
  const given = readArguments(args, { store: text, since: text, note: text, format: text }, usage, io);
  if (typeof given === "number") return given;
  const { store = ".", since, note, format = "jsonl" } = given.values;
  const [verb = "", number, ...more] = given.positionals;
  const byNumber = ["show", "cancel", "refund-note"].includes(verb);
  if (!byNumber && !["list", "refunds", "export"].includes(verb))
    return wrongUsage("say list, show, cancel, refund-note, refunds or export.", usage, io);
  if (byNumber !== (number !== undefined) || more.length > 0 || (byNumber && !/^#?\d{1,15}$/.test(number ?? "")))
    return wrongUsage(byNumber ? "name one order by its number, like 1001." : `${verb} takes no words.`, usage, io);
  if (verb === "refund-note" && note === undefined) return wrongUsage("say what you did with --note.", usage, io);
  if (String(note ?? "").length > MAX_NOTE) return wrongUsage(`--note has ${MAX_NOTE} characters at most.`, usage, io);
  if (format !== "csv" && format !== "jsonl") return wrongUsage("--format is csv or jsonl.", usage, io);
  const from = since === undefined ? 0 : Date.parse(String(since));
  if (Number.isNaN(from)) return wrongUsage(`"${since}" is no day; write it like 2026-11-01.`, usage, io);
  const { database } = await openStore(resolve(io.cwd, String(store)), io.env.DATABASE_URL);
  try {
    if (!byNumber) return await listAll(verb, database, { from, isCsv: format === "csv" }, io);
    const order = await readOrderByNumber(database, Number(number?.replace("#", "")));
    if (order === undefined) {
      io.stderr.write(`vitrine: there is no order ${number}; "vitrine orders list" shows them.\n`);
      return 1;
    }
    if (verb === "show") return show(order, io);
    return verb === "cancel"
      ? await cancel(database, order, String(note ?? ""), io)
      : await addNote(database, order, `refund: ${note}`, io);
  } finally {
    await database.close();
  }
}

const MAX_NOTE = 1_000;

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

function inWords({ number, createdAt, state, payment, content }: Order): string {
  const { priced, amount, delivery } = content;
  const when = new Date(createdAt).toISOString().slice(0, 16).replace("T", " ");
  const money = formatMoney(amount, priced.currency, "en");
  return `#${number}  ${when}  ${state === "cancelled" ? state : payment}  ${money}  ${priced.itemCount} pieces  ${printable(delivery?.email ?? "-")}\n`;
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
    ...notes.map(({ at, text }) => `  ${new Date(at).toISOString().slice(0, 10)}  ${printable(text)}`),
  ];
  io.stdout.write(`${lines.join("\n")}\n`);
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
