import { Counter, Gauge, type Registry } from "prom-client";
import { cacheStatistics } from "../runtime/cache.ts";

/** Registers what the mechanisms of `runtime/` count in this thread. */
export function runtimeMetrics(registers: Registry[]): void {
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
    help: "Weight of the entries by cache: bytes, about, or the number of entries.",
    labelNames: ["cache"],
    registers,
    collect() {
      for (const [cache, { weight }] of cacheStatistics) this.set({ cache }, weight);
    },
  });
}
