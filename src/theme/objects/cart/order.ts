import { computeTotalPrice, formatAddressLines } from "../../../checkout/checkout-snapshot.ts";
import { computeExpectedRefund, countShippedUnits, getShipmentState, sumRefunds } from "../../../checkout/order.ts";
import type { Shipment } from "../../../checkout/shipment.ts";
import { getMessages } from "../../../messages/messages.ts";
import type { QuotedRate } from "../../../pricing/shipping-rates.ts";
import type { OrderPage } from "../../checkout-pages.ts";
import { escapeIfUnsafe } from "../../liquid/safe-html.ts";
import { addPathPrefix, type View } from "../../view.ts";
import { emptyMetafields } from "../metafields.ts";
import { createObjectType, TemplateObject } from "../template-object.ts";
import { addressType } from "./address.ts";
import { createCartObject } from "./cart.ts";
import { createLineItemObject } from "./line-item.ts";
import { createTaxLines } from "./tax-line.ts";

interface OrderData extends OrderPage {
  readonly view: View;
}

/** Creates the `order` object for an order's page and for a customer's list of orders. */
export function createOrderObject(view: View, order: OrderPage): TemplateObject<OrderData> {
  return new TemplateObject(orderType, { ...order, view });
}

const orderType = createObjectType<OrderData>(
  "order",
  {
    id: ({ id }) => id,
    name: ({ number }) => `#${number}`,
    order_number: ({ number }) => number,
    created_at: ({ createdAt }) => new Date(createdAt).toISOString(),
    cancelled: ({ state }) => state === "cancelled",
    cancelled_at: ({ cancelledAt }) => (cancelledAt === undefined ? undefined : new Date(cancelledAt).toISOString()),
    cancel_reason: ({ cancelReason }) => cancelReason,
    cancel_reason_label: ({ cancelReason, view }) =>
      cancelReason && getMessages(view.request.locale)(`cancelReasons.${cancelReason}`),
    financial_status: getFinancialStatus,
    financial_status_label: (order) => getMessages(order.view.request.locale)(`orders.${getFinancialStatus(order)}`),
    fulfillment_status: getFulfillmentStatus,
    fulfillment_status_label: (order) =>
      getMessages(order.view.request.locale)(`orders.${getFulfillmentStatus(order)}`),
    shipped_at: (order) => {
      const shipment = getLastShipment(order);
      return shipment === undefined ? undefined : new Date(shipment.at).toISOString();
    },
    tracking_company: (order) => getLastShipment(order)?.carrier,
    tracking_number: (order) => getLastShipment(order)?.trackingNumber,
    tracking_url: (order) => getLastShipment(order)?.trackingUrl,
    email: ({ content }) => content.delivery?.email ?? "",
    phone: ({ content }) => content.delivery?.address?.phone,
    note: ({ content: { priced } }) => priced.cart.note && escapeIfUnsafe(priced.cart.note),
    item_count: ({ content }) => content.priced.itemCount,
    customer_name: ({ content }) => content.delivery?.name ?? "",
    address_lines: ({ content: { delivery }, view }) =>
      delivery?.address === undefined ? [] : formatAddressLines(delivery.address, view.request.locale),
    shipping_title: ({ content }) => content.delivery?.rate?.name,
    shipping_price: ({ content }) => content.delivery?.rate?.price ?? 0,
    line_items_subtotal_price: ({ content }) => content.priced.itemsSubtotal,
    subtotal_price: ({ content }) => content.priced.total,
    total_discounts: ({ content: { priced } }) => priced.originalTotal - priced.total,
    tax_price: ({ content }) => content.taxes?.total ?? 0,
    total_duties: () => 0,
    total_refunded_amount: (order) => sumRefunds(order),
    expected_refund: computeExpectedRefund,
    total_price: ({ content }) => computeTotalPrice(content),
    total_net_amount: (order) => computeTotalPrice(order.content) - sumRefunds(order),
    total_tax: ({ content }) => content.taxes?.total ?? 0,
    taxes_included: ({ content }) => content.taxes?.isIncluded ?? true,
    total_outstanding: ({ content, payment }) => (payment === "paid" ? 0 : content.amount),
    amount: ({ content }) => content.amount,
    bank_transfer: ({ bankTransfer }) =>
      bankTransfer && {
        account_holder: bankTransfer.accountHolder,
        iban: bankTransfer.iban,
        bic: bankTransfer.bic,
        reference: bankTransfer.reference,
        title: bankTransfer.title,
        text: bankTransfer.text,
        details: bankTransfer.details.map(([title, value]) => ({ title, value })),
        qr_code: bankTransfer.qrCode,
      },
    "new?": ({ isNewOrder }) => isNewOrder,
    "test?": ({ content }) => content.isTest === true,
    currency: ({ view }) => view.config.currency,
    "pickup_in_store?": () => false,
  },
  {
    cart: createOrderedCart,
    line_items: (order) => listFulfilledLines(order).lineItems,
    subtotal_line_items: (order) => listFulfilledLines(order).lineItems,
    shipments: (order) => listFulfilledLines(order).shipments,
    discount_applications: (order) => createOrderedCart(order).field("discount_applications"),
    cart_level_discount_applications: (order) => createOrderedCart(order).field("cart_level_discount_applications"),
    discounts: (order) => createOrderedCart(order).field("discounts"),
    shipping_address: createShippingAddress,
    // The checkout form has no separate billing address.
    billing_address: createShippingAddress,
    shipping_methods: ({ content: { delivery } }) =>
      delivery?.rate === undefined ? [] : [new TemplateObject(shippingMethodType, delivery.rate)],
    customer_url: ({ view, accountPath, statusPath }) => addPathPrefix(view, accountPath ?? statusPath),
    customer_order_url: ({ view, accountPath, statusPath }) => addPathPrefix(view, accountPath ?? statusPath),
    order_status_url: ({ view, statusPath }) => addPathPrefix(view, statusPath),
    tax_lines: ({ content, view }) => createTaxLines(content.taxes, view.request.locale),
    invoices: ({ view, invoices }) =>
      invoices.map(
        ({ number, title, path, pdfPath }) =>
          new TemplateObject(invoiceType, {
            ...{ number, title, url: addPathPrefix(view, path) },
            pdfUrl: pdfPath && addPathPrefix(view, pdfPath),
          }),
      ),
    // The status page may be opened by anyone who has its URL, so it shows no data of another customer.
    customer: ({ content: { customerId }, view }) =>
      customerId !== undefined && customerId === view.request.customer?.id
        ? view.variables.globals?.field("customer")
        : undefined,
    transactions: () => [],
    tags: () => [],
    attributes: () => ({}),
    metafields: () => emptyMetafields,
  },
  {
    emptyFields: "confirmation_number po_number",
    fieldTypes: {
      cart: "cart",
      customer: "customer",
      line_items: "line_item[]",
      subtotal_line_items: "line_item[]",
      shipments: "fulfillment[]",
      discount_applications: "discount_application[]",
      cart_level_discount_applications: "discount_application[]",
      discounts: "discount_application[]",
      shipping_address: "address",
      billing_address: "address",
      shipping_methods: "shipping_method[]",
      invoices: "order_invoice[]",
      metafields: "metafields",
    },
    identity: ({ id }) => id,
  },
);

