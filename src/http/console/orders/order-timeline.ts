import type { Order } from "../../../checkout/order.ts";
import type { OrderLogEntry } from "../../../checkout/orders.ts";
import type { Shipment } from "../../../checkout/shipment.ts";
import { type ConsoleTexts, describeActor } from "../console-texts.ts";
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
export function renderTimeline(
  texts: ConsoleTexts,
  order: Order,
  log: readonly OrderLogEntry[],
  timezone: string,
): Markup {
  const loggedTimes = new Set(log.map(({ at }) => at));
  const isUnlogged = ({ at }: { readonly at: number }): boolean => !loggedTimes.has(at);
  const entries: readonly TimelineEntry[] = [
    { at: order.createdAt, text: texts.get("order.orderPlaced") },
    ...log.map((entry) => ({
      at: entry.at,
      text: describeLogEntry(texts, entry),
      actor: describeActor(texts, entry.by),
    })),
    ...order.notes.filter(isUnlogged),
    ...order.shipments
      .filter(isUnlogged)
      .map((shipment) => ({ at: shipment.at, text: describeShipment(texts, shipment) })),
  ];
  const items = entries
    .toSorted((a, b) => b.at - a.at)
    .map(
      ({ at, text, actor }) =>
        markup`<li><span class="muted">${texts.renderTime(at, timezone)}${actor !== undefined && markup`, <bdi>${actor}</bdi>`}</span><br><bdi>${text}</bdi></li>`,
    );
  return markup`<ol class="plain-list timeline">${items}</ol>`;
}

function describeLogEntry(texts: ConsoleTexts, { operation, details }: OrderLogEntry): string {
  const textOf = (field: string): string => String(details[field] ?? "");
  switch (operation) {
    case "pay":
      return texts.get("log.paid", { reference: textOf("reference") });
    case "ship":
      return describeShipment(texts, {
        carrier: textOf("carrier"),
        trackingNumber: textOf("tracking_number"),
        trackingUrl: textOf("tracking_url"),
        items: details.items as Shipment["items"],
      });
    case "cancel":
      return [texts.get("labels.canceled"), textOf("note")].filter(Boolean).join(": ");
    case "refund":
      return texts.get("log.refunded", {
        amount: texts.formatMoney(Number(details.amount), textOf("currency")),
        reason: textOf("reason"),
      });
    case "note":
      return textOf("text");
    case "email": {
      const name = emailNames.get(textOf("email"));
      return texts.get("log.emailed", { email: name === undefined ? textOf("email") : texts.get(name) });
    }
    case "delete":
      return texts.get("log.deleted");
  }
}

function describeShipment(
  texts: ConsoleTexts,
  { carrier, trackingNumber, trackingUrl, items }: Omit<Shipment, "at">,
): string {
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const trackingParts = [carrier, trackingNumber, trackingUrl].filter(Boolean).join(", ");
  return [texts.get("log.shipped", { count }), trackingParts].filter(Boolean).join(": ");
}
