import type { OrderPage } from "../../checkout-pages.ts";
import { objectType, TemplateObject } from "../template-object.ts";

type Shipment = NonNullable<OrderPage["shipment"]>;

interface Subject extends Shipment {
  readonly lines: readonly FulfilledLine[];
}

interface FulfilledLine {
  readonly lineItem: unknown;
  readonly quantity: number;
}

/** Shipment of an order's line, with tracking. All lines of an order ship together.  @param lines all shipped lines */
export function fulfillmentObject(shipment: Shipment, lines: readonly FulfilledLine[]): TemplateObject<Subject> {
  return new TemplateObject(fulfillmentType, { ...shipment, lines });
}

const fulfillmentType = objectType<Subject>(
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
  { returns: { fulfillment_line_items: "fulfillment_line_item[]" } },
);

const fulfilledLineType = objectType<FulfilledLine>(
  "fulfillment_line_item",
  { quantity: ({ quantity }) => quantity },
  { line_item: ({ lineItem }) => lineItem },
  { returns: { line_item: "line_item" } },
);
