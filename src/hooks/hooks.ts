import type { CustomerHook } from "./customer-hook.ts";
import type { ShippingHook, TaxHook } from "./delivery-hooks.ts";
import type { PaymentHook } from "./payment-hook.ts";
import type { DiscountsHook, PriceHook, StockHook } from "./price-hooks.ts";

/**
 * The merchant's hooks. A module in the store's folder, named by the setting `hooks`, exports them by default. Each
 * event loop imports that module separately.
 */
export interface Hooks {
  readonly payment?: PaymentHook;
  readonly shipping?: ShippingHook;
  readonly tax?: TaxHook;
  readonly customer?: CustomerHook;
  readonly price?: PriceHook;
  readonly discounts?: DiscountsHook;
  readonly stock?: StockHook;
}

/** Declares a store's hooks with their types. The module exports the result by default. */
export function defineHooks(hooks: Hooks): Hooks {
  return hooks;
}
