import { formatTransferReference } from "../../checkout/bank-transfer.ts";
import { countShippedUnits, getShipmentState, type Order } from "../../checkout/order.ts";
import type { Shipment } from "../../checkout/shipment.ts";
import type { NewEvent } from "../events/outbox.ts";

/** Creates an event that contains the order. */
export function createOrderEvent(
  order: Order,
  { id, type }: Pick<NewEvent, "id" | "type">,
  createdAt: number,
): NewEvent {
  return { id, type, orderKey: order.id, payload: { order: serializeOrder(order) }, createdAt };
}

/** Returns the order as JSON for other systems, with money in minor units. */
export function serializeOrder(order: Order): Readonly<Record<string, unknown>> {
  const { id, number, revision, checkoutId, state, payment, reference, content, notes, createdAt } = order;
  const { priced, delivery, taxes, amount, locale, customerId } = content;
  const shipments = order.shipments.map(serializeShipment);
  const balances = content.reservations.filter(({ kind }) => kind !== "stock");
  return {
    id,
    number,
    revision,
    checkout_id: checkoutId,
    test: content.isTest === true,
    state,
    payment_state: payment,
    shipment_state: getShipmentState(order),
    shipment: shipments.at(-1) ?? null,
    shipments,
    reference: reference ?? null,
    bank_transfer:
      content.bankTransfer === undefined
        ? null
        : {
            account_holder: content.bankTransfer.accountHolder,
            iban: content.bankTransfer.iban,
            bic: content.bankTransfer.bic ?? null,
            reference: formatTransferReference(number),
          },
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(order.updatedAt).toISOString(),
    cancelled_at: order.cancelledAt === undefined ? null : new Date(order.cancelledAt).toISOString(),
    cancel_reason: order.cancelReason ?? null,
    locale,
    customer_id: customerId ?? null,
    currency: priced.currency,
    items_subtotal: priced.itemsSubtotal,
    total_discount: priced.originalTotal - priced.total,
    shipping: delivery?.rate === undefined ? null : { name: delivery.rate.code, price: delivery.rate.price },
    gift_cards: priced.giftCards.map(({ code }) => code),
    drawn: balances.map(({ kind, id, units }) => ({ kind, id, amount: units })),
    taxes:
      taxes === undefined
        ? null
        : {
            country: taxes.country,
            included: taxes.isIncluded,
            total: taxes.total,
            rates: taxes.rates,
            shipping: taxes.shipping,
          },
    total: balances.reduce((sum, { units }) => sum + units, amount),
    amount,
    email: delivery?.email ?? null,
    name: delivery?.name ?? null,
    vat_id: delivery?.vatId ?? null,
    address: delivery?.address ?? null,
    note: priced.cart.note ?? null,
    discounts: priced.discountApplications.map(({ title, total, target }) => ({ title, amount: total, target })),
    refunds: order.refunds.map(({ at, amount: refund, reason, reference: payment }) => ({
      refunded_at: new Date(at).toISOString(),
      ...{ amount: refund, reason, reference: payment },
    })),
    refunded_amount: order.refunds.reduce((sum, { amount: refund }) => sum + refund, 0),
    items: priced.lines.map(({ line, product, variant, price, finalLinePrice, discounts }, index) => ({
      key: line.key,
      parent_key: line.parentKey ?? null,
      variant_id: variant.id,
      product_id: product.id,
      sku: variant.sku ?? null,
      title: product.title,
      variant_title: variant.title,
      quantity: line.quantity,
      shipped_quantity: countShippedUnits(order.shipments, line.key),
      properties: line.properties,
      price,
      discounts: discounts.map(({ title, amount }) => ({ title, amount })),
      final_line_price: finalLinePrice,
      tax: taxes?.lines[index] ?? 0,
    })),
    notes: notes.map(({ at, text }) => ({ at: new Date(at).toISOString(), text })),
  };
}

function serializeShipment({ at, carrier, trackingNumber, trackingUrl, items }: Shipment): object {
  return {
    shipped_at: new Date(at).toISOString(),
    carrier: carrier ?? null,
    tracking_number: trackingNumber ?? null,
    tracking_url: trackingUrl ?? null,
    items,
  };
}
