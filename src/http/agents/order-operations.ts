import { countShippedUnits, type Order } from "../../checkout/order.ts";
import { Problem } from "../../problem.ts";
import { formatOrderPath, readOrderLink } from "../../security/order-link.ts";
import type { Shop } from "../../shop.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { formatLocalePrefix, type StoreRequest } from "../wire/request.ts";
import type { AgentOperation } from "./agent-operation.ts";
import { toUcpResponse } from "./ucp.ts";
import { createUcpTotals, formatLineItem } from "./ucp-cart.ts";

type OrderServices = Pick<Shop, "config" | "keys" | "checkouts">;

const capability = "dev.ucp.shopping.order";

/** Operations on orders. To read an order, an agent needs the signed link in the order confirmation. */
export const orderOperations: readonly AgentOperation<OrderServices>[] = [
  {
    name: "get_order",
    capability,
    endpoint: { method: "GET", path: "/orders/:id" },
    description: "Read an order with its shipments. Ask the buyer for the link in the order confirmation.",
    changesCart: false,
    arguments: {
      id: { type: "string", description: "Link to the order, or its last part: /orders/<id>." },
    },
    async run(shop, { request, id }) {
      const token = id.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
      const orderId = readOrderLink(shop.keys, token, request.now);
      const order = orderId === undefined ? undefined : await awaitWithDeadline(shop.checkouts.orders.find(orderId));
      if (order === undefined) throw new Problem("not_found", "There is no order with this id.");
      return toUcpResponse(capability, toUcpOrder(shop, request, order, token));
    },
  },
];

function toUcpOrder(shop: OrderServices, request: StoreRequest, order: Order, token: string): object {
  const { content, number, checkoutId, shipments, state } = order;
  const { priced, delivery, taxes } = content;
  const { origin, locale } = request;
  const isCanceled = state === "cancelled";
  const prefix = formatLocalePrefix(locale, shop.config.locales);
  return {
    id: token,
    label: `#${number}`,
    checkout_id: checkoutId,
    permalink_url: origin + formatOrderPath(shop.keys, prefix, order),
    line_items: priced.lines.map((line) => {
      const { key, quantity } = line.line;
      const total = isCanceled ? 0 : quantity;
      const fulfilledCount = countShippedUnits(shipments, key);
      return {
        ...formatLineItem(line, locale, origin),
        quantity: { original: quantity, total, fulfilled: fulfilledCount },
        status: findLineStatus(total, fulfilledCount),
      };
    }),
    fulfillment: {
      ...(delivery?.address === undefined || isCanceled ? {} : { expectations: [createDeliveryExpectation(order)] }),
      events: shipments.map(({ at, items, carrier, trackingNumber, trackingUrl }, index) => ({
        id: `shipment_${index + 1}`,
        occurred_at: new Date(at).toISOString(),
        type: "shipped",
        line_items: items.map(({ key, quantity }) => ({ id: key, quantity })),
        ...(carrier === undefined ? {} : { carrier }),
        ...(trackingNumber === undefined ? {} : { tracking_number: trackingNumber }),
        ...(trackingUrl === undefined ? {} : { tracking_url: trackingUrl }),
      })),
    },
    adjustments: listAdjustments(order),
    currency: priced.currency,
    totals: createUcpTotals(priced, delivery?.rate, taxes),
  };
}

function findLineStatus(total: number, fulfilledCount: number): string {
  if (total === 0) return "removed";
  if (fulfilledCount >= total) return "fulfilled";
  return fulfilledCount > 0 ? "partial" : "processing";
}

function createDeliveryExpectation({ content: { priced, delivery } }: Order): object {
  const { address, name, rate } = delivery ?? {};
  const destination = {
    first_name: name,
    street_address: address?.address1,
    extended_address: address?.address2,
    address_locality: address?.city,
    address_region: address?.province,
    address_country: address?.country,
    postal_code: address?.zip,
  };
  return {
    id: "delivery",
    line_items: priced.lines.map(({ line: { key, quantity } }) => ({ id: key, quantity })),
    method_type: priced.requiresShipping ? "shipping" : "digital",
    destination: Object.fromEntries(
      Object.entries(destination).filter(([, text]) => text !== undefined && text !== ""),
    ),
    ...(rate === undefined ? {} : { description: rate.name }),
  };
}

function listAdjustments({ refunds, cancelledAt, updatedAt, state }: Order): readonly object[] {
  const cancellationRecord = {
    id: "cancellation",
    type: "cancellation",
    occurred_at: new Date(cancelledAt ?? updatedAt).toISOString(),
    status: "completed",
  };
  return [
    ...(state === "cancelled" ? [cancellationRecord] : []),
    ...refunds.map(({ at, amount }, index) => ({
      id: `refund_${index + 1}`,
      type: "refund",
      occurred_at: new Date(at).toISOString(),
      status: "completed",
      totals: [{ type: "total", amount: -amount }],
    })),
  ];
}