const invoiceType = createObjectType<{
  readonly number: string;
  readonly title: string;
  readonly url: string;
  readonly pdfUrl: string | undefined;
}>("order_invoice", {
  number: ({ number }) => number,
  title: ({ title }) => title,
  url: ({ url }) => url,
  pdf_url: ({ pdfUrl }) => pdfUrl,
});

const shippingMethodType = createObjectType<QuotedRate>(
  "shipping_method",
  {
    id: ({ code }) => code,
    handle: ({ code }) => code,
    title: ({ name }) => name,
    price: ({ price }) => price,
    price_with_discounts: ({ price }) => price,
    original_price: ({ price }) => price,
  },
  { tax_lines: () => [], discount_allocations: () => [] },
);

function getFinancialStatus(order: OrderPage): "paid" | "partially_refunded" | "refunded" | "pending" | "voided" {
  const refundedAmount = sumRefunds(order);
  if (refundedAmount > 0) return refundedAmount < order.content.amount ? "partially_refunded" : "refunded";
  if (order.payment === "paid") return "paid";
  return order.state === "cancelled" ? "voided" : "pending";
}

function getFulfillmentStatus(order: OrderPage): "fulfilled" | "partial" | "unfulfilled" {
  return fulfillmentStatuses[getShipmentState(order)];
}

