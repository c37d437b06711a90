import type { CustomerHook } from "./customer-hook.ts";
import type { ShippingHook, TaxHook } from "./delivery-hooks.ts";
import type { PaymentHook } from "./payment-hook.ts";
import type { DiscountsHook, PriceHook, StockHook } from "./price-hooks.ts";

/**
 * The merchant's hooks: functions that the shop calls, for example to start a payment. They are the default export of
 * the module in the setting `hooks`. Each thread imports that module separately.
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

/** Returns `hooks` unchanged, so that TypeScript checks its type. The module must export the result by default. */
export function defineHooks(hooks: Hooks): Hooks {
  return hooks;
}
