import { formatOfferTitle } from "../../../catalog/catalog.ts";
import { findDueTransfer, formatTransferReference } from "../../../checkout/bank-transfer.ts";
import {
  cancelReasons,
  type DueRefund,
  findUnshippedItems,
  type Order,
  sumRefunds,
  TEST_ORDER_DAYS,
} from "../../../checkout/order.ts";
import type { OrderOperationType } from "../../../checkout/order-operations.ts";
import type { ConsoleMessageKey } from "../../../console/console-messages.ts";
import { formatTypedMoney, parseTypedMoney } from "../../../pricing/money.ts";
import { createFieldProblem } from "../../../problem.ts";
import { type ConsoleVisit, limitFieldText, renderForm } from "../console-page.ts";
import type { ConsoleTexts } from "../console-texts.ts";
import { type Markup, type MarkupValue, markup, renderOptions } from "../markup.ts";

/**
 * Converts form fields to fields of the HTTP API: decimal amounts become minor units, and quantities by line become a
 * list of items.
 * @param language language of the user, which has a decimal mark
 * @throws Problem `validation_failed`
 */
export function readOperationFields(
  type: OrderOperationType,
  form: Readonly<Record<string, unknown>>,
  { content }: Order,
  language: string,
): Readonly<Record<string, unknown>> {
  const texts = Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, limitFieldText(value, 3_000)]] : [],
    ),
  );
  if (type === "refund") {
    const { currency } = content.priced;
    const amount = parseTypedMoney(String(texts.amount ?? ""), currency, language);
    if (amount === undefined)
      throw createFieldProblem(
        "amount",
        "format",
        `Enter an amount such as ${formatTypedMoney(1_250, currency, language)}.`,
      );
    return { ...texts, amount };
  }
  if (type !== "ship") return texts;
  const quantities = Object.entries((form.quantity ?? {}) as Readonly<Record<string, unknown>>);
  const items = quantities.flatMap(([key, text]) => {
    const quantity = typeof text === "string" && text.trim() !== "" ? Number(text) : 0;
    return quantity === 0 ? [] : [{ key, quantity }];
  });
  if (items.length === 0) throw createFieldProblem("quantity", "required", "Enter the quantity of at least one item.");
  return { ...texts, items };
}

interface FormState {
  readonly refundsDue: readonly DueRefund[];
  readonly sendsEmail: boolean;
  /** Fields of a rejected form. */
  readonly submittedFields: Readonly<Record<string, unknown>>;
}

/** Renders a form for each operation that the order's state allows, such as shipping or canceling it. */
export function renderOrderForms(
  { session, texts }: Pick<ConsoleVisit, "session" | "texts">,
  order: Order,
  state: FormState,
): Markup {
  const { submittedFields } = state;
  const renderOperation = (
    type: OrderOperationType,
    title: ConsoleMessageKey,
    button: ConsoleMessageKey,
    fields: MarkupValue,
  ): Markup =>
    markup`<section class="panel"><h2>${texts.get(title)}</h2>${renderForm(
      session,
      `/admin/orders/${order.number}`,
      markup`<input type="hidden" name="operation" value="${type}"><input type="hidden" name="revision" value="${order.revision}">${fields}<button>${texts.get(button)}</button>`,
      "stack",
    )}</section>`;
  const renderInput = (
    type: OrderOperationType,
    name: string,
    label: ConsoleMessageKey,
    attributes: Markup,
    initialValue = "",
  ): Markup => {
    const id = `${type}-${name}`;
    const inputValue = submittedFields.operation === type ? limitFieldText(submittedFields[name], 3_000) : initialValue;
    return markup`<div><label for="${id}">${texts.get(label)}</label><input id="${id}" name="${name}" value="${inputValue}"${attributes}></div>`;
  };
  const { content } = order;
  const isOrderOpen = order.state === "open";
  const unshippedItems = findUnshippedItems(order);
  const emails = state.sendsEmail && content.delivery !== undefined ? listPossibleEmails(order) : [];
  return markup`<div class="grid">
${
  isOrderOpen &&
  unshippedItems.length > 0 &&
  renderOperation("ship", "order.ship", "order.recordShipment", [
    findDueTransfer(order) !== undefined && markup`<p>${texts.get("order.awaitTransfer")}</p>`,
    renderQuantities(texts, order, submittedFields),
    renderInput("ship", "carrier", "mails.carrier", markup` maxlength="255"`),
    renderInput("ship", "tracking_number", "mails.trackingNumber", markup` maxlength="255"`),
    renderInput("ship", "tracking_url", "order.trackingUrl", markup` type="url" maxlength="2048"`),
    content.delivery !== undefined && state.sendsEmail && markup`<p class="muted">${texts.get("order.shipEmail")}</p>`,
  ])
}
${
  isOrderOpen &&
  order.payment === "unpaid" &&
  renderOperation("pay", "order.pay", "order.recordPayment", [
    markup`<p>${texts.get("order.amountDue", { amount: texts.formatMoney(content.amount, content.priced.currency) })}</p>`,
    renderInput(
      "pay",
      "reference",
      "order.payReference",
      markup` required maxlength="255"`,
      formatTransferReference(order.number),
    ),
  ])
}
${findRefunds(order, state.refundsDue).map(({ reference, amount }, index) => {
  const value = formatTypedMoney(amount, content.priced.currency, texts.language);
  return renderOperation("refund", "order.recordRefund", "order.recordRefund", [
    markup`<p class="muted">${texts.render("order.refundHint", { reference: markup`<bdi>${reference}</bdi>` })}</p><input type="hidden" name="reference" value="${reference}">`,
    renderRefundFields(texts, index, value, content.priced.currency, submittedFields),
  ]);
})}
${renderOperation("note", "order.addNote", "order.addNote", renderInput("note", "text", "mails.note", markup` required maxlength="1000"`))}
${
  emails.length > 0 &&
  renderOperation(
    "email",
    "order.resend",
    "order.resend",
    markup`<div><label for="email-email">${texts.get("order.emailTo", { email: content.delivery?.email ?? "" })}</label><select id="email-email" name="email">${renderOptions(emails.map(([value, name]) => [value, texts.get(name)]))}</select></div>`,
  )
}
${
  isOrderOpen &&
  renderOperation("cancel", "order.cancel", "order.cancel", [
    markup`<p class="muted">${texts.get("order.cancelHint")}</p>`,
    markup`<div><label for="cancel-reason">${texts.get("labels.reason")}</label><select id="cancel-reason" name="reason">${renderOptions([["", ""], ...cancelReasons.map((reason) => [reason, texts.get(`cancelReasons.${reason}`)] as const)])}</select></div>`,
    renderInput("cancel", "note", "mails.note", markup` maxlength="1000"`),
  ])
}
${
  content.isTest === true &&
  renderOperation(
    "delete",
    "order.delete",
    "order.delete",
    markup`<p class="muted">${texts.get("order.deleteHint", { count: TEST_ORDER_DAYS })}</p>`,
  )
}
</div>`;
}

