import type { Order } from "../../../checkout/order.ts";
import type { OrderActor, OrderLogEntry } from "../../../checkout/orders.ts";
import type { Shipment } from "../../../checkout/shipment.ts";
import { formatMoney } from "../../../pricing/money.ts";
import { renderTime } from "../console-page.ts";
import { type Markup, markup } from "../markup.ts";
import { emailNames } from "./order-forms.ts";

interface TimelineEntry {
  readonly at: number;
  readonly text: string;
  readonly actor?: string;
}

/**
 * Renders the log of an order, newest entries first. Earlier versions of the software did not log notes and shipments,
 * so those are read from the order instead.
 * @param timezone an IANA name
 */
export function renderTimeline(order: Order, log: readonly OrderLogEntry[], timezone: string): Markup {
  const loggedTimes = new Set(log.map(({ at }) => at));
  const isUnlogged = ({ at }: { readonly at: number }): boolean => !loggedTimes.has(at);
  const entries: readonly TimelineEntry[] = [
    { at: order.createdAt, text: "Order placed" },
    ...log.map((entry) => ({ at: entry.at, text: describeLogEntry(entry), actor: describeActor(entry.by) })),
    ...order.notes.filter(isUnlogged),
    ...order.shipments.filter(isUnlogged).map((shipment) => ({ at: shipment.at, text: describeShipment(shipment) })),
  ];
  const items = entries
    .toSorted((a, b) => b.at - a.at)
    .map(
      ({ at, text, actor }) =>
        markup`<li><span class="muted">${renderTime(at, timezone)}${actor !== undefined && `, ${actor}`}</span><br>${text}</li>`,
    );
  return markup`<ol class="plain-list timeline">${items}</ol>`;
}

function describeActor({ source, token }: OrderActor): string {
  if (source === "command_line") return "command line";
  if (source === "payment") return "payment provider";
  const name = token?.name === "" ? `token ${token.id}` : (token?.name ?? "");
  return source === "api" ? `${name} (API)` : name;
}

function describeLogEntry({ operation, details }: OrderLogEntry): string {
  const textOf = (field: string): string => String(details[field] ?? "");
  switch (operation) {
    case "pay":
      return `Payment recorded: ${textOf("reference")}`;
    case "ship":
      return describeShipment({
        carrier: textOf("carrier"),
        trackingNumber: textOf("tracking_number"),
        trackingUrl: textOf("tracking_url"),
        items: details.items as Shipment["items"],
      });
    case "cancel":
      return ["Canceled", textOf("note")].filter(Boolean).join(": ");
    case "refund":
      return `Refunded ${formatMoney(Number(details.amount), textOf("currency"), "en")}: ${textOf("reason")}`;
    case "note":
      return textOf("text");
    case "email":
      return `Email sent again: ${emailNames[textOf("email")] ?? textOf("email")}`;
    case "delete":
      return "Deleted";
  }
}

function describeShipment({ carrier, trackingNumber, trackingUrl, items }: Omit<Shipment, "at">): string {
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const trackingParts = [carrier, trackingNumber, trackingUrl].filter(Boolean).join(", ");
  return `Shipped ${count} ${count === 1 ? "item" : "items"}${trackingParts === "" ? "" : `: ${trackingParts}`}`;
}
