import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import { createCache } from "../runtime/cache.ts";
import { callHook, HookFailed } from "./call-hook.ts";
import type { StockHook } from "./price-hooks.ts";

/** Calls the hook `stock`. */
export interface StockCounts {
  /**
   * Returns the units on hand of the variants that were not requested in the last five seconds; empty if the hook
   * fails.
   */
  of(variantIds: readonly string[]): Promise<readonly { readonly variantId: string; readonly quantity: number }[]>;
}

/** @param hook undefined if only the shop counts stock */
export function createStockCounts(hook: StockHook | undefined, log: Pick<Log, "recurring">): StockCounts {
  if (hook === undefined) return { of: async () => [] };
  const requested = createCache<string, true>({ name: "stock_hook", maxWeight: MAX_REQUESTED, maxAgeMs: REQUESTED_MS });
  return {
    async of(variantIds) {
      const missing = variantIds.filter((id) => requested.get(id) === undefined);
      if (missing.length === 0) return [];
      // Set before the call: if it fails, the next requests do not wait for the hook again.
      for (const id of missing) requested.set(id, true);
      const read = (answer: unknown) => Object.entries(v.parse(levels, answer));
      try {
        const counted = await callHook("stock.levels", log, (signal) => hook.levels(missing, { signal }), read);
        return counted.filter(([id]) => missing.includes(id)).map(([variantId, quantity]) => ({ variantId, quantity }));
      } catch (error) {
        if (!(error instanceof HookFailed)) throw error;
        return [];
      }
    },
  };
}

const REQUESTED_MS = 5_000;
const MAX_REQUESTED = 10_000;

const levels = v.message(
  v.record(v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  "the answer is not { variant id: units }",
);