/** Names of the emails to shoppers, by event type. The console shows them in forms and in the order log. */
export const emailNames: ReadonlyMap<string, ConsoleMessageKey> = new Map([
  ["order.created", "order.confirmationEmail"],
  ["order.shipped", "order.shippingEmail"],
  ["order.refunded", "order.refundEmail"],
  ["order.cancelled", "order.cancellationEmail"],
]);

function listPossibleEmails({ refunds, shipments, state }: Order): readonly (readonly [string, ConsoleMessageKey])[] {
  return [...emailNames].filter(
    ([email]) =>
      (email !== "order.shipped" || shipments.length > 0) &&
      (email !== "order.refunded" || refunds.length > 0) &&
      (email !== "order.cancelled" || state === "cancelled"),
  );
}

/** Returns the payments that can be refunded, each with the maximum amount. */
function findRefunds(
  order: Order,
  refundsDue: readonly DueRefund[],
): readonly Pick<DueRefund, "reference" | "amount">[] {
  const { reference, payment, content } = order;
  const amount = content.amount - sumRefunds(order);
  const isRefundDue = refundsDue.some((dueRefund) => dueRefund.reference === reference);
  return payment === "paid" && reference !== undefined && amount > 0 && !isRefundDue
    ? [...refundsDue, { reference, amount }]
    : refundsDue;
}

function renderRefundFields(
  texts: ConsoleTexts,
  index: number,
  amount: string,
  currency: string,
  submittedForm: Readonly<Record<string, unknown>>,
): Markup {
  const reason = submittedForm.operation === "refund" ? limitFieldText(submittedForm.reason, 1_000) : "";
  return markup`<div><label for="refund-amount-${index}">${texts.get("order.amountIn", { currency })}</label><input id="refund-amount-${index}" name="amount" inputmode="decimal" required value="${amount}"></div><div><label for="refund-reason-${index}">${texts.get("labels.reason")}</label><input id="refund-reason-${index}" name="reason" required maxlength="1000" value="${reason}"></div>`;
}

function renderQuantities(
  texts: ConsoleTexts,
  order: Order,
  submittedForm: Readonly<Record<string, unknown>>,
): readonly Markup[] {
  const submittedQuantities = (submittedForm.operation === "ship" ? (submittedForm.quantity ?? {}) : {}) as Readonly<
    Record<string, unknown>
  >;
  return findUnshippedItems(order).map(({ key, quantity }, index) => {
    const pricedLine = order.content.priced.lines.find(({ line }) => line.key === key);
    const value = Object.hasOwn(submittedQuantities, key) ? limitFieldText(submittedQuantities[key], 10) : quantity;
    return markup`<div><label for="ship-${index}">${texts.get("order.quantityOf", { name: pricedLine === undefined ? key : formatOfferTitle(pricedLine) })}</label><input id="ship-${index}" name="quantity[${key}]" type="number" min="0" max="${quantity}" value="${value}"></div>`;
  });
}
