import { Counter, type Registry } from "prom-client";

/** Metrics of event deliveries. */
export interface EventMetrics {
  /** @param outcome "dead": it failed and was given up */
  eventTold(kind: "webhook" | "mail", outcome: "done" | "failed" | "dead"): void;
}

export function eventMetrics(registers: Registry[]): EventMetrics {
  const told = new Counter({
    name: "vitrine_event_deliveries_total",
    help: "Attempts to deliver events, by outcome; dead: the last attempt failed.",
    labelNames: ["kind", "outcome"],
    registers,
  });
  return { eventTold: (kind, outcome) => told.inc({ kind, outcome }) };
}
