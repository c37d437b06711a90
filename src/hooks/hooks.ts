import type { CustomerHook } from "./customer-hook.ts";
import type { ShippingHook, TaxHook } from "./delivery-hooks.ts";
import type { PaymentHook } from "./payment-hook.ts";
import type { DiscountsHook, PriceHook, StockHook } from "./price-hooks.ts";

/**
 * The merchant's code. A module in the store's folder, named by the setting `hooks`, exports it by default; each event
 * loop imports that module separately.
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

/** Types a store's hooks; the module exports the result. */
export function defineHooks(hooks: Hooks): Hooks {
  return hooks;
}
