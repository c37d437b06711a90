import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import { createCache } from "../runtime/cache.ts";
import { callHook, HookError, unitsSchema } from "./call-hook.ts";
import type { StockHook } from "./price-hooks.ts";

/** Gets stock quantities from the hook `stock`. */
export interface HookStockReader {
  /**
   * Returns the units on hand of the variants. Omits variants for which the hook was called in the last five seconds.
   * Returns an empty list if the hook fails.
   */
  fetchQuantities(
    variantIds: readonly string[],
  ): Promise<readonly { readonly variantId: string; readonly quantity: number }[]>;
}

/** @param hook undefined if no other system counts the stock */
export function createStockCounts(hook: StockHook | undefined, log: Pick<Log, "recurring">): HookStockReader {
  if (hook === undefined) return { fetchQuantities: async () => [] };
  const requestedIds = createCache<string, true>({
    name: "stock_hook",
    maxWeight: MAX_REQUESTED_IDS,
    maxAgeMs: REQUEST_INTERVAL_MS,
  });
  return {
    async fetchQuantities(variantIds) {
      const unrequestedIds = variantIds.filter((id) => requestedIds.get(id) === undefined);
      if (unrequestedIds.length === 0) return [];
      // Record the variants before the call, so that the next requests do not wait for the hook again if it fails.
      for (const id of unrequestedIds) requestedIds.set(id, true);
      const parseStockLevels = (answer: unknown) => Object.entries(v.parse(stockLevelsSchema, answer));
      try {
        const quantities = await callHook(
          "stock.levels",
          log,
          (hookCall) => hook.levels(unrequestedIds, hookCall),
          parseStockLevels,
        );
        return quantities
          .filter(([id]) => unrequestedIds.includes(id))
          .map(([variantId, quantity]) => ({ variantId, quantity }));
      } catch (error) {
        if (!(error instanceof HookError)) throw error;
        return [];
      }
    },
  };
}

const REQUEST_INTERVAL_MS = 5_000;
const MAX_REQUESTED_IDS = 10_000;

const stockLevelsSchema = v.message(v.record(v.string(), unitsSchema), "invalid result: return { variant id: units }");
