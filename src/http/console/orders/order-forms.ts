import { formatVariantTitle } from "../../../catalog/catalog.ts";
import {
  type DueRefund,
  findUnshippedItems,
  type Order,
  sumRefunds,
  TEST_ORDER_DAYS,
} from "../../../checkout/order.ts";
import type { OrderOperationType } from "../../../checkout/order-operations.ts";
import { formatDecimalMoney, formatMoney, parseTypedMoney } from "../../../pricing/money.ts";
import { createFieldProblem } from "../../../problem.ts";
import { limitFieldText, renderForm } from "../console-page.ts";
import type { ConsoleSession } from "../console-session.ts";
import { type Markup, type MarkupValue, markup } from "../markup.ts";

/**
 * Converts form fields to fields of the HTTP API: decimal amounts become minor units, and quantities by line become a
 * list of items.
 * @throws Problem `validation_failed`
 */
export function readOperationFields(
  type: OrderOperationType,
  form: Readonly<Record<string, unknown>>,
  { content }: Order,
): Readonly<Record<string, unknown>> {
  const texts = Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, limitFieldText(value, 3_000)]] : [],
    ),
  );
  if (type === "refund") {
    const amount = parseTypedMoney(String(texts.amount ?? ""), content.priced.currency);
    if (amount === undefined) throw createFieldProblem("amount", "format", "Enter an amount such as 12.50.");
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
  readonly submitted: Readonly<Record<string, unknown>>;
}

/** Renders a form for each operation that the order's state allows, such as shipping or canceling it. */
export function renderOrderForms(session: ConsoleSession, order: Order, state: FormState): Markup {
  const { submitted } = state;
  const renderOperation = (type: OrderOperationType, title: string, buttonText: string, fields: MarkupValue): Markup =>
    markup`<section class="panel"><h2>${title}</h2>${renderForm(
      session,
      `/admin/orders/${order.number}`,
      markup`<input type="hidden" name="operation" value="${type}"><input type="hidden" name="revision" value="${order.revision}">${fields}<button>${buttonText}</button>`,
      "stack",
    )}</section>`;
  const renderInput = (
    type: OrderOperationType,
    name: string,
    label: string,
    attributes: Markup,
    value = "",
  ): Markup => {
    const id = `${type}-${name}`;
    const inputValue = submitted.operation === type ? limitFieldText(submitted[name], 3_000) : value;
    return markup`<div><label for="${id}">${label}</label><input id="${id}" name="${name}" value="${inputValue}"${attributes}></div>`;
  };
  const { content } = order;
  const isOrderOpen = order.state === "open";
  const unshippedItems = findUnshippedItems(order);
  const emails = state.sendsEmail && content.delivery !== undefined ? listPossibleEmails(order) : [];
  return markup`<div class="grid">
${
  isOrderOpen &&
  unshippedItems.length > 0 &&
  renderOperation("ship", "Ship items", "Record shipment", [
    renderQuantities(order, submitted),
    renderInput("ship", "carrier", "Carrier", markup` maxlength="255"`),
    renderInput("ship", "tracking_number", "Tracking number", markup` maxlength="255"`),
    renderInput("ship", "tracking_url", "Tracking URL", markup` type="url" maxlength="2048"`),
    content.delivery !== undefined && state.sendsEmail && markup`<p class="muted">The customer gets an email.</p>`,
  ])
}
${
  isOrderOpen &&
  order.payment === "unpaid" &&
  renderOperation("pay", "Mark as paid", "Record payment", [
    markup`<p>${formatMoney(content.amount, content.priced.currency, "en")} is due.</p>`,
    renderInput("pay", "reference", "Reference, such as the text of the transfer", markup` required maxlength="255"`),
  ])
}
${findRefunds(order, state.refundsDue).map(({ reference, amount }, index) => {
  const value = formatDecimalMoney(amount, content.priced.currency);
  return renderOperation("refund", "Record a refund", "Record refund", [
    markup`<p class="muted">Refund the payment ${reference} at your bank or provider first.</p><input type="hidden" name="reference" value="${reference}">`,
    renderRefundFields(index, value, content.priced.currency, submitted),
  ]);
})}
${renderOperation("note", "Add a note", "Add note", renderInput("note", "text", "Note", markup` required maxlength="1000"`))}
${
  emails.length > 0 &&
  renderOperation(
    "email",
    "Send an email again",
    "Send email",
    markup`<div><label for="email-email">Email to ${content.delivery?.email}</label><select id="email-email" name="email">${emails.map(([value, name]) => markup`<option value="${value}">${name}</option>`)}</select></div>`,
  )
}
${
  isOrderOpen &&
  renderOperation("cancel", "Cancel order", "Cancel order", [
    markup`<p class="muted">Returns stock, gift cards, store credit, and discount uses. This cannot be undone.</p>`,
    renderInput("cancel", "note", "Reason", markup` maxlength="1000"`),
  ])
}
${
  content.isTest === true &&
  renderOperation(
    "delete",
    "Delete test order",
    "Delete order",
    markup`<p class="muted">Test orders are deleted automatically after ${TEST_ORDER_DAYS} days.</p>`,
  )
}
</div>`;
}

