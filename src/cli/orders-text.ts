import { formatVariantTitle, type OfferedVariant } from "../catalog/catalog.ts";
import { type DueRefund, getShipmentState, listNonEmptyProperties, type Order } from "../checkout/order.ts";
import type { Shipment } from "../checkout/shipment.ts";
import { formatMoney } from "../pricing/money.ts";
import { serializeOrder } from "../storage/checkouts/order-json.ts";
import { formatJson, sanitize } from "./io.ts";
import type { MinuteFormat } from "./shop-time.ts";

/** Returns an order as a line of JSON. */
export function toJsonLine(order: Order): string {
  return formatJson(serializeOrder(order));
}

/** Formats a payment that must be refunded as one line of JSON. */
export function formatRefund(refund: DueRefund): string {
  const { reference, checkoutId, orderId = null, orderNumber = null, amount, currency, reason, receivedAt } = refund;
  const order = { checkout_id: checkoutId, order_id: orderId, order_number: orderNumber };
  const received_at = new Date(receivedAt).toISOString();
  return formatJson({ reference, ...order, amount, currency, reason, received_at });
}

/** Returns a one-line summary of an order, for the list of orders. */
export function formatSummary(order: Order, formatTime: MinuteFormat): string {
  const { number, createdAt, state, payment, content } = order;
  const { priced, amount, delivery } = content;
  const amountText = formatMoney(amount, priced.currency, "en");
  const stateText = `${state === "cancelled" ? state : payment}${shipmentTexts[getShipmentState(order)]}${content.isTest === true ? ", test" : ""}`;
  const itemCountText = `${priced.itemCount} ${priced.itemCount === 1 ? "piece" : "pieces"}`;
  return `#${number}  ${formatTime(createdAt)}  ${stateText}  ${amountText}  ${itemCountText}  ${sanitize(delivery?.email ?? "-")}\n`;
}

const shipmentTexts = { unshipped: "", partial: ", partially shipped", shipped: ", shipped" } as const;

/** Formats an order as text.  @param refunds payments of the order that must be refunded */
export function formatOrder(order: Order, refunds: readonly DueRefund[], formatTime: MinuteFormat): string {
  const formatDay = (time: number): string => formatTime(time).slice(0, 10);
  const { content, notes, reference } = order;
  const { priced, delivery, taxes, amount } = content;
  const isPartial = order.shipments.length > 1 || getShipmentState(order) === "partial";
  const toMoney = (units: number): string => formatMoney(units, priced.currency, "en");
  const lines = [
    formatSummary(order, formatTime).trimEnd(),
    ...priced.lines.flatMap(({ line, product, variant, finalLinePrice, discounts }) => [
      `  ${line.parentKey === undefined ? "" : "+ "}${line.quantity} x ${sanitize(formatItemName({ product, variant }))}  ${toMoney(finalLinePrice)}`,
      ...listNonEmptyProperties(line).map((property) => `      ${sanitize(property)}`),
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
    ...order.shipments.map((shipment) => `  ${formatDay(shipment.at)}  sent${formatParcel(shipment, isPartial)}`),
    ...notes.map(({ at, text }) => `  ${formatDay(at)}  ${sanitize(text)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the name of an item, such as "Raincoat (M, NOR.0707-61)". */
function formatItemName({ product, variant }: OfferedVariant): string {
  const details = [formatVariantTitle({ product, variant }), variant.sku].filter((detail) => detail !== undefined);
  return details.length === 0 ? product.title : `${product.title} (${details.join(", ")})`;
}

function formatParcel({ carrier, trackingNumber, trackingUrl, items }: Shipment, isPartial: boolean): string {
  const unitCount = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const quantityText = isPartial ? `${unitCount} ${unitCount === 1 ? "piece" : "pieces"}` : undefined;
  const trackingParts = [quantityText, carrier, trackingNumber, trackingUrl].filter((part) => part !== undefined);
  return trackingParts.length === 0 ? "" : `: ${sanitize(trackingParts.join(", "))}`;
}
