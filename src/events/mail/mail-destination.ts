import { setImmediate } from "node:timers/promises";
import type { Invoice } from "../../checkout/invoice.ts";
import { createInvoicePdf } from "../../checkout/invoice-pdf.ts";
import type { DueRefund, Order } from "../../checkout/order.ts";
import { type OrderEmail, orderEmails } from "../../checkout/order-operations.ts";
import type { OutboxEventType } from "../../config/event-settings.ts";
import { limitsByName, type RateLimits } from "../../runtime/limits.ts";
import { readInvoices } from "../../storage/checkouts/invoices.ts";
import { readLogSource } from "../../storage/checkouts/order-log.ts";
import { readOrder } from "../../storage/checkouts/order-rows.ts";
import { readRefundsDue } from "../../storage/checkouts/refunds.ts";
import type { Database } from "../../storage/database.ts";
import type { LowStockPayload } from "../../storage/events/low-stock-mail.ts";
import { type DeliveryOutcome, type EventDestination, getFailureReason, type OutgoingEvent } from "../destination.ts";
import { createShopperMail, type MailResources, type PreparedMail } from "./mails.ts";
import {
  createContactMail,
  createLowStockMail,
  createNewOrderMail,
  createPaidMail,
  createRefundDueMail,
  type SentContact,
} from "./merchant-mails.ts";
import { createMailbox, type Mail, type MailAttachment } from "./smtp.ts";
import { type MailText, writeMail } from "./templates.ts";

export interface MailDestinationResources extends MailResources {
  readonly database: Database;
  /** Folder of the store's mail templates. */
  readonly folder: string;
  readonly limits: Pick<RateLimits, "consume" | "refund">;
}

/**
 * Creates the receivers that send mails to shoppers about their orders, and to the merchant about messages, orders, and
 * stock. The merchant's order mails have a separate queue, so that a shopper's invalid address does not delay them.
 */