/** Names of the emails to shoppers, by event type. The console shows them in forms and in the order log. */
export const emailNames: Readonly<Record<string, string>> = {
  "order.created": "Order confirmation",
  "order.shipped": "Shipping confirmation",
  "order.cancelled": "Cancellation",
};

function listPossibleEmails({ shipments, state }: Order): readonly (readonly [string, string])[] {
  return Object.entries(emailNames).filter(
    ([email]) =>
      (email !== "order.shipped" || shipments.length > 0) && (email !== "order.cancelled" || state === "cancelled"),
  );
}

/** Returns the payments that can be refunded, each with the maximum amount. */
function findRefunds(
  order: Order,
  refundsDue: readonly DueRefund[],
): readonly Pick<DueRefund, "reference" | "amount">[] {
  const { reference, payment, content } = order;
  const amount = content.amount - sumRefunds(order, reference);
  const isRefundDue = refundsDue.some((refundDue) => refundDue.reference === reference);
  return payment === "paid" && reference !== undefined && amount > 0 && !isRefundDue
    ? [...refundsDue, { reference, amount }]
    : refundsDue;
}

function renderRefundFields(
  index: number,
  amount: string,
  currency: string,
  submittedForm: Readonly<Record<string, unknown>>,
): Markup {
  const reason = submittedForm.operation === "refund" ? limitFieldText(submittedForm.reason, 1_000) : "";
  return markup`<div><label for="refund-amount-${index}">Amount in ${currency}</label><input id="refund-amount-${index}" name="amount" inputmode="decimal" required value="${amount}"></div><div><label for="refund-reason-${index}">Reason</label><input id="refund-reason-${index}" name="reason" required maxlength="1000" value="${reason}"></div>`;
}

function renderQuantities(order: Order, submittedForm: Readonly<Record<string, unknown>>): readonly Markup[] {
  const submittedQuantities = (submittedForm.operation === "ship" ? (submittedForm.quantity ?? {}) : {}) as Readonly<
    Record<string, unknown>
  >;
  return findUnshippedItems(order).map(({ key, quantity }, index) => {
    const pricedLine = order.content.priced.lines.find(({ line }) => line.key === key);
    const name =
      pricedLine &&
      [pricedLine.product.title, formatVariantTitle(pricedLine)].filter((part) => part !== undefined).join(", ");
    const value = Object.hasOwn(submittedQuantities, key) ? limitFieldText(submittedQuantities[key], 10) : quantity;
    return markup`<div><label for="ship-${index}">Quantity of ${name}</label><input id="ship-${index}" name="quantity[${key}]" type="number" min="0" max="${quantity}" value="${value}"></div>`;
  });
}
