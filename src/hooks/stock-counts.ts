import { LRUCache } from "lru-cache";
import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import { callHook, HookFailed } from "./call-hook.ts";
import type { StockHook } from "./price-hooks.ts";

/** Calls the hook `stock`. */
export interface StockCounts {
  /**
   * Units on hand of those variants that were not requested recently; empty if the hook fails, so that the known stock
   * stays.
   */
  of(variantIds: readonly string[]): Promise<readonly { readonly variantId: string; readonly quantity: number }[]>;
}

/** @param hook undefined if only the shop counts stock */
export function createStockCounts(hook: StockHook | undefined, log: Pick<Log, "recurring">): StockCounts {
  if (hook === undefined) return { of: async () => [] };
  const asked = new LRUCache<string, true>({ max: MAX_ASKED, ttl: ASKED_MS });
  return {
    async of(variantIds) {
      const wanted = variantIds.filter((id) => !asked.has(id));
      if (wanted.length === 0) return [];
      // Also after a failure: the next request does not wait for the hook again.
      for (const id of wanted) asked.set(id, true);
      const read = (answer: unknown) => Object.entries(v.parse(levels, answer));
      try {
        const counted = await callHook("stock.levels", log, (signal) => hook.levels(wanted, { signal }), read);
        return counted.filter(([id]) => wanted.includes(id)).map(([variantId, quantity]) => ({ variantId, quantity }));
      } catch (error) {
        if (!(error instanceof HookFailed)) throw error;
        return [];
      }
    },
  };
}

const ASKED_MS = 5_000;
const MAX_ASKED = 10_000;

const levels = v.message(
  v.record(v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  "the answer is not { variant id: units }",
);