export function createMailDestinations(
  parts: MailDestinationResources,
  smtp: string,
  from: string,
): readonly EventDestination[] {
  const { config, database, folder, limits } = parts;
  const mailbox = createMailbox(smtp, config.events.timeout);
  const attemptTimeoutMs = SMTP_STEP_COUNT * config.events.timeout;

  const send = async (
    mail: PreparedMail & Pick<Mail, "attachments">,
    messageId: string,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> => {
    const timeout = AbortSignal.timeout(attemptTimeoutMs);
    const { template, objects, ...envelope } = mail;
    let text: MailText;
    try {
      text = await writeMail(folder, template, objects);
    } catch (error) {
      const failure = getFailureReason(error);
      const nextStep = "correct the template, and the email is sent at the next attempt";
      return { isDone: false, failure, storeMistake: `an email cannot be written: ${failure}; ${nextStep}` };
    }
    try {
      await mailbox.send({ ...text, ...envelope, from, id: messageId }, AbortSignal.any([signal, timeout]));
      return { isDone: true };
    } catch (error) {
      if (timeout.aborted)
        return { isDone: false, failure: `the mail server did not accept the mail within ${attemptTimeoutMs} ms` };
      return { isDone: false, failure: getFailureReason(error) };
    }
  };

  const sendShopperEmail = async (
    event: OutgoingEvent,
    order: Order,
    now: number,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> => {
    const { email, count } = findShopperEmail(event);
    if (event.type === "order.refunded" && !config.mail.refunds) return { isDone: true };
    const invoices = selectInvoices(email, order, await readInvoices(database, order.id), count);
    const shopperMail = createShopperMail(parts, email, order, now, invoices, count);
    if (shopperMail === undefined) return { isDone: true };
    const mail = { ...shopperMail, attachments: await createAttachments(email, invoices, shopperMail.transferCode) };
    const isRateLimited = email === "order.created" && order.payment === "unpaid";
    if (!isRateLimited) return send(mail, event.id, signal);
    const recipient = getRecipientKey(mail.to);
    if (!limits.consume("confirmation by recipient", recipient, now)) {
      const { burst, refillIntervalMs: postponeDelayMs } = limitsByName["confirmation by recipient"];
      return {
        isDone: false,
        failure: `the limit of ${burst} confirmations of unpaid orders for this recipient is reached`,
        postponeDelayMs,
      };
    }
    const outcome = await send(mail, event.id, signal);
    if (!outcome.isDone) limits.refund("confirmation by recipient", recipient, now);
    return outcome;
  };

  const createMerchantMail = async (
    event: OutgoingEvent,
    order: Order | undefined,
    now: number,
  ): Promise<PreparedMail | undefined> => {
    if (event.type === "payment.refund_due" || event.type === "order.cancelled") {
      const { reference = order?.reference } = event.payload as Partial<DueRefund>;
      const dueRefund = (await readRefundsDue(database, order?.id)).find((due) => due.reference === reference);
      if (dueRefund === undefined || (await isMerchantChange(database, event))) return undefined;
      return createRefundDueMail(parts, from, dueRefund, order, now);
    }
    if (order === undefined) return undefined;
    if (event.type === "mail.low_stock")
      return createLowStockMail(parts, from, order, event.payload as LowStockPayload, now);
    if (event.type === "order.created") return createNewOrderMail(parts, from, order, now);
    const wasPaidAtOnce = (event.payload as { readonly order: Pick<Order, "revision"> }).order.revision === 1;
    if (wasPaidAtOnce || (await isMerchantChange(database, event))) return undefined;
    return createPaidMail(parts, from, order, now);
  };

  const createDestination = (
    name: string,
    types: readonly OutboxEventType[],
    deliverMail: EventDestination["deliver"],
  ): EventDestination => ({
    ...{ name, kind: "mail", label: `the mail server ${new URL(smtp).host}`, types, attemptTimeoutMs },
    deliver: (...args) =>
      deliverMail(...args).catch(
        (error: unknown): DeliveryOutcome => ({ isDone: false, failure: getFailureReason(error) }),
      ),
  });

  return [
    createDestination("mail", [...orderEmails, "mail.requested", "contact.received"], async (event, now, signal) => {
      if (event.type === "contact.received") {
        const { contact } = event.payload as { readonly contact: SentContact };
        const mail = config.mail.contacts ? createContactMail(parts, from, contact, now) : undefined;
        return mail === undefined ? { isDone: true } : send(mail, event.id, signal);
      }
      const order = await findOrder(database, event);
      return order === undefined ? { isDone: true } : sendShopperEmail(event, order, now, signal);
    }),
    createDestination("merchant-mail", listMerchantEvents(config), async (event, now, signal) => {
      const order = await findOrder(database, event);
      const mail = await createMerchantMail(event, order, now);
      return mail === undefined ? { isDone: true } : send(mail, `${event.id}-merchant`, signal);
    }),
  ];
}

/**
 * Number of SMTP steps, each with its own timeout: name lookup, connection, greeting and EHLO, login, sender,
 * recipient, text, and end of the text.
 */
const SMTP_STEP_COUNT = 9;

/** Returns which email the event requires, and how many shipments or refunds the order had at the time of the event. */
function findShopperEmail({ type, payload }: OutgoingEvent): {
  readonly email: OrderEmail;
  readonly count: number | undefined;
} {
  const { order, email } = payload as {
    readonly order: { readonly shipments?: readonly unknown[]; readonly refunds?: readonly unknown[] };
    readonly email: OrderEmail;
  };
  if (type === "mail.requested") return { email, count: undefined };
  const { length: count = 0 } = (type === "order.refunded" ? order.refunds : order.shipments) ?? [];
  return { email: type as OrderEmail, count };
}

/** Returns the invoices that an email is about. The email about a refund is about its credit note only. */
function selectInvoices(
  email: OrderEmail,
  { reference, refunds }: Order,
  invoices: readonly Invoice[],
  count = refunds.length,
): readonly Invoice[] {
  if (email !== "order.refunded") return invoices;
  const refund = refunds[count - 1];
  if (refund === undefined || refund.reference !== reference) return [];
  // Each refund of the order's payment has a credit note, until the cancellation has one for the rest.
  const index = refunds.slice(0, count - 1).filter((earlierRefund) => earlierRefund.reference === reference).length;
  const creditNote = invoices.filter(({ document }) => document.kind === "credit_note")[index];
  return creditNote?.document.issuedAt === refund.at ? [creditNote] : [];
}

/**
 * Creates the attachments: in an order confirmation, the invoice and the QR code for a bank transfer, in other emails,
 * the credit notes.
 */
async function createAttachments(
  email: OrderEmail,
  invoices: readonly Invoice[],
  transferCode: string | undefined,
): Promise<NonNullable<Mail["attachments"]>> {
  if (email === "order.shipped") return [];
  const kind = email === "order.created" ? "invoice" : "credit_note";
  const attachments = invoices
    .filter(({ document }) => document.kind === kind)
    .map(async (invoice) => {
      const content = await createInvoicePdf(invoice, setImmediate);
      return content === undefined
        ? []
        : [{ filename: `${invoice.number}.pdf`, contentType: "application/pdf", content }];
    });
  return [
    ...(await Promise.all(attachments)).flat(),
    ...(transferCode === undefined ? [] : [await createCodeImage(transferCode)]),
  ];
}

/** Creates the image of a QR code, which the HTML part of the email shows. */
async function createCodeImage(text: string): Promise<MailAttachment> {
  const { default: encodeQR } = await import("qr");
  const content = encodeQR(text, "gif", { ecc: "medium", border: 4, scale: 3 });
  return { filename: "bank-transfer.gif", contentType: "image/gif", content, cid: "bank-transfer" };
}

/** Returns the types of the events about which the merchant gets mails. */
function listMerchantEvents({ mail }: MailResources["config"]): readonly OutboxEventType[] {
  return [
    ...(mail.newOrders ? (["order.created"] as const) : []),
    ...(mail.payments ? (["order.paid"] as const) : []),
    ...(mail.refundsDue ? (["payment.refund_due", "order.cancelled"] as const) : []),
    "mail.low_stock",
  ];
}

/** Returns whether the merchant made the change that an event reports. Changes of orders have the ID of their event. */
async function isMerchantChange(database: Database, { id }: OutgoingEvent): Promise<boolean> {
  const source = await readLogSource(database, id);
  return source === "console" || source === "command_line";
}

/** Reads the current state of the order that an event concerns. */
async function findOrder(database: Database, { payload }: OutgoingEvent): Promise<Order | undefined> {
  const { order, order_id: id = order?.id } = payload as {
    readonly order?: { readonly id: string };
    readonly order_id?: string | null;
  };
  return id == null ? undefined : readOrder(database, id);
}

/**
 * Returns the key of a mailbox: "Ada+1@Example.com" becomes "ada@example.com", because most providers deliver both
 * addresses to one mailbox.
 */
function getRecipientKey(address: string): string {
  return address.toLowerCase().replace(/\+[^@]*(?=@)/, "");
}
