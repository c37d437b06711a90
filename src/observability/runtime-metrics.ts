import { Counter, Gauge, type Registry } from "prom-client";
import { cacheStatistics } from "../runtime/cache.ts";
import { pollStatistics } from "../runtime/poll.ts";
import { jobSlotStatistics } from "../runtime/slots.ts";

/** Registers the metrics of the modules in `runtime/` for this thread. */
export function registerRuntimeMetrics(registers: Registry[]): void {
  new Counter({
    name: "vitrine_cache_lookups_total",
    help: "Lookups by cache and result: hit or miss.",
    labelNames: ["cache", "result"],
    registers,
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of cacheStatistics) {
        this.inc({ cache, result: "hit" }, hits);
        this.inc({ cache, result: "miss" }, misses);
      }
    },
  });
  new Gauge({
    name: "vitrine_cache_weight",
    help: "Weight of the entries by cache: approximate bytes, or the number of entries.",
    labelNames: ["cache"],
    registers,
    collect() {
      for (const [cache, { weight }] of cacheStatistics) this.set({ cache }, weight);
    },
  });
  new Counter({
    name: "vitrine_poll_runs_total",
    help: "Runs of repeating jobs, by outcome: done or failed.",
    labelNames: ["job", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const [job, { successCount, failureCount }] of pollStatistics) {
        this.inc({ job, outcome: "done" }, successCount);
        this.inc({ job, outcome: "failed" }, failureCount);
      }
    },
  });
  new Gauge({
    name: "vitrine_slots",
    help: "Slots by kind and state. used: weight of the work that runs, in jobs or bytes; waiting: requests that wait.",
    labelNames: ["slots", "state"],
    registers,
    collect() {
      for (const [slots, { usedWeight, waitingCount }] of jobSlotStatistics) {
        this.set({ slots, state: "used" }, usedWeight);
        this.set({ slots, state: "waiting" }, waitingCount);
      }
    },
  });
  new Counter({
    name: "vitrine_slots_rejected_total",
    help: "Requests for slots that were rejected because too much was in use or waited.",
    labelNames: ["slots"],
    registers,
    collect() {
      this.reset();
      for (const [slots, { rejectionCount }] of jobSlotStatistics) this.inc({ slots }, rejectionCount);
    },
  });
}
