import type { App } from "./app.ts";
import type { AppOptions } from "./threads/open-store.ts";

export type { App } from "./app.ts";
export { type Config, defineStore, type MenuLink, type StoreSettings } from "./config/settings.ts";
export type { CustomerHook, SignedIn } from "./hooks/customer-hook.ts";
export type {
  Destination,
  QuotedGoods,
  QuotedLine,
  ShippingHook,
  ShippingQuote,
  TaxHook,
  TaxPercents,
} from "./hooks/delivery-hooks.ts";
export type { HookCall } from "./hooks/hook-call.ts";
export { defineHooks, type Hooks } from "./hooks/hooks.ts";
export type {
  PayableCheckout,
  PayableLine,
  PaymentCall,
  PaymentEvent,
  PaymentEventCall,
  PaymentHook,
  PaymentStart,
} from "./hooks/payment-hook.ts";
export type {
  DiscountsHook,
  HookCart as AskedCart,
  HookCartLine as AskedLine,
  HookDiscount as AskedDiscount,
  PriceContext,
  PriceHook,
  StockHook,
} from "./hooks/price-hooks.ts";
export type { AppOptions } from "./threads/open-store.ts";

/**
 * Opens a store folder as a shop in this thread, with its settings, database, catalog, theme, and server.
 * @throws Error with a message for the merchant, if the store has an error
 */
export async function createApp(options: AppOptions): Promise<App> {
  // Imported dynamically, because every command loads this module with the settings of a store.
  const { createApp: createLocalApp } = await import("./app.ts");
  const { config, listen, listenForScrapes, findFirstLoginPath, close } = await createLocalApp(options);
  return { config, listen, listenForScrapes, findFirstLoginPath, close };
}
