import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import type { Discount } from "../pricing/discount.ts";
import { createCache } from "../runtime/cache.ts";
import { callHook, HookError, unitsSchema } from "./call-hook.ts";
import type { Hooks } from "./hooks.ts";
import type { HookCart, HookDiscount } from "./price-hooks.ts";

/** Prices and discounts of a cart, as returned by the merchant's hooks. */
export interface CartPrices {
  /** Unit prices in minor units, by variant id. */
  readonly prices: ReadonlyMap<string, number>;
  readonly hookDiscounts: readonly Discount[];
  /** Whether a hook failed, so that the final price is unknown. */
  readonly isPriceUncertain: boolean;
}

/** Gets the prices and discounts of carts from the hooks `price` and `discounts`. */
export interface CartPricing {
  /** Whether the merchant has the hook `price` or the hook `discounts`. */
  readonly isEnabled: boolean;
  fetchPrices(cart: HookCart): Promise<CartPrices>;
}

export const unknownPrices: CartPrices = { prices: new Map(), hookDiscounts: [], isPriceUncertain: true };

/** @param now returns milliseconds of a monotonic clock */
export function createCartPricing(
  { price, discounts }: Pick<Hooks, "price" | "discounts">,
  log: Pick<Log, "recurring">,
  now: () => number,
): CartPricing {
  const cache = createCache<string, Promise<CartPrices>>({
    name: "cart_pricing",
    maxWeight: MAX_CACHED_CARTS,
    maxAgeMs: CACHE_LIFETIME_MS,
    now,
  });
  let nextRetryTime = Number.NEGATIVE_INFINITY;
  const askHooks = async (cart: HookCart): Promise<CartPrices> => {
    const { lines, codes: _, ...context } = cart;
    const [prices = new Map(), hookDiscounts = []] = await Promise.all([
      price && callHook("price.unitPrices", log, (hookCall) => price.unitPrices(lines, context, hookCall), readPrices),
      discounts && callHook("discounts.applying", log, (hookCall) => discounts.applying(cart, hookCall), readDiscounts),
    ]);
    return { prices, hookDiscounts, isPriceUncertain: false };
  };
  return {
    isEnabled: price !== undefined || discounts !== undefined,
    async fetchPrices(cart) {
      const key = JSON.stringify(cart);
      if (now() < nextRetryTime && cache.get(key) === undefined) return unknownPrices;
      try {
        return await cache.getOrCreate(key, () => askHooks(cart));
      } catch (error) {
        if (!(error instanceof HookError)) throw error;
        nextRetryTime = now() + RETRY_DELAY_MS;
        return unknownPrices;
      }
    },
  };
}

/** Milliseconds for which results are cached, because several requests of a page show the same cart. */
const CACHE_LIFETIME_MS = 15_000;
const MAX_CACHED_CARTS = 2_000;
/** Milliseconds after a failure during which the hooks are not called, so that shoppers do not wait again. */
const RETRY_DELAY_MS = 5_000;

const pricesSchema = v.message(
  v.record(v.string(), unitsSchema),
  "invalid result: return { variant id: price in minor units }",
);

function readPrices(answer: unknown): ReadonlyMap<string, number> {
  return new Map(Object.entries(v.parse(pricesSchema, answer)));
}

const discountSchema = v.object({
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  code: v.optional(v.string()),
  percentage: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
  amount: v.optional(unitsSchema),
  products: v.optional(v.array(v.string())),
});

const discountListSchema = v.message(
  v.pipe(
    v.array(
      v.pipe(
        discountSchema,
        v.check((discount) => (discount.percentage === undefined) !== (discount.amount === undefined)),
      ),
    ),
    v.maxLength(50),
  ),
  "invalid result: return a list of at most 50 { title, percentage or amount }",
);

function readDiscounts(answer: unknown): readonly Discount[] {
  return v.parse(discountListSchema, answer).map((discount, index) => toDiscount(discount as HookDiscount, index));
}

function toDiscount({ title, code, percentage, amount = 0, products = [] }: HookDiscount, index: number): Discount {
  return {
    kind: "discount",
    id: `hook ${index}`,
    ...(code === undefined ? {} : { code }),
    title,
    valueType: percentage === undefined ? "fixed_amount" : "percentage",
    value: percentage ?? amount,
    ...(percentage === undefined ? { isPerLine: true } : {}),
    minimumSubtotal: 0,
    products,
    collections: [],
  };
}