const fulfillmentStatuses = { unshipped: "unfulfilled", partial: "partial", shipped: "fulfilled" } as const;

/** Returns the last shipment of an order that is completely shipped. */
function getLastShipment(order: OrderPage): Shipment | undefined {
  return getShipmentState(order) === "shipped" ? order.shipments.at(-1) : undefined;
}

function createOrderedCart({ view, content }: OrderData): ReturnType<typeof createCartObject> {
  return createCartObject(view, content.priced);
}

/** Creates the lines of an order and its shipments, which refer to each other. */
function listFulfilledLines({ view, content, shipments }: OrderData): {
  readonly lineItems: readonly unknown[];
  readonly shipments: readonly unknown[];
} {
  const { lines } = content.priced;
  const lineItems: readonly unknown[] = lines.map((line, index) => {
    const { key } = line.line;
    const shipment = shipments.findLast(({ items }) => items.some((item) => item.key === key));
    if (shipment === undefined) return createLineItemObject(view, lines, line, index + 1);
    const fulfillment = { quantity: countShippedUnits(shipments, key), create: () => createFulfillment(shipment) };
    return createLineItemObject(view, lines, line, index + 1, fulfillment);
  });
  const createFulfillment = (shipment: Shipment): unknown =>
    new TemplateObject(fulfillmentType, {
      ...shipment,
      lines: shipment.items.map(({ key, quantity }) => {
        return { lineItem: lineItems[lines.findIndex(({ line }) => line.key === key)], quantity };
      }),
    });
  return { lineItems, shipments: shipments.map(createFulfillment) };
}

function createShippingAddress({ view, id, content: { delivery } }: OrderData): unknown {
  if (delivery?.address === undefined) return undefined;
  const { name, address } = delivery;
  // The checkout form has a single name field, but themes print first and last name separately.
  const lastSpaceIndex = name.lastIndexOf(" ");
  const names =
    lastSpaceIndex < 0
      ? { lastName: name }
      : { firstName: name.slice(0, lastSpaceIndex), lastName: name.slice(lastSpaceIndex + 1) };
  return new TemplateObject(addressType, { view, address: { id, ...names, ...address } });
}

interface ShippedLine extends Shipment {
  readonly lines: readonly FulfilledLine[];
}

interface FulfilledLine {
  readonly lineItem: unknown;
  readonly quantity: number;
}

const fulfillmentType = createObjectType<ShippedLine>(
  "fulfillment",
  {
    created_at: ({ at }) => new Date(at).toISOString(),
    item_count: ({ lines }) => lines.reduce((sum, { quantity }) => sum + quantity, 0),
    tracking_company: ({ carrier }) => carrier,
    tracking_number: ({ trackingNumber }) => trackingNumber,
    tracking_numbers: ({ trackingNumber }) => (trackingNumber === undefined ? [] : [trackingNumber]),
    tracking_url: ({ trackingUrl }) => trackingUrl,
    tracking_urls: ({ trackingUrl }) => (trackingUrl === undefined ? [] : [trackingUrl]),
  },
  {
    fulfillment_line_items: ({ lines }) => lines.map((line) => new TemplateObject(fulfilledLineType, line)),
  },
  { fieldTypes: { fulfillment_line_items: "fulfillment_line_item[]" } },
);

const fulfilledLineType = createObjectType<FulfilledLine>(
  "fulfillment_line_item",
  { quantity: ({ quantity }) => quantity },
  { line_item: ({ lineItem }) => lineItem },
  { fieldTypes: { line_item: "line_item" } },
);
