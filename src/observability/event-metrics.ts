import { Counter, type Registry } from "prom-client";

/** Metrics of event deliveries. */
export interface EventMetrics {
  /** Records an attempt to deliver an event.  @param outcome "dead" if the last attempt failed */
  recordDelivery(kind: "webhook" | "mail", outcome: "done" | "failed" | "dead"): void;
}

export function createEventMetrics(registers: Registry[]): EventMetrics {
  const deliveries = new Counter({
    name: "vitrine_event_deliveries_total",
    help: "Attempts to deliver events, by outcome; dead: the last attempt failed.",
    labelNames: ["kind", "outcome"],
    registers,
  });
  return { recordDelivery: (kind, outcome) => deliveries.inc({ kind, outcome }) };
}
