/** What other systems may be told of. */
export const eventTypes = [
  "order.created",
  "order.paid",
  "order.shipped",
  "order.cancelled",
  "payment.refund_due",
  "contact.received",
  "stock.low",
  "search.not_found",
] as const;

export type EventType = (typeof eventTypes)[number];
